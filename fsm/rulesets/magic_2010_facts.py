"""The words the table of 2010 uses: the facts its guards read, durations, and settings of a game."""

from __future__ import annotations

from fsm.model import Duration, Fact, Setting, Timing


def _game(name: str, doc: str, rule: str, timing: Timing = "live", scope: str = "", about: str = "combat") -> Fact:
    return Fact(name, doc, rule, "game", timing, scope, about)


def _agenda(name: str, doc: str, rule: str, *test: str) -> Fact:
    return Fact(name, doc, rule, "agenda", about="this turn", test=test)


def _controller(name: str, doc: str, rule: str, *test: str) -> Fact:
    return Fact(name, doc, rule, "controller", about="the game", test=test)


def facts(**optional: bool) -> tuple[Fact, ...]:
    """The facts of the table; the `optional` ones, by name, only when an option reads them."""
    return tuple(fact for fact in _FACTS if optional.get(fact.name, True))


_FACTS = (
    _game("attackers_declared", "a creature was declared as an attacker this combat", "508.6", "latched", "combat"),
    _game("put_in_attacking", "a creature was put onto the battlefield attacking", "508.6", "latched", "combat"),
    _game("first_strike_in_combat", "an attacker or blocker has first or double strike", "510.5", "once"),
    _game("sba_performed", "a state-based action was performed", "704.3", about="state-based actions"),
    _controller("several_opponents", "there is more than one opponent to attack", "507.1", "more_sides_than", "2"),
    _controller("several_sides_left", "at least two players or teams are left", "104.2a", "more_sides_than", "1"),
    _controller("first_turn", "this is the starting player's first turn", "103.7a", "starters_turn_is", "1"),
    _controller("first_draw_skipped", "the first draw step is skipped", "103.7a", "setting", "first_draw_skipped"),
    _agenda("main_phase_begun", "a main phase has begun this turn", "505.1a", "begun", "phase", "main"),
    _agenda("combat_under_way", "the game is in a combat phase", "712.1a", "phase_under_way", "combat"),
    _agenda("ending_under_way", "the game is in an ending phase", "712.1c", "phase_under_way", "ending"),
    _agenda("cleanup_begun", "a cleanup step has begun this turn", "712.1c", "begun", "step", "cleanup"),
    Fact("window_opened", "somebody received priority in this window", "514.3a", "controller", "latched", "window"),
)

DURATIONS = (
    Duration("end_of_turn", "mark", "end_of_turn", rule="514.2", doc="until end of turn, this turn"),
    Duration("end_of_combat", "mark", "end_of_combat", rule="500.5", doc="until end of combat"),
    Duration("your_next_turn", "begin", "turn", "yours", rule="611.2a", doc="until your next turn"),
    Duration("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next", "514.2",
             "until the end of your next turn"),
    Duration("your_next_upkeep", "begin", "upkeep", "yours", rule="611.2a", doc="until your next upkeep"),
    Duration("your_next_end_step", "begin", "end", "yours", rule="611.2a", doc="until your next end step"),
    Duration("end_of_combat_on_your_next_turn", "mark", "end_of_combat", "yours", "next", "500.5",
             "until end of combat on your next turn"),
)

SETTINGS = (
    Setting("first_draw_skipped", "the starting player or team skips the first draw step", "103.7a", sides=2),
)
