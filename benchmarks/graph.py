"""The turn graph that every engine runs: thirteen states, one event; as data and by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

EVENT = "advance"
PHASES = {
    "beginning": ("untap", "upkeep", "draw"),
    "first_main": ("precombat_main",),
    "combat": (
        "beginning_of_combat",
        "declare_attackers",
        "declare_blockers",
        "first_strike_damage",
        "combat_damage",
        "end_of_combat",
    ),
    "second_main": ("postcombat_main",),
    "ending": ("end", "cleanup"),
}
STATES = tuple(state for states in PHASES.values() for state in states)
INITIAL = STATES[0]


class Edge(NamedTuple):
    """One arrow on the event; the first whose guard (a method of `Game`, "" always holds) is true
    is taken.
    """

    source: str
    target: str
    guard: str = ""


EDGES = (
    Edge("untap", "upkeep"),
    Edge("upkeep", "draw"),
    Edge("draw", "precombat_main"),
    Edge("precombat_main", "beginning_of_combat"),
    Edge("beginning_of_combat", "declare_attackers"),
    Edge("declare_attackers", "end_of_combat", "no_attackers"),
    Edge("declare_attackers", "declare_blockers"),
    Edge("declare_blockers", "first_strike_damage", "first_strike"),
    Edge("declare_blockers", "combat_damage"),
    Edge("first_strike_damage", "combat_damage"),
    Edge("combat_damage", "end_of_combat"),
    Edge("end_of_combat", "postcombat_main"),
    Edge("postcombat_main", "end"),
    Edge("end", "cleanup"),
    Edge("cleanup", "cleanup", "cleanup_again"),
    Edge("cleanup", "untap"),
)


class Facts(NamedTuple):
    """What one turn's guards will answer, and how many events the turn takes."""

    attackers: bool
    first_strike: bool
    cleanups: int
    events: int


def facts(turns: int) -> tuple[Facts, ...]:
    """The facts of so many turns, always the same."""
    random = Random(269)
    return tuple(_turn(random) for _ in range(turns))


def _turn(random: Random) -> Facts:
    attackers, first_strike = random.random() < 0.6, random.random() < 0.3
    cleanups = random.choices((1, 2, 3), (90, 8, 2))[0]
    combat = (2 + first_strike) if attackers else 0
    return Facts(attackers, first_strike, cleanups, 9 + combat + cleanups)


class Game:
    """What every engine drives: guards that read the turn's facts, and `enter_STATE`, which counts
    visits.
    """

    def __init__(self) -> None:
        self.visits = [0] * len(STATES)
        self.attackers = False
        self.striking_first = False
        self.cleanups = 0

    def no_attackers(self) -> bool:
        return not self.attackers

    def first_strike(self) -> bool:
        return self.striking_first

    def cleanup_again(self) -> bool:
        return self.cleanups > 0

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Callable[[], None]: ...


def _counting(number: int) -> Callable[[Game], None]:
    def enter(game: Game) -> None:
        game.visits[number] += 1
        if number == LAST:
            game.cleanups -= 1

    return enter


LAST = len(STATES) - 1
for _number, _state in enumerate(STATES):
    setattr(Game, f"enter_{_state}", _counting(_number))


class HandWritten(Game):
    """The graph written by hand, one branch for each state, with the same guards and callbacks."""

    def __init__(self) -> None:
        super().__init__()
        self.state = "untap"

    def advance(self) -> None:  # noqa: C901, PLR0915 - written as by hand
        """Make the one event happen."""
        state = self.state
        if state == "untap":
            self.state = "upkeep"
            self.enter_upkeep()
        elif state == "upkeep":
            self.state = "draw"
            self.enter_draw()
        elif state == "draw":
            self.state = "precombat_main"
            self.enter_precombat_main()
        elif state == "precombat_main":
            self.state = "beginning_of_combat"
            self.enter_beginning_of_combat()
        elif state == "beginning_of_combat":
            self.state = "declare_attackers"
            self.enter_declare_attackers()
        elif state == "declare_attackers":
            if self.no_attackers():
                self.state = "end_of_combat"
                self.enter_end_of_combat()
            else:
                self.state = "declare_blockers"
                self.enter_declare_blockers()
        elif state == "declare_blockers":
            if self.first_strike():
                self.state = "first_strike_damage"
                self.enter_first_strike_damage()
            else:
                self.state = "combat_damage"
                self.enter_combat_damage()
        elif state == "first_strike_damage":
            self.state = "combat_damage"
            self.enter_combat_damage()
        elif state == "combat_damage":
            self.state = "end_of_combat"
            self.enter_end_of_combat()
        elif state == "end_of_combat":
            self.state = "postcombat_main"
            self.enter_postcombat_main()
        elif state == "postcombat_main":
            self.state = "end"
            self.enter_end()
        elif state == "end":
            self.state = "cleanup"
            self.enter_cleanup()
        elif state == "cleanup":
            if self.cleanup_again():
                self.state = "cleanup"
                self.enter_cleanup()
            else:
                self.state = "untap"
                self.enter_untap()


Live = tuple[Game, Callable[[], object]]
"""A game of an engine, and what makes the event happen in it."""


def by_hand() -> Live:
    """The graph as `if` and `elif`."""
    game = HandWritten()
    return game, game.advance


def play(game: Game, advance: Callable[[], object], turns: Sequence[Facts]) -> None:
    """Play these turns: the same loop for every engine; `advance` makes the event happen."""
    for turn in turns:
        game.attackers, game.striking_first = turn.attackers, turn.first_strike
        game.cleanups = turn.cleanups
        for _ in range(turn.events):
            advance()


def described() -> dict[str, Any]:
    """The graph as arguments of `transitions.Machine`."""
    rows = ({"source": e.source, "dest": e.target, "conditions": e.guard or None} for e in EDGES)
    return {
        "states": [{"name": state, "on_enter": f"enter_{state}"} for state in STATES],
        "transitions": [{"trigger": EVENT, **row} for row in rows],
        "initial": INITIAL,
        "auto_transitions": False,
    }
