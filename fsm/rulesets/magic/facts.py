"""The words Magic's table uses: the facts its guards read, durations, and settings of a game."""

from __future__ import annotations

from typing import Literal

from fsm.model import Duration, Fact, Setting
from fsm.rulesets.frame.rows import agenda_fact, controller_fact, game_fact


def facts(**optional: bool) -> tuple[Fact, ...]:
    """The facts of Magic's table; the `optional` ones, by name, only when an option reads them."""
    return tuple(fact for fact in _FACTS if optional.get(fact.name, True))


_FACTS = (
    game_fact("attackers_declared", "a creature was declared as an attacker this combat", "508.8", "latched", "combat",
              says="a creature attacks", denies="nobody attacks"),
    game_fact("put_in_attacking", "a creature was put onto the battlefield attacking", "508.8", "latched", "combat",
              says="a creature is put in attacking", denies="none is put in attacking"),
    game_fact("stated_attacking", "an effect stated that a creature is attacking", "508.4", "latched", "combat",
              says="an effect says that a creature attacks", denies="no effect says that a creature attacks"),
    game_fact("first_strike_in_combat", "an attacker or blocker has first or double strike", "510.4", "once",
              says="a fighter has first or double strike", denies="nobody has first or double strike"),
    game_fact("sba_performed", "a state-based action was performed", "704.3", about="state-based actions",
              says="something happened by itself, such as a creature dying", denies="nothing happened by itself"),
    controller_fact("several_opponents", "there is more than one opponent to attack", "507.1", "more_sides_than", "2",
                    says="there are several opponents", denies="there is only one opponent"),
    controller_fact("several_sides_left", "at least two players or teams are left", "104.2a", "more_sides_than", "1",
                    says="several sides are left", denies="one side is left"),
    controller_fact("first_turn", "this is the starting player's first turn", "103.8", "starters_turn_is", "1",
                    says="this is the first turn of the one who starts", denies="this is a later turn"),
    controller_fact("all_defend", "every opponent is a defending player", "802.2", "setting",
                    "attack_multiple_players", says="every opponent may be attacked",
                    denies="only one opponent may be attacked"),
    controller_fact("first_draw_skipped", "the starting player or team skips the first draw step", "103.8", "setting",
                    "first_draw_skipped", says="nobody draws on that turn", denies="a card is drawn on that turn"),
    controller_fact("team_turns", "the players of a team take their turns together", "103.8b", "shared_turns",
                    says="the players of a team take their turns together", denies="each player takes turns alone"),
    agenda_fact("extra_draw", "this draw step is an extra one", "103.8a", "inside_any_extra",
                says="this draw step is an extra one", denies="this draw step is not an extra one"),
    agenda_fact("main_phase_begun", "a main phase has begun this turn", "505.1a", "begun", "phase", "main",
                says="a main phase has begun this turn", denies="no main phase has begun this turn"),
    agenda_fact("first_main_skipped", "the first main phase was skipped", "505.1a", "missed", "precombat_main"),
    agenda_fact("combat_under_way", "the game is in a combat phase", "723.2", "phase_under_way", "combat",
                says="the game is in combat", denies="the game is not in combat"),
    agenda_fact("ending_under_way", "the game is in an ending phase", "723.1d", "phase_under_way", "ending",
                says="the turn is ending", denies="the turn is not ending yet"),
    Fact("window_opened", "somebody received priority in this window", "514.3a", "controller", "latched", "window",
         says="something happened", denies="nothing happened"),
)


def durations(
    *,
    begin: str = "500.4",
    wears_off: str = "514.2",
    combat: str = "500.5a",
    end_step: str = "end",
    combat_ends: Literal["end", "mark"] = "end",
) -> tuple[Duration, ...]:
    """Magic's durations, by the rules on what lasts until a step begins, until end of turn, until
    end of combat.

    `combat_ends`: what lasts until end of combat is over as the phase ends, or where the table
    marks it.
    What lasts until end of combat on your next turn is over with that turn at the latest. No rule
    says what becomes of it if that turn has no combat.
    """
    next_turn, next_combat = "until the end of your next turn", "until end of combat on your next turn"
    what = "combat" if combat_ends == "end" else "end_of_combat"
    return (
        Duration("end_of_turn", "mark", "end_of_turn", rule=wears_off, doc="until end of turn"),
        Duration("end_of_combat", combat_ends, what, rule=combat, doc="until end of combat"),
        Duration("your_next_turn", "begin", "turn", "yours", rule=begin, doc="until your next turn"),
        Duration("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next", wears_off, next_turn),
        Duration("your_next_upkeep", "begin", "upkeep", "yours", rule=begin, doc="until your next upkeep"),
        Duration("your_next_end_step", "begin", end_step, "yours", rule=begin, doc="until your next end step"),
        Duration(
            "end_of_combat_on_your_next_turn", combat_ends, what, "yours", "next", combat, next_combat
        ),
    )


SETTINGS = (
    Setting("first_draw_skipped", "the starting player or team skips the first draw step", "103.8a, 103.8b, 103.8c",
            sides=2, even=True),
    Setting("attack_multiple_players", "every opponent is a defending player, and none is chosen", "802.2"),
)
