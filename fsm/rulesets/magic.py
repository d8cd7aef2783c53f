"""Magic: The Gathering, Comprehensive Rules effective 2026-01-16 (rule numbers are that edition's).

The option `edition` names another one, whose numbers are in `NUMBERS`.

Read it beside the rulebook: a turn is five phases, each with its steps, each with its turn-based
actions in order. What every step has in common (500, 614.10) is the frame's; what is special is
here.
"""

from __future__ import annotations

from typing import Literal

from fsm.model import Event, Setting, Transition
from fsm.rulesets.editions import (
    MANA,
    NUMBERS,
    attacked,
    durations,
    facts,
    turn_ended,
    unattacked,
)
from fsm.rulesets.parts import Absent, Act, Again, FrameRules, Phase, Step, Swap, Then, Window
from fsm.rulesets.rows import check, jump, perform
from fsm.rulesets.table import Table
from fsm.rulesets.windows import PriorityRules

DAMAGE_TRIGGERS = "“deals combat damage” and “is dealt combat damage” abilities"
PRIORITY = PriorityRules(
    first="117.3a", settle="117.5", checks="704.3", places="603.3b", opens_if="514.3a", holds="117.3", acts="117.3c",
    passes="117.3d", all_passed="117.4", resolves="117.3b", closes="500.2", leaves="800.4a", placing="two_passes",
    placing_doc="active player first, two passes",
)
# the rules of the facts that this turn reads
FACTS = {
    "first_strike_in_combat": "510.4",
    "sba_performed": "704.3",
    "several_opponents": "507.1",
    "several_sides_left": "104.2a",
    "first_turn": "103.8",
    "all_defend": "802.2",
    "first_draw_skipped": "103.8",
    "team_turns": "103.8b",
    "main_phase_begun": "505.1a",
    "combat_under_way": "723.2",
    "ending_under_way": "723.1d",
}

# how a turn ends early ----------------------------------------------------------------------------

ENDING_STATES = (
    # 723.1, end the turn
    perform("end_turn_triggers", "Waiting triggers cease", "723.1a", "cease_triggers", "those not yet on the stack"),
    perform("end_turn_stack", "Exile the stack", "723.1b", "exile_stack", "every object, the resolving one too"),
    check("end_turn_sba", "723.1c"),
    perform("end_turn_combat", "Leave combat", "723.1d", "remove_from_combat", "all creatures and planeswalkers"),
    perform("end_turn_leave", "Phase and step end", "723.1d", "empty_mana", "what lies before cleanup is skipped"),
    # 723.2, end the combat phase
    perform("end_combat_triggers", "Waiting triggers cease", "723.2a", "cease_triggers", "those not yet on the stack"),
    perform("end_combat_stack", "Exile the stack", "723.2b", "exile_stack", "every object, the resolving one too"),
    check("end_combat_sba", "723.2c"),
    perform("end_combat_combat", "Leave combat", "723.2d", "remove_from_combat", "all creatures and planeswalkers"),
    perform("end_combat_leave", "Combat phase ends", "723.2d", "empty_mana", "its other steps are skipped"),
)

TURN_ENDING = ("end_turn_triggers", "end_turn_stack", "end_turn_sba", "end_turn_combat", "end_turn_leave")
COMBAT_ENDS = ("end(step)", "end(phase)", "clear(combat)")
CLEANUP = "begin(step, cleanup, cleanup)"
ENDING_PHASE = ("end(phase)", "drop(turn)", "begin(phase, ending, ending)")


def endings(*, mana_first: bool, no_end_step: str) -> tuple[Transition, ...]:
    """The rows of the endings, where mana empties before durations end or after, and the number of
    the rule that says that there is no end step.
    """
    first, then = ((), COMBAT_ENDS) if mana_first else (COMBAT_ENDS, ())
    return (
        turn_ended("end_turn_triggers", "723.1"),
        jump("end_turn_triggers", "end_turn_stack", "723.1b"),
        jump("end_turn_stack", "end_turn_sba", "723.1c"),
        jump("end_turn_sba", "end_turn_sba", "704.3", "sba_performed", doc="until none applies"),
        jump("end_turn_sba", "end_turn_combat", "723.1d", "combat_under_way", doc="if this happens during combat"),
        jump("end_turn_sba", "end_turn_leave", "723.1d", do=first[:1]),
        jump("end_turn_combat", "end_turn_leave", "723.1d", do=first),
        jump("end_turn_leave", "cleanup_begin", "723.1d", "ending_under_way", [*then[:1], "drop(turn)", CLEANUP],
             doc="a new cleanup step, even from cleanup"),
        jump("end_turn_leave", "cleanup_begin", "723.1d", do=[*then, *ENDING_PHASE, CLEANUP],
             doc=f"straight to cleanup; there is no end step ({no_end_step})"),
        jump("combat_phase", "end_combat_triggers", "723.2", "combat_under_way", event="end_phase",
             doc="an effect ends the combat phase", says="an effect ends the combat phase"),
        jump("turn", "end_combat_triggers", "723.2", "combat_under_way", event="end_phase",
             doc="also from a step of another kind that was added to combat", says="an effect ends the combat phase"),
        jump("turn", None, "723.2g", event="end_phase", doc="it is no combat phase: nothing happens"),
        *(jump(state, None, "723.1d", event="end_phase", doc="the turn is being ended: nothing happens")
          for state in TURN_ENDING),
        jump("end_combat_triggers", "end_combat_stack", "723.2b"),
        jump("end_combat_stack", "end_combat_sba", "723.2c"),
        jump("end_combat_sba", "end_combat_sba", "704.3", "sba_performed", doc="until none applies"),
        jump("end_combat_sba", "end_combat_combat", "723.2d"),
        jump("end_combat_combat", "end_combat_leave", "723.2d", do=[*first, "drop(phase)"]),
        jump("end_combat_leave", "combat_phase_after", "723.2d", do=then, doc="the next phase, whatever it is"),
    )


# the turn -----------------------------------------------------------------------------------------


def table(
    *,
    edition: Literal["2026-01", "2025-04", "2026-04"] = "2026-01",
    stated_attacker_counts: bool = False,
    extra_draw_on_first_turn: bool = True,
    first_main_counts_skipped: bool = False,
) -> Table:
    """Magic's turn, with its editions, and the options that stand for what the rules leave open.

    edition: the Comprehensive Rules effective from that month on. The numbers of rules follow it.
        In 2025-04 mana empties before effects end (500.4, 500.5). Of 2026-04 only 500 to 514, 723,
        724, 731 and 733 have been read: other sections are not cited.
    stated_attacker_counts: a creature that an effect states to be attacking keeps the declare
        blockers and combat damage steps from being skipped (508.4 against 508.8).
    extra_draw_on_first_turn: an extra draw step on the starting player's first turn takes place,
        for the rule skips "the draw step" (103.8a).
    first_main_counts_skipped: a skipped precombat main phase was the turn's first main phase all
        the same, so that the next one is postcombat (505.1a against 614.10a).
    """
    now = NUMBERS[edition]
    first_draw = "first_turn, first_draw_skipped" + (", not extra_draw" * extra_draw_on_first_turn)
    counts = {"attackers_declared": "508.8", "put_in_attacking": "508.8"}
    if stated_attacker_counts:
        counts["stated_attacking"] = "508.4"
    no_main = "not main_phase_begun" + (", not first_main_skipped" * first_main_counts_skipped)
    nobody = Absent(unattacked(counts), "508.8", "nothing attacks, so there is nothing to block or deal damage")

    beginning = Phase("beginning",
        Step("untap",
            Act("phasing", "Phasing", "502.1", "permanents phase in and out, all at once"),
            Act("day_night", "Day and night", "502.2", "it becomes day or night, by the spells of the turn before",
                says="day or night"),
            Act("untap_permanents", "Untap permanents", "502.3", "the active player's, all at once"),
            rule="502"),
        Step("upkeep",
            Window("503.1", "abilities that triggered in the untap step or “at the beginning of upkeep”"),
            rule="503", says="upkeep triggers"),
        Step("draw",
            Act("draw_card", "Draw a card", "504.1", "the active player draws"),
            Window("504.2", "abilities that triggered “at the beginning of the draw step” or on the card drawn"),
            rule="504", unless=(
                Absent(f"{first_draw}, team_turns", "103.8b", "the starting team skips the draw step of the first turn",
                       says="starting player's first turn"),
                Absent(first_draw, "103.8a", "the starting player skips the draw step of the first turn",
                       says="starting player's first turn"),
            )),
        rule="501")
    precombat_main = Phase("precombat_main",
        Step("precombat_main",
            Act("set_scheme", "Set a scheme in motion", "505.3", "the archenemy does", says="schemes"),
            Act("add_lore_counters", "Add lore counters", "505.4", "one on each of the active player's Sagas",
                says="Sagas"),
            Act("roll_attractions", "Roll to visit Attractions", "505.5", "if the active player controls any",
                says="Attractions"),
            Window("505.6", "“at the beginning of the precombat main phase” abilities, and those of Sagas; lands and spells"),
            rule="505.1", says="play a land, cast spells"),
        rule="505", label="First main", family="main", noted="first_main_skipped" * first_main_counts_skipped,
        swap=Swap("postcombat_main", "main_phase_begun", "505.1a",
                  "only the first main phase of the turn is precombat"))
    combat = Phase("combat",
        Step("beginning_of_combat",
            Act("choose_defender", "Choose the defending player", "507.1", "one of the opponents",
                when="several_opponents, not all_defend", says="several opponents: choose one"),
            Window("507.2", "“at the beginning of combat” abilities"),
            rule="507"),
        Step("declare_attackers",
            Act("declare_attackers", "Declare attackers", "508.1", says="the active player attacks",
                decides="attackers_declared"),
            Window("508.2", "abilities that triggered on attackers being declared"),
            rule="508", then=attacked("508.8", counts)),
        Step("declare_blockers",
            Act("declare_blockers", "Declare blockers", "509.1", by="defending"),
            Window("509.2", "abilities that triggered on blockers being declared"),
            rule="509", says="the defending player blocks", unless=nobody, then=(
                Then("first_strike_damage", "first_strike_in_combat", "510.4", "first or double strike is there",
                     says="a creature has first or double strike"),
                Then("combat_damage", "", "510.4", "everybody deals damage at once", says="no creature does"),
            )),
        Step("first_strike_damage",
            Act("assign_combat_damage", "Assign damage", "510.1", "first and double strike",
                manner="first_or_double_strike", by="active_and_defending"),
            Act("deal_combat_damage", "Deal damage", "510.2", "all at once"),
            Window("510.3", DAMAGE_TRIGGERS),
            rule="510.4", label="First-strike damage", unless=nobody, says="first and double strikers"),
        Step("combat_damage",
            Act("assign_combat_damage", "Assign damage", "510.1", "the others, and double strike",
                manner="others_and_double_strike", by="active_and_defending"),
            Act("deal_combat_damage", "Deal damage", "510.2", "all at once"),
            Window("510.3", DAMAGE_TRIGGERS),
            rule="510", unless=nobody, says="the others, and double strikers"),
        Step("end_of_combat",
            Window("511.1", "“at end of combat” abilities"),
            Act("remove_from_combat", "Leave combat", "511.3", "everything in combat does",
                says="then all leave combat"),
            rule="511"),
        rule="506")
    postcombat_main = Phase("postcombat_main",
        Step("postcombat_main",
            Window("505.6", "“at the beginning of the postcombat main phase” abilities; lands and spells"),
            rule="505.1", says="play a land, cast spells"),
        rule="505", label="Second main", family="main", extra_rule="505.1a",
        swap=Swap("precombat_main", no_main, "505.1a", "the first main phase that really begins is precombat"))
    ending = Phase("ending",
        Step("end",
            Window("513.1", "“at the beginning of the end step” abilities"),
            rule="513", label="End step", says="end step triggers"),
        Step("cleanup",
            Act("discard_to_hand_size", "Discard to hand size", "514.1", "the active player does"),
            Act("remove_damage_and_end_effects", "Damage and effects off", "514.2",
                "damage comes off all permanents, at the same time", says="damage wears off", ends="end_of_turn"),
            Window("514.3a", "whatever triggered meanwhile", "conditional"),
            Again("window_opened", "514.3a", "a state-based action or a trigger: another cleanup step",
                  says="if something happened: another Cleanup"),
            rule="514"),
        rule="512")
    return Table(
        "magic",
        beginning,
        precombat_main,
        combat,
        postcombat_main,
        ending,
        title="Magic",
        edition=now.title,
        rulebook=now.rulebook,
        rules=FrameRules(
            turn="500.1",
            begin="500.4, 500.6",
            end="500.5",
            skip="614.10",
            extra_turn="500.7",
            extra_phase="500.8",
            extra_step="500.9",
            step_after_phase="500.10",
            no_turn="800.4k",
            leaves="800.4j",
            wins="104.2a",
            over="104.1",
            end_action=Act("empty_mana", "Mana empties", MANA, "unspent mana empties from every pool",
                           says="unspent mana empties"),
            phase_end_first=now.mana_first,
        ),
        window=PRIORITY,
        facts=facts({
            **FACTS,
            **counts,
            "extra_draw": "103.8a" * extra_draw_on_first_turn,
            "first_main_skipped": "505.1a" * first_main_counts_skipped,
        }, first_draw_skipped="the starting player or team skips the first draw step"),
        events=(
            Event("end_turn", "an effect ends the turn"),
            Event("end_phase", "an effect ends the combat phase"),
        ),
        states=ENDING_STATES,
        transitions=endings(mana_first=now.mana_first, no_end_step=now.cite("723.1e")),
        durations=durations(),
        settings=(
            Setting("first_draw_skipped", "the starting player or team skips the first draw step",
                    "103.8a, 103.8b, 103.8c", default="two_sides"),
            Setting("attack_multiple_players", "every opponent is a defending player, and none is chosen", "802.2"),
        ),
        options=(
            ("stated_attacker_counts", stated_attacker_counts),
            ("extra_draw_on_first_turn", extra_draw_on_first_turn),
            ("first_main_counts_skipped", first_main_counts_skipped),
            *([] if edition == "2026-01" else [("edition", edition)]),
        ),
        cite=now.cite,
    )
