"""The words Magic's table uses: the facts its guards read, durations, and settings of a game."""

from __future__ import annotations

from fsm.model import Duration, Fact, Setting, Timing


def _game(name: str, doc: str, rule: str, timing: Timing = "live", scope: str = "", about: str = "combat") -> Fact:
    return Fact(name, doc, rule, "game", timing, scope, about)


def _agenda(name: str, doc: str, rule: str, *test: str) -> Fact:
    return Fact(name, doc, rule, "agenda", about="this turn", test=test)


def _controller(name: str, doc: str, rule: str, *test: str) -> Fact:
    return Fact(name, doc, rule, "controller", about="the game", test=test)


def facts(**optional: bool) -> tuple[Fact, ...]:
    """The facts of Magic's table; the `optional` ones, by name, only when an option reads them."""
    return tuple(fact for fact in _FACTS if optional.get(fact.name, True))


_FACTS = (
    _game("attackers_declared", "a creature was declared as an attacker this combat", "508.8", "latched", "combat"),
    _game("put_in_attacking", "a creature was put onto the battlefield attacking", "508.8", "latched", "combat"),
    _game("stated_attacking", "an effect stated that a creature is attacking", "508.4", "latched", "combat"),
    _game("first_strike_in_combat", "an attacker or blocker has first or double strike", "510.4", "once"),
    _game("sba_performed", "a state-based action was performed", "704.3", about="state-based actions"),
    _controller("several_opponents", "there is more than one opponent to attack", "507.1", "more_sides_than", "2"),
    _controller("several_sides_left", "at least two players or teams are left", "104.2a", "more_sides_than", "1"),
    _controller("first_turn", "this is the starting player's first turn", "103.8", "starters_turn_is", "1"),
    _controller("first_draw_skipped", "the first draw step is skipped", "103.8", "setting", "first_draw_skipped"),
    _agenda("extra_draw", "this draw step is an extra one", "103.8a", "inside_any_extra"),
    _agenda("main_phase_begun", "a main phase has begun this turn", "505.1a", "begun", "phase", "main"),
    _agenda("first_main_skipped", "the first main phase was skipped", "505.1a", "missed", "precombat_main"),
    _agenda("combat_under_way", "the game is in a combat phase", "723.2", "phase_under_way", "combat"),
    _agenda("ending_under_way", "the game is in an ending phase", "723.1d", "phase_under_way", "ending"),
    Fact("window_opened", "somebody received priority in this window", "514.3a", "controller", "latched", "window"),
)

DURATIONS = (
    Duration("end_of_turn", "mark", "end_of_turn", rule="514.2", doc="until end of turn, this turn"),
    Duration("end_of_combat", "end", "combat", rule="500.5a", doc="until end of combat, the phase"),
    Duration("your_next_turn", "begin", "turn", "yours", rule="500.4", doc="until your next turn"),
    Duration("end_of_your_next_turn", "mark", "end_of_turn", "yours", "next", "514.2",
             "until the end of your next turn"),
    Duration("your_next_upkeep", "begin", "upkeep", "yours", rule="500.4", doc="until your next upkeep"),
    Duration("your_next_end_step", "begin", "end", "yours", rule="500.4", doc="until your next end step"),
    Duration("end_of_combat_on_your_next_turn", "end", "combat", "yours", "next", "500.5a",
             "until end of combat on your next turn"),
)

SETTINGS = (
    Setting("first_draw_skipped", "the starting player or team skips the first draw step", "103.8", sides=2),
)
