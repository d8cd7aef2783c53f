"""Magic: The Gathering around 2010, as a judge's table prints it (rule numbers are those of CR
2010-07-16).

Read it beside the table: its rows are the parts of each step, in its order. Each window is two
rows, what is put on the stack and who may act; each step ends with unused mana, which no longer
burns. Not in it: the scheme of an Archenemy game (505.3). What the table says too shortly follows
the rules, unless `as_printed`.
"""

from __future__ import annotations

from fsm.model import Event, Setting, Transition
from fsm.rulesets.editions import (
    attacked,
    durations,
    facts,
    turn_ended,
    unattacked,
)
from fsm.rulesets.parts import (
    Absent,
    Act,
    Again,
    During,
    FrameRules,
    Part,
    Phase,
    Step,
    Swap,
    Window,
)
from fsm.rulesets.rows import check, jump, perform
from fsm.rulesets.table import Table
from fsm.rulesets.windows import PriorityRules

ANY_SPELL = "Priority for any spell, and for lands"

PRIORITY = PriorityRules(
    first="116.3a",
    settle="116.5",
    checks="704.3",
    places="603.3b",
    opens_if="514.3a",
    holds="116.3",
    acts="116.3c",
    passes="116.3d",
    all_passed="116.4",
    resolves="116.3b",
    closes="500.2",
    leaves="800.4a",
)

# the rules of the facts that this turn reads
FACTS = {
    "first_strike_in_combat": "510.5",
    "sba_performed": "704.3",
    "several_opponents": "507.1",
    "several_sides_left": "104.2a",
    "first_turn": "103.7a",
    "first_draw_skipped": "103.7a",
    "extra_draw": "103.7a",
    "main_phase_begun": "505.1a",
    "combat_under_way": "712.1a",
    "ending_under_way": "712.1c",
}

# how a turn ends early ----------------------------------------------------------------------------

ENDING_STATES = (
    perform("end_turn_stack", "Exile the stack", "712.1a", "exile_stack", "every object, the resolving one too"),
    perform("end_turn_combat", "Leave combat", "712.1a", "remove_from_combat", "all creatures and planeswalkers"),
    check("end_turn_sba", "712.1b"),
    perform("end_turn_leave", "Phase and step end", "712.1c", "empty_mana", "what lies before cleanup is skipped"),
)

COMBAT_ENDS = ("end(step)", "end(phase)", "mark(end_of_combat)", "clear(combat)")
CLEANUP = "begin(step, cleanup, cleanup)"
ENDING_PHASE = ("end(phase)", "drop(turn)", "begin(phase, ending, ending)")


def endings(*, repeats_cleanup: bool) -> tuple[Transition, ...]:
    """The rows of the endings. `repeats_cleanup`: ending the turn in cleanup leads to a further
    cleanup step.
    """
    over = jump("end_turn_leave", "ending_phase_end", "712.1c", "ending_under_way, cleanup_begun",
                ["end(phase)", "drop(turn)"], doc="no cleanup step lies ahead: the turn is over")
    return (
        turn_ended("end_turn_stack", "712.1"),
        jump("end_turn_stack", "end_turn_combat", "712.1a", "combat_under_way", doc="if this happens during combat"),
        jump("end_turn_stack", "end_turn_sba", "712.1b"),
        jump("end_turn_combat", "end_turn_sba", "712.1b"),
        jump("end_turn_sba", "end_turn_sba", "704.3", "sba_performed", doc="until none applies"),
        jump("end_turn_sba", "end_turn_leave", "712.1c", "combat_under_way", COMBAT_ENDS),
        jump("end_turn_sba", "end_turn_leave", "712.1c", do=["end(step)"]),
        *([] if repeats_cleanup else [over]),
        jump("end_turn_leave", "cleanup_begin", "712.1c", "ending_under_way", ["drop(turn)", CLEANUP],
             doc="a new cleanup step, even from cleanup" if repeats_cleanup else "from the end step"),
        jump("end_turn_leave", "cleanup_begin", "712.1c", do=[*ENDING_PHASE, CLEANUP],
             doc="straight to cleanup; there is no end step (712.3)"),
        jump("turn", None, "509.6", event="made_to_block", doc="blockers are not being declared: no order changes"),
        jump("turn", None, "509.7", event="put_in_blocking", doc="blockers are not being declared: no order changes"),
    )


# the turn -----------------------------------------------------------------------------------------


def table(*, as_printed: bool = False, end_turn_repeats_cleanup: bool = True) -> Table:
    """The turn of the judge's table.

    as_printed: take the table at its word where the rule says otherwise. No *declared* attacker is
        enough to skip blocks and damage, even if a creature was put in attacking (against 508.6);
        and the second damage is that of creatures *without first strike* at that moment (against
        510.5).
    end_turn_repeats_cleanup: ending the turn in a cleanup step leads to a further cleanup step;
        this edition does not say so, a later one does. Otherwise the turn is over then (712.1c).

    An extra draw step on the starting player's first turn takes place, for the rule skips "the draw
    step" (103.7a).
    """
    counts = ("attackers_declared",) if as_printed else ("attackers_declared", "put_in_attacking")
    nobody = Absent(unattacked(counts), "508.6", "nothing attacks: no blocks, no damage")
    no_first_strike = Absent("not first_strike_in_combat", "510.5", "nothing in combat has first or double strike",
                             says="no creature has first or double strike")

    beginning = Phase("beginning",
        Step("untap",
            Act("phasing", "Phasing", "502.1", "the active player's phased-out permanents come in and those with "
                "phasing go out, all at once"),
            Act("untap_permanents", "Untap permanents", "502.2", "the active player's, all at once"),
            rule="502"),
        Step("upkeep",
            Window("503.1, 503.2", "abilities that triggered in the untap step, and “at the beginning of upkeep” "
                   "abilities"),
            rule="503", says="upkeep triggers"),
        Step("draw",
            Act("draw_card", "Draw a card", "504.1", "the active player draws, without the stack"),
            Window("504.2, 504.3", "“at the beginning of the draw step” abilities, and those that trigger on the "
                   "card drawn"),
            rule="504", unless=(
                Absent("first_turn, first_draw_skipped, not extra_draw", "103.7a", "who plays first skips the first draw step",
                       says="starting player's first turn"),
            )),
        rule="501")
    precombat_main = Phase("precombat_main",
        Step("precombat_main",
            Window("505.4, 505.5", "“at the beginning of the next main phase” and “at the "
                   "beginning of the precombat main phase” abilities; lands and spells", label=ANY_SPELL),
            rule="505.1", says="play a land, cast spells"),
        rule="505", family="main",
        swap=Swap("postcombat_main", "main_phase_begun", "505.1a",
                  "only the first main phase of the turn is precombat"))
    combat = Phase("combat",
        Step("beginning_of_combat",
            Act("choose_defender", "Choose the defending player", "507.1", "one of the opponents",
                when="several_opponents", says="several opponents: choose one"),
            Window("507.2, 507.3", "“at the beginning of combat” abilities"),
            rule="507"),
        Step("declare_attackers",
            Act("declare_attackers", "Declare attackers", "508.1", "the active player says what attacks",
                says="the active player attacks", decides="attackers_declared"),
            Window("508.2, 508.3", "abilities that trigger on attackers being declared"),
            rule="508", then=attacked("508.6", dict.fromkeys(counts, "508.6"))),
        Step("declare_blockers",
            Act("declare_blockers", "Declare blockers", "509.1", "what blocks what", by="defending"),
            Act("order_blockers", "Order blockers", "509.2", "for each attacker that became blocked, the active "
                "player announces the order in which its damage goes to blockers"),
            Act("order_attackers", "Order attackers", "509.3", "for each blocking creature, the order in "
                "which its damage goes to attackers", by="defending"),
            Window("509.4, 509.5", "abilities that trigger on blockers being declared", during=(
                During("made_to_block", Act("place_in_both_orders", "Place in both orders", "509.6",
                                        "it in the attacker's order, and the attacker in its order",
                                        by="active_and_defending"),
                       rule="509.6"),
                During("put_in_blocking", Act("place_in_attackers_order", "Place in the attacker's order", "509.7",
                                        "the active player places it; the rest of the order stays"), rule="509.7"),
            )),
            rule="509", unless=nobody, says="the defending player blocks, damage is ordered"),
        Step("first_strike_damage", *_damage(
            "with first or double strike", "first_or_double_strike",
        ),
            rule="510.5", label="First and double strike", unless=(nobody, no_first_strike),
                says="first and double strikers"),
        Step("combat_damage", *_damage(
            *(("without first strike", "without_first_strike") if as_printed else
              ("with neither as damage began, or with double strike now", "others_and_double_strike")),
        ),
            rule="510", unless=nobody, says="the others, and double strikers"),
        Step("end_of_combat",
            Window("511.1, 511.2", "“at end of combat” abilities"),
            Act("remove_from_combat", "Leave combat", "511.3", "all creatures and planeswalkers do",
                says="all leave combat"),
            Act("end_combat_effects", "Combat effects off", "500.5", says="its effects end", ends="end_of_combat"),
            rule="511", says="then all leave combat"),
        rule="506", ends="end_of_combat")
    postcombat_main = Phase("postcombat_main",
        Step("postcombat_main",
            Window("505.4, 505.5", "“at the beginning of the next main phase” and “at the "
                   "beginning of the postcombat main phase” abilities; lands and spells", label=ANY_SPELL),
            rule="505.1", says="play a land, cast spells"),
        rule="505", family="main", extra_rule="505.1a",
        swap=Swap("precombat_main", "not main_phase_begun", "505.1a",
                  "the first main phase that really begins is precombat"))
    ending = Phase("ending",
        Step("end",
            Window("513.1, 513.2", "“at the beginning of the end step” and “at the beginning of the next end "
                   "step” abilities"),
            rule="513", says="end step triggers"),
        Step("cleanup",
            Act("discard_to_hand_size", "Discard to hand size", "514.1", "the active player does, usually to "
                "seven"),
            Act("remove_damage_and_end_effects", "Damage and effects off", "514.2",
                "damage comes off all permanents, at the same time", says="damage wears off", ends="end_of_turn"),
            Window("514.3a", "waiting triggered abilities, also “at the beginning of the next "
                   "cleanup step”", "conditional"),
            Again("window_opened", "514.3a", "a state-based action or a trigger: a further cleanup step",
                  says="if something happened: a further Cleanup"),
            rule="514"),
        rule="512")
    return Table(
        "magic-2010",
        beginning,
        precombat_main,
        combat,
        postcombat_main,
        ending,
        title="Magic, the judge's table of 2010",
        edition="CR 2010-07",
        rulebook="Comprehensive Rules of 16 July 2010",
        rules=FrameRules(
            turn="500.1",
            begin="500.6",
            end="500.4, 500.5",
            skip="614.10",
            extra_turn="500.7",
            extra_phase="500.8",
            extra_step="500.9",
            no_turn="800.4",
            leaves="800.4g",
            wins="104.2a",
            over="104.1",
            end_action=Act("empty_mana", "Mana empties", "500.4", "unused mana empties from every pool",
                           says="unused mana empties"),
        ),
        lacks="step_after_phase",
        window_label="Priority for instants, flash and abilities",
        window=PRIORITY,
        facts=facts({
            **FACTS,
            **dict.fromkeys(counts, "508.6"),
            "cleanup_begun": "" if end_turn_repeats_cleanup else "712.1c",
        }),
        events=(
            Event("end_turn", "an effect ends the turn"),
            Event("made_to_block", "an effect makes a creature block"),
            Event("put_in_blocking", "a creature is put onto the battlefield blocking"),
        ),
        states=ENDING_STATES,
        transitions=endings(repeats_cleanup=end_turn_repeats_cleanup),
        durations=durations(begin="611.2a", wears_off="514.2", combat="500.5", combat_ends="mark"),
        settings=Setting("first_draw_skipped", "the starting player or team skips the first draw step", "103.7a",
                         default="two_sides"),
        options=(
            ("as_printed", as_printed),
            ("end_turn_repeats_cleanup", end_turn_repeats_cleanup),
        ),
    )


def _damage(those: str, manner: str) -> tuple[Part, ...]:
    """The rows of a damage substep: the table prints them twice, for other creatures."""
    return (
        Act("assign_attackers", "Attackers assign damage", "510.1c",
            f"blocked attackers {those}, to their blockers: lethal damage to each before the next in the order",
            manner=manner),
        Act("assign_unblocked", "Unblocked attackers assign damage", "510.1b",
            f"those {those}, to the defending player or the planeswalker attacked", manner=manner),
        Act("assign_blockers", "Blockers assign damage", "510.1d",
            f"those {those}, to their attackers, in the order announced", manner=manner, by="defending"),
        Act("deal_combat_damage", "Deal damage", "510.2", "all at once, without the stack; nobody can respond"),
        Window("510.3, 510.4", "“deals combat damage” and “is dealt combat damage” abilities"),
    )
