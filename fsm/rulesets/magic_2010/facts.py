"""The words the table of 2010 uses: the facts its guards read, durations, and settings of a game."""

from __future__ import annotations

from fsm.model import Fact, Setting
from fsm.rulesets.frame.rows import agenda_fact, controller_fact, game_fact
from fsm.rulesets.magic.facts import durations


def facts(**optional: bool) -> tuple[Fact, ...]:
    """The facts of the table; the `optional` ones, by name, only when an option reads them."""
    return tuple(fact for fact in _FACTS if optional.get(fact.name, True))


_FACTS = (
    game_fact("attackers_declared", "a creature was declared as an attacker this combat", "508.6", "latched", "combat",
              says="a creature attacks", denies="nobody attacks"),
    game_fact("put_in_attacking", "a creature was put onto the battlefield attacking", "508.6", "latched", "combat",
              says="a creature is put in attacking", denies="none is put in attacking"),
    game_fact("first_strike_in_combat", "an attacker or blocker has first or double strike", "510.5", "once",
              says="a fighter has first or double strike", denies="nobody has first or double strike"),
    game_fact("sba_performed", "a state-based action was performed", "704.3", about="state-based actions",
              says="something happened by itself, such as a creature dying", denies="nothing happened by itself"),
    controller_fact("several_opponents", "there is more than one opponent to attack", "507.1", "more_sides_than", "2",
                    says="there are several opponents", denies="there is only one opponent"),
    controller_fact("several_sides_left", "at least two players or teams are left", "104.2a", "more_sides_than", "1",
                    says="several sides are left", denies="one side is left"),
    controller_fact("first_turn", "this is the starting player's first turn", "103.7a", "starters_turn_is", "1",
                    says="this is the first turn of the one who starts", denies="this is a later turn"),
    controller_fact("first_draw_skipped", "the starting player skips the first draw step", "103.7a", "setting",
                    "first_draw_skipped", says="nobody draws on that turn", denies="a card is drawn on that turn"),
    agenda_fact("extra_draw", "this draw step is an extra one", "103.7a", "inside_any_extra",
                says="this draw step is an extra one", denies="this draw step is not an extra one"),
    agenda_fact("main_phase_begun", "a main phase has begun this turn", "505.1a", "begun", "phase", "main",
                says="a main phase has begun this turn", denies="no main phase has begun this turn"),
    agenda_fact("combat_under_way", "the game is in a combat phase", "712.1a", "phase_under_way", "combat",
                says="the game is in combat", denies="the game is not in combat"),
    agenda_fact("ending_under_way", "the game is in an ending phase", "712.1c", "phase_under_way", "ending",
                says="the turn is ending", denies="the turn is not ending yet"),
    agenda_fact("cleanup_begun", "a cleanup step has begun this turn", "712.1c", "begun", "step", "cleanup"),
    Fact("window_opened", "somebody received priority in this window", "514.3a", "controller", "latched", "window",
         says="something happened", denies="nothing happened"),
)

DURATIONS = durations(begin="611.2a", wears_off="514.2", combat="500.5", combat_ends="mark")

SETTINGS = (
    Setting("first_draw_skipped", "the starting player or team skips the first draw step", "103.7a",
            sides=2, even=True),
)
