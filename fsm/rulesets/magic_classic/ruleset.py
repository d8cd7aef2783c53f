"""Magic: The Gathering before July 2009, with combat damage on the stack and mana burn.

Read it beside the rulebook: Comprehensive Rules effective 2006-10-01, whose rule numbers these are;
the option `edition` names another edition. A turn is five phases, each with its steps, each with
its game actions in order. What every step has in common (300, 419.6e) is the frame's; what is
special is here.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from fsm.rulesets.frame.parts import (
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
from fsm.rulesets.frame.table import Table
from fsm.rulesets.frame.windows import priority_window
from fsm.rulesets.magic_classic.endings import (
    END_TURN,
    GAME_OVER,
    PLAYER_LEFT,
    PROCEDURE,
    end_turn,
    somebody_leaves,
    turn_is_ended,
)
from fsm.rulesets.magic_classic.facts import DURATIONS, PRIORITY, Changes, facts, settings

Edition: TypeAlias = Literal[
    "2003-07", "2004-10", "2005-08", "2006-10", "2007-02", "2007-05", "2007-07", "2007-10", "2008-02", "2008-10",
    "2009-05",
]


def rules(*, burn_first: bool) -> FrameRules:
    """What every phase and step has in common: mana is lost, and burns, only as a phase ends
    (300.3).
    """
    return FrameRules(
        turn="300.1",
        begin="300.4, 300.5",
        end="300.4",
        skip="300.9, 419.6e",
        extra_turn="300.6",
        extra_phase="300.7",
        extra_step="300.8",
        no_turn="600.4",
        phase_end_action=Act("lose_mana", "Mana burn", "300.3", doc="unspent mana is lost, with a life for each",
                             says="each unspent mana is lost and costs a life"),
        phase_end_first=burn_first,
    )


def table(
    *,
    edition: Edition = "2006-10",
    empty_damage_object: bool = False,
    stopped_double_strike: bool = False,
    burn_before_durations_end: bool = False,
    burn_as_the_turn_ends: bool = False,
    two_cleanups_after_time_stop: bool = False,
    leaving_ends_the_turn: bool = False,
    secondary_player_draws: bool = True,
) -> Table:
    """Classic Magic's turn, with its editions, and the options that stand for what the rules leave
    open.

    edition: the Comprehensive Rules effective from that month on. An effect can end the turn from
        2004-10 on; a starting team skips its first draw step from 2007-05 on; creatures put into
        play attacking make blocks and damage happen from 2007-10 on. Whether a creature without
        power assigns damage (310.2a, which the earliest editions lack) is the game's to know.
    empty_damage_object: combat damage goes on the stack even when nobody assigns any (310.1).
    stopped_double_strike: what has lost double strike in the first damage step assigns nothing in
        the second, even if it assigned nothing in the first (502.28c against 310.5).
    burn_before_durations_end: as a phase ends, mana burns before what lasts until its end is over
        (300.3, 300.4).
    burn_as_the_turn_ends: when an effect ends the turn in the end phase, mana burns then and there,
        and not only as that phase ends after cleanup (300.3 against 509.1c).
    two_cleanups_after_time_stop: when an effect ends the turn in a cleanup step, two more follow:
        one to which the turn skips, and one because players had priority (509.1c and 314.3).
    leaving_ends_the_turn: before 2007-02, when the player whose turn it is leaves the game, the
        turn goes straight to cleanup, as if an effect ended it; else it goes on without them, as
        600.4f says from then on.
    secondary_player_draws: before 2006-10, in the starting team's first turn only the secondary
        player draws, as from then on until 2007-05; else both do (101.5b, 606.6b).
    """
    now = Changes(edition)
    one_draws = now.one_draws(secondary_player_draws)
    leaving_ends = leaving_ends_the_turn and not now.leaving_ruled
    owed = two_cleanups_after_time_stop and now.turn_can_be_ended
    procedure = now.turn_can_be_ended or leaving_ends
    unattacked = "not attackers_declared" + (", not put_in_attacking" * now.put_in_counts)
    nobody = Absent(unattacked, now.no_attack, "nothing attacks, so there is nothing to block or deal damage")
    declared = Then("declare_blockers", "attackers_declared", now.no_attack, doc="a creature was declared an attacker",
                    says="a creature attacks")
    put_in = Then("declare_blockers", "put_in_attacking", now.no_attack, doc="a creature was put in attacking",
                  says="a creature attacks")
    no_attack = Then("end_of_combat", "", now.no_attack, "skip", "no attackers: blocks and damage are skipped",
                     says="nobody attacks")
    second = "not_yet_assigned_or_double_strike" + "_unless_stopped" * stopped_double_strike
    assigned = "" if empty_damage_object else "damage_assigned"
    tells = () if empty_damage_object else ("damage_assigned",)
    main = "abilities that trigger at the beginning of the main phase"
    draw = Act("draw_card", "Draw a card", "304.1", doc="the active player draws")
    one = Act("secondary_player_draws", "Secondary player draws", "101.5b, 606.6b", doc="the primary player does not")
    to_stack = Act("put_damage_on_stack", "Damage on the stack", "310.1", when=assigned,
                   doc="all assignments as one object, which nobody can counter")

    beginning = Phase("beginning", "Beginning", "301", (
        Step("untap", "Untap", "302", (
            Act("phasing", "Phasing", "302.1", doc="permanents phase in and out, all at once"),
            Act("untap_permanents", "Untap permanents", "302.2", doc="the active player's, all at once"),
        )),
        Step("upkeep", "Upkeep", "303", (
            Window("303.1", doc="abilities that triggered in the untap step, or at the beginning of upkeep"),
        )),
        Step("draw", "Draw", "304", (
            Either("first_turn, team_turns", one, draw) if one_draws else draw,
            Window("304.1", doc="abilities that triggered on the draw, or at the beginning of the draw step"),
        ), says="draw a card", absent=(
            Absent("first_turn, first_draw_skipped, not extra_draw", now.first_draw,
                   "the starting player skips the draw step of the first turn",
                   says="first turn of the one who starts"),
        )),
    ))
    precombat_main = Phase("precombat_main", "First main", "305", (
        Step("precombat_main", "Precombat main", "305.1", (Window("305.3", doc=main),)),
    ), family="main", swap=Swap(
        "postcombat_main", "main_phase_begun", "305.1", "only the first main phase of the turn is precombat",
    ))
    combat = Phase("combat", "Combat", "306", (
        Step("beginning_of_combat", "Beginning of combat", "307", (
            Act("choose_defender", "Choose the defending player", "306.3", "several_opponents", "one of the opponents",
                says="several opponents: choose one"),
            Window("307.1", doc="abilities that trigger at the beginning of combat"),
        )),
        Step("declare_attackers", "Declare attackers", "308", (
            Act("declare_attackers", "Declare attackers", "308.1", doc="the active player does",
                decides=("attackers_declared",), says="the active player attacks"),
            Window("308.1", doc="abilities that triggered on attackers being declared"),
        ), then=(declared, *([put_in] if now.put_in_counts else []), no_attack)),
        Step("declare_blockers", "Declare blockers", "309", (
            Act("declare_blockers", "Declare blockers", "309.1", by="defending",
                says="the defending player blocks"),
            Window("309.1", doc="abilities that triggered on blockers being declared"),
        ), absent=(nobody,), then=(
            Then("first_strike_damage", "first_strike_in_combat", "310.5", doc="first or double strike is there",
                 says="a fighter has first or double strike"),
            Then("combat_damage", "", "310.5", doc="everybody assigns damage at once", says="nobody has"),
        )),
        Step("first_strike_damage", "First-strike damage", "310.5", (
            Act("assign_combat_damage", "Assign damage", "310.1", doc="first and double strike",
                manner="first_or_double_strike", by="active_and_defending", decides=tells),
            to_stack,
            Window("310.1, 310.4", doc="above the damage, abilities that triggered on its being assigned"),
        ), absent=(nobody,), says="first and double strikers, damage goes on the stack"),
        Step("combat_damage", "Combat damage", "310", (
            Act("assign_combat_damage", "Assign damage", "310.1", doc="who has not yet assigned, and double strike",
                manner=second, by="active_and_defending", decides=tells),
            to_stack,
            Window("310.1, 310.4", doc="above the damage, abilities that triggered on its being assigned"),
        ), absent=(nobody,), says="the others, double strikers, damage goes on the stack"),
        Step("end_of_combat", "End of combat", "311", (
            Window("311.1", doc="abilities that trigger at end of combat"),
            Act("remove_from_combat", "Leave combat", "311.2", doc="everything in combat does",
                says="then all leave combat"),
        )),
    ), clears="combat")
    postcombat_main = Phase("postcombat_main", "Second main", "305", (
        Step("postcombat_main", "Postcombat main", "305.1", (Window("305.3", doc=main),)),
    ), family="main", extra_rule="305.1", swap=Swap(
        "precombat_main", "not main_phase_begun", "305.1", "the first main phase that really begins is precombat",
    ))
    end = Phase("end", "End", "312", (
        Step("end_of_turn", "End of turn", "313", (
            Window("313.1", doc="abilities that trigger at end of turn and were there as it began"),
        )),
        Step("cleanup", "Cleanup", "314", (
            Act("discard_to_hand_size", "Discard to hand size", "314.1", doc="the active player does"),
            Act("remove_damage_and_end_effects", "Damage and effects off", "314.2", ends="end_of_turn",
                doc="damage comes off all permanents, at the same time", says="damage wears off"),
            Window("314.3", "conditional", doc="abilities that wait"),
            *([Again("cleanup_owed", "314.3", "the one after that in which the turn was ended",
                     do=("clear(cleanup)",), says="one more after the turn was ended")] * owed),
            Again("window_opened", "314.3", "a state-based effect or a trigger: another cleanup step",
                  says="if something happened: another Cleanup"),
        )),
    ))
    return Table(
        name="magic-classic",
        title="Magic, classic",
        edition=f"CR {edition}",
        rulebook=now.rulebook,
        phases=(beginning, precombat_main, combat, postcombat_main, end),
        rules=rules(burn_first=burn_before_durations_end),
        window=priority_window("magic-classic", edition=f"CR {edition}", rules=PRIORITY),
        facts=facts(
            now,
            put_in_attacking=now.put_in_counts,
            damage_assigned=not empty_damage_object,
            team_turns=one_draws,
            sba_performed=procedure,
            combat_under_way=procedure,
            end_under_way=procedure,
            active_left=leaving_ends,
            cleanup_owed=owed,
        ),
        events=(*([END_TURN] if now.turn_can_be_ended else []), PLAYER_LEFT),
        states=(*(PROCEDURE if procedure else ()), GAME_OVER),
        transitions=(
            *(turn_is_ended(owed=owed) if now.turn_can_be_ended else ()),
            *(end_turn(burn_first=burn_before_durations_end, burn_in_end_phase=burn_as_the_turn_ends)
              if procedure else ()),
            *somebody_leaves(now, ends_turn=leaving_ends),
        ),
        durations=DURATIONS,
        settings=settings(now),
        options=(
            ("edition", edition),
            ("empty_damage_object", empty_damage_object),
            ("stopped_double_strike", stopped_double_strike),
            ("burn_before_durations_end", burn_before_durations_end),
            ("burn_as_the_turn_ends", burn_as_the_turn_ends),
            ("two_cleanups_after_time_stop", two_cleanups_after_time_stop),
            ("leaving_ends_the_turn", leaving_ends_the_turn),
            ("secondary_player_draws", secondary_player_draws),
        ),
    )
