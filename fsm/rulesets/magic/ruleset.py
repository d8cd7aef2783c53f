"""Magic: The Gathering, Comprehensive Rules effective 2026-01-16 (rule numbers are that edition's).

The option `edition` names another one, whose numbers and differences are in `editions`.

Read it beside the rulebook: a turn is five phases, each with its steps, each with its turn-based
actions in order. What every step has in common (500, 614.10) is the frame's; what is special is
here.
"""

from __future__ import annotations

from fsm.rulesets.frame.parts import Absent, Act, Again, FrameRules, Phase, Step, Swap, Then, Window
from fsm.rulesets.frame.table import Table
from fsm.rulesets.frame.windows import CURRENT, priority_window
from fsm.rulesets.magic.editions import MANA, NUMBERS, Edition
from fsm.rulesets.magic.endings import ENDING_STATES, EVENTS, endings
from fsm.rulesets.magic.facts import SETTINGS, durations, facts

DAMAGE_TRIGGERS = "“deals combat damage” and “is dealt combat damage” abilities"


def rules(*, mana_first: bool) -> FrameRules:
    """What every phase and step has in common."""
    return FrameRules(
        turn="500.1",
        begin="500.4, 500.6",
        end="500.5",
        skip="614.10",
        extra_turn="500.7",
        extra_phase="500.8",
        extra_step="500.9",
        step_after_phase="500.10",
        no_turn="800.4k",
        end_action=Act("empty_mana", "Mana empties", MANA, doc="unspent mana empties from every pool",
                       says="unspent mana empties"),
        phase_end_first=mana_first,
    )


def table(
    *,
    edition: Edition = "2026-01",
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
    unattacked = "not attackers_declared, not put_in_attacking" + (", not stated_attacking" * stated_attacker_counts)
    no_main = "not main_phase_begun" + (", not first_main_skipped" * first_main_counts_skipped)
    nobody = Absent(unattacked, "508.8", "nothing attacks, so there is nothing to block or deal damage")
    declared = Then("declare_blockers", "attackers_declared", "508.8", doc="a creature was declared as an attacker",
                    says="a creature attacks")
    put_in = Then("declare_blockers", "put_in_attacking", "508.8", doc="a creature was put in attacking",
                  says="a creature attacks")
    stated = Then("declare_blockers", "stated_attacking", "508.4", doc="an effect stated that a creature attacks",
                  says="a creature attacks")
    no_attack = Then("end_of_combat", "", "508.8", "skip", "no attackers: blocks and damage are skipped",
                     says="nobody attacks")

    beginning = Phase("beginning", "Beginning", "501", (
        Step("untap", "Untap", "502", (
            Act("phasing", "Phasing", "502.1", doc="permanents phase in and out, all at once"),
            Act("day_night", "Day and night", "502.2", doc="it becomes day or night, by the spells of the turn before",
                says="day or night"),
            Act("untap_permanents", "Untap permanents", "502.3", doc="the active player's, all at once"),
        )),
        Step("upkeep", "Upkeep", "503", (
            Window("503.1", doc="abilities that triggered in the untap step or “at the beginning of upkeep”"),
        )),
        Step("draw", "Draw", "504", (
            Act("draw_card", "Draw a card", "504.1", doc="the active player draws"),
            Window("504.2", doc="abilities that triggered “at the beginning of the draw step” or on the card drawn"),
        ), absent=(
            Absent(f"{first_draw}, team_turns", "103.8b", "the starting team skips the draw step of the first turn",
                   says="first turn of the one who starts"),
            Absent(first_draw, "103.8a", "the starting player skips the draw step of the first turn",
                   says="first turn of the one who starts"),
        )),
    ))
    precombat_main = Phase("precombat_main", "First main", "505", (
        Step("precombat_main", "Precombat main", "505.1", (
            Act("set_scheme", "Set a scheme in motion", "505.3", doc="the archenemy does", says="schemes"),
            Act("add_lore_counters", "Add lore counters", "505.4", doc="one on each of the active player's Sagas",
                says="Sagas"),
            Act("roll_attractions", "Roll to visit Attractions", "505.5", doc="if the active player controls any",
                says="Attractions"),
            Window("505.6", doc="“at the beginning of the precombat main phase” abilities, and those of Sagas"),
        )),
    ), family="main", noted=first_main_counts_skipped, swap=Swap(
        "postcombat_main", "main_phase_begun", "505.1a", "only the first main phase of the turn is precombat",
    ))
    combat = Phase("combat", "Combat", "506", (
        Step("beginning_of_combat", "Beginning of combat", "507", (
            Act("choose_defender", "Choose the defending player", "507.1", "several_opponents, not all_defend",
                "one of the opponents", says="several opponents: choose one"),
            Window("507.2", doc="“at the beginning of combat” abilities"),
        )),
        Step("declare_attackers", "Declare attackers", "508", (
            Act("declare_attackers", "Declare attackers", "508.1", doc="the active player does",
                decides=("attackers_declared",), says="the active player attacks"),
            Window("508.2", doc="abilities that triggered on attackers being declared"),
        ), then=(declared, put_in, *([stated] if stated_attacker_counts else []), no_attack)),
        Step("declare_blockers", "Declare blockers", "509", (
            Act("declare_blockers", "Declare blockers", "509.1", by="defending", says="the defending player blocks"),
            Window("509.2", doc="abilities that triggered on blockers being declared"),
        ), absent=(nobody,), then=(
            Then("first_strike_damage", "first_strike_in_combat", "510.4", doc="first or double strike is there",
                 says="a fighter has first or double strike"),
            Then("combat_damage", "", "510.4", doc="everybody deals damage at once", says="nobody has"),
        )),
        Step("first_strike_damage", "First-strike damage", "510.4", (
            Act("assign_combat_damage", "Assign damage", "510.1", doc="first and double strike",
                manner="first_or_double_strike", by="active_and_defending"),
            Act("deal_combat_damage", "Deal damage", "510.2", doc="all at once"),
            Window("510.3", doc=DAMAGE_TRIGGERS),
        ), absent=(nobody,), says="first and double strikers"),
        Step("combat_damage", "Combat damage", "510", (
            Act("assign_combat_damage", "Assign damage", "510.1", doc="the others, and double strike",
                manner="others_and_double_strike", by="active_and_defending"),
            Act("deal_combat_damage", "Deal damage", "510.2", doc="all at once"),
            Window("510.3", doc=DAMAGE_TRIGGERS),
        ), absent=(nobody,), says="the others, and double strikers"),
        Step("end_of_combat", "End of combat", "511", (
            Window("511.1", doc="“at end of combat” abilities"),
            Act("remove_from_combat", "Leave combat", "511.3", doc="everything in combat does",
                says="then all leave combat"),
        )),
    ), clears="combat")
    postcombat_main = Phase("postcombat_main", "Second main", "505", (
        Step("postcombat_main", "Postcombat main", "505.1", (
            Window("505.6", doc="“at the beginning of the postcombat main phase” abilities"),
        )),
    ), family="main", extra_rule="505.1a", swap=Swap(
        "precombat_main", no_main, "505.1a", "the first main phase that really begins is precombat",
    ))
    ending = Phase("ending", "Ending", "512", (
        Step("end", "End step", "513", (
            Window("513.1", doc="“at the beginning of the end step” abilities"),
        )),
        Step("cleanup", "Cleanup", "514", (
            Act("discard_to_hand_size", "Discard to hand size", "514.1", doc="the active player does"),
            Act("remove_damage_and_end_effects", "Damage and effects off", "514.2", ends="end_of_turn",
                doc="damage comes off all permanents, at the same time", says="damage wears off"),
            Window("514.3a", "conditional", doc="whatever triggered meanwhile"),
            Again("window_opened", "514.3a", "a state-based action or a trigger: another cleanup step",
                  says="if something happened: another Cleanup"),
        )),
    ))
    return Table(
        name="magic",
        title="Magic",
        edition=now.title,
        rulebook=now.rulebook,
        phases=(beginning, precombat_main, combat, postcombat_main, ending),
        rules=rules(mana_first=now.mana_first),
        window=priority_window("magic", edition=now.title, rules=CURRENT),
        facts=facts(
            stated_attacking=stated_attacker_counts,
            extra_draw=extra_draw_on_first_turn,
            first_main_skipped=first_main_counts_skipped,
        ),
        events=EVENTS,
        states=ENDING_STATES,
        transitions=endings(mana_first=now.mana_first, no_end_step=now.cite("723.1e")),
        durations=durations(),
        settings=SETTINGS,
        options=(
            ("stated_attacker_counts", stated_attacker_counts),
            ("extra_draw_on_first_turn", extra_draw_on_first_turn),
            ("first_main_counts_skipped", first_main_counts_skipped),
            *([] if edition == "2026-01" else [("edition", edition)]),
        ),
        cite=now.cite,
    )
