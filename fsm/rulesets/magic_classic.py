"""Magic: The Gathering before July 2009, with combat damage on the stack and mana burn.

Read it beside the rulebook: Comprehensive Rules effective 2006-10-01, whose rule numbers these are;
the option `edition` names another edition. A turn is five phases, each with its steps, each with
its game actions in order. What every step has in common (300, 419.6e) is the frame's; what is
special is here.
"""

from __future__ import annotations

from calendar import month_name
from typing import Literal

from fsm.model import Event, Setting
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
    Either,
    FrameRules,
    Phase,
    Step,
    Swap,
    Then,
    Window,
)
from fsm.rulesets.rows import check, jump, perform
from fsm.rulesets.table import Table
from fsm.rulesets.windows import PriorityRules

PRIORITY = PriorityRules(
    first="408.1c",
    settle="408.1b",
    checks="420.3",
    places="410.3",
    opens_if="314.3",
    holds="408.1c",
    acts="408.1c",
    passes="408.1c",
    all_passed="413.1",
    resolves="408.1c",
    closes="300.2",
    leaves="600.4a",
    check="state-based effect",
)


# how a turn ends early (509.1) --------------------------------------------------------------------

ENDING_STATES = (
    perform("end_turn_stack", "Remove the stack", "509.1a", "remove_stack", "every object on it, combat damage too"),
    perform("end_turn_combat", "Leave combat", "509.1a", "remove_from_combat", "everything in combat does"),
    check("end_turn_sba", "509.1b", "State-based effects"),
    perform("end_turn_leave", "Phase and step end", "300.3", "lose_mana", "unspent mana is lost, with a life for each"),
)
CLEANUP = "begin(step, cleanup, cleanup)"
ENDINGS = (
    jump("end_turn_stack", "end_turn_combat", "509.1a", "combat_under_way", doc="if this happens during combat"),
    jump("end_turn_stack", "end_turn_sba", "509.1b"),
    jump("end_turn_combat", "end_turn_sba", "509.1b"),
    jump("end_turn_sba", "end_turn_sba", "420.3", "sba_performed", doc="until none applies"),
    jump("end_turn_sba", "cleanup_begin", "509.1c", "end_under_way", ["end(step)", "drop(turn)", CLEANUP],
         doc="a new cleanup step of this same phase, which has not ended"),
    jump("end_turn_sba", "end_turn_leave", "509.1c", do=["end(step)", "end(phase)", "clear(combat)"]),
    jump("end_turn_leave", "cleanup_begin", "509.1c", do=["drop(turn)", "begin(phase, end, end)", CLEANUP],
         doc="straight to cleanup; there is no end of turn step (509.3)"),
)
OWED = jump("cleanup_step", "end_turn_stack", "314.3", do=["latch(cleanup_owed)"], event="end_turn",
            doc="players had priority here: a further cleanup step is owed", says="an effect ends the turn")


# the turn -----------------------------------------------------------------------------------------


def table(
    *,
    edition: Literal[
        "2003-07", "2004-10", "2005-08", "2006-10", "2007-02", "2007-05", "2007-07", "2007-10", "2008-02", "2008-10",
        "2009-05",
    ] = "2006-10",
    stopped_double_strike: bool = False,
    two_cleanups_after_time_stop: bool = False,
) -> Table:
    """Classic Magic's turn, with its editions, and the options that stand for what the rules leave
    open.

    edition: the Comprehensive Rules effective from that month on. An effect can end the turn from
        2004-10 on; a starting team skips its first draw step from 2007-05 on; creatures put into
        play attacking make blocks and damage happen from 2007-10 on. Whether a creature without
        power assigns damage (310.2a, which the earliest editions lack) is the game's to know.
    stopped_double_strike: what has lost double strike in the first damage step assigns nothing in
        the second, even if it assigned nothing in the first (502.28c against 310.5).
    two_cleanups_after_time_stop: when an effect ends the turn in a cleanup step, two more follow:
        one to which the turn skips, and one because players had priority (509.1c and 314.3).

    When the player whose turn it is leaves the game, the turn goes on without them, as 600.4f says
    from 2007-02 on; before, no rule says what becomes of it.
    """
    # what changed from edition to edition, and its numbers
    year, month = edition.split("-")
    put_in_counts, no_attack = ("", "308.4") if edition < "2007-10" else ("put_in_attacking", "308.5")
    first_draw = "101.5" if edition < "2005-08" else "101.5a" if edition < "2007-07" else "101.6a"
    turn_can_be_ended = edition >= "2004-10"
    one_draws = edition < "2007-05"  # of a team (606.6b); before 2006-10 no rule is known: as from then on
    leaves = "600.4f" if edition >= "2007-02" else "600.4"
    starter = "the starting player" + " or team" * (not one_draws)

    owed = two_cleanups_after_time_stop and turn_can_be_ended
    counts = [*filter(None, ("attackers_declared", put_in_counts))]
    nobody = Absent(unattacked(counts), no_attack, "nothing attacks, so there is nothing to block or deal damage")
    second = "not_yet_assigned_or_double_strike" + "_unless_stopped" * stopped_double_strike
    tells = ("damage_assigned",)
    main = "abilities that trigger at the beginning of the main phase; lands and spells"
    draw = Act("draw_card", "Draw a card", "304.1", "the active player draws")
    one = Act("secondary_player_draws", "Secondary player draws", "101.5b, 606.6b", "the primary player does not")
    to_stack = Act("put_damage_on_stack", "Damage on the stack", "310.1",
                   "all assignments as one object, which nobody can counter", when="damage_assigned")

    beginning = Phase("beginning",
        Step("untap",
            Act("phasing", "Phasing", "302.1", "permanents phase in and out, all at once"),
            Act("untap_permanents", "Untap permanents", "302.2", "the active player's, all at once"),
            rule="302"),
        Step("upkeep",
            Window("303.1", "abilities that triggered in the untap step, or at the beginning of upkeep"),
            rule="303", says="upkeep triggers"),
        Step("draw",
            Either("first_turn, team_turns", one, draw) if one_draws else draw,
            Window("304.1", "abilities that triggered on the draw, or at the beginning of the draw step"),
            rule="304", says="draw a card", unless=(
                Absent("first_turn, first_draw_skipped, not extra_draw", first_draw,
                       "the starting player skips the draw step of the first turn",
                       says="starting player's first turn"),
            )),
        rule="301")
    precombat_main = Phase("precombat_main",
        Step("precombat_main", Window("305.3", main), rule="305.1", says="play a land, cast spells"),
        rule="305", label="First main", family="main",
        swap=Swap("postcombat_main", "main_phase_begun", "305.1", "only the first main phase of the turn is precombat"))
    combat = Phase("combat",
        Step("beginning_of_combat",
            Act("choose_defender", "Choose the defending player", "306.3", "one of the opponents",
                when="several_opponents", says="several opponents: choose one"),
            Window("307.1", "abilities that trigger at the beginning of combat"),
            rule="307"),
        Step("declare_attackers",
            Act("declare_attackers", "Declare attackers", "308.1", says="the active player attacks",
                decides="attackers_declared"),
            Window("308.1", "abilities that triggered on attackers being declared"),
            rule="308", then=attacked(no_attack, dict.fromkeys(counts, no_attack),
            attackers_declared="a creature was declared an attacker")),
        Step("declare_blockers",
            Act("declare_blockers", "Declare blockers", "309.1", by="defending"),
            Window("309.1", "abilities that triggered on blockers being declared"),
            rule="309", says="the defending player blocks", unless=nobody, then=(
                Then("first_strike_damage", "first_strike_in_combat", "310.5", "first or double strike is there",
                     says="a creature has first or double strike"),
                Then("combat_damage", "", "310.5", "everybody assigns damage at once", says="no creature does"),
            )),
        Step("first_strike_damage",
            Act("assign_combat_damage", "Assign damage", "310.1", "first and double strike", decides=tells,
                manner="first_or_double_strike", by="active_and_defending"),
            to_stack,
            Window("310.1, 310.4", "above the damage, abilities that triggered on its being assigned"),
            rule="310.5", label="First-strike damage", unless=nobody,
                says="first and double strikers, damage goes on the stack"),
        Step("combat_damage",
            Act("assign_combat_damage", "Assign damage", "310.1", "who has not yet assigned, and double strike",
                decides=tells, manner=second, by="active_and_defending"),
            to_stack,
            Window("310.1, 310.4", "above the damage, abilities that triggered on its being assigned"),
            rule="310", unless=nobody, says="the others, double strikers, damage goes on the stack"),
        Step("end_of_combat",
            Window("311.1", "abilities that trigger at end of combat"),
            Act("remove_from_combat", "Leave combat", "311.2", "everything in combat does",
                says="then all leave combat"),
            rule="311"),
        rule="306")
    postcombat_main = Phase("postcombat_main",
        Step("postcombat_main", Window("305.3", main), rule="305.1", says="play a land, cast spells"),
        rule="305", label="Second main", family="main", extra_rule="305.1",
        swap=Swap("precombat_main", "not main_phase_begun", "305.1",
                  "the first main phase that really begins is precombat"))
    end = Phase("end",
        Step("end_of_turn",
            Window("313.1", "abilities that trigger at end of turn and were there as it began"),
            rule="313", says="end of turn triggers"),
        Step("cleanup",
            Act("discard_to_hand_size", "Discard to hand size", "314.1", "the active player does"),
            Act("remove_damage_and_end_effects", "Damage and effects off", "314.2",
                "damage comes off all permanents, at the same time", says="damage wears off", ends="end_of_turn"),
            Window("314.3", "abilities that wait", "conditional"),
            *([Again("cleanup_owed", "314.3", "the one after that in which the turn was ended",
                     do=("clear(cleanup)",), says="one more after the turn was ended")] * owed),
            Again("window_opened", "314.3", "a state-based effect or a trigger: another cleanup step",
                  says="if something happened: another Cleanup"),
            rule="314"),
        rule="312")
    return Table(
        "magic-classic",
        beginning,
        precombat_main,
        combat,
        postcombat_main,
        end,
        title="Magic, classic",
        edition=f"CR {edition}",
        rulebook=f"Comprehensive Rules of {month_name[int(month)]} {year}",
        rules=FrameRules(
            turn="300.1",
            begin="300.4, 300.5",
            end="300.4",
            skip="300.9, 419.6e",
            extra_turn="300.6",
            extra_phase="300.7",
            extra_step="300.8",
            no_turn="600.4",
            leaves=leaves,
            wins="102.2a",
            over="102.1",
            # mana is lost, and burns, only as a phase ends
            phase_end_action=Act("lose_mana", "Mana burn", "300.3", "unspent mana is lost, with a life for each",
                                 says="each unspent mana is lost and costs a life"),
        ),
        lacks="step_after_phase",
        window=PRIORITY,
        facts=facts(
            {
                **dict.fromkeys(counts, no_attack),
                "first_strike_in_combat": "310.5",
                "damage_assigned": "310.1",
                "sba_performed": "420.3" * turn_can_be_ended,
                "several_opponents": "306.3",
                "several_sides_left": "102.2a",
                "first_turn": first_draw,
                "first_draw_skipped": first_draw,
                "team_turns": "606.6b" * one_draws,
                "extra_draw": first_draw,
                "main_phase_begun": "305.1",
                "combat_under_way": "509.1a" * turn_can_be_ended,
                "end_under_way": "509.1c" * turn_can_be_ended,
                "cleanup_owed": "314.3" * owed,
            },
            put_in_attacking="a creature was put into play attacking",
            sba_performed="a state-based effect was performed",
        ),
        events=(Event("end_turn", "an effect ends the turn"),) * turn_can_be_ended,
        states=ENDING_STATES * turn_can_be_ended,
        transitions=(
            *[OWED] * owed,
            *[turn_ended("end_turn_stack", "509.1")] * turn_can_be_ended,
            *ENDINGS * turn_can_be_ended,
        ),
        durations=durations(begin="300.4", wears_off="314.2", combat="300.4", end_step="end_of_turn"),
        settings=Setting("first_draw_skipped", f"{starter} skips the first draw step", first_draw,
                         default="two_players" if one_draws else "two_sides"),
        options=(
            ("edition", edition),
            ("stopped_double_strike", stopped_double_strike),
            ("two_cleanups_after_time_stop", two_cleanups_after_time_stop),
        ),
    )
