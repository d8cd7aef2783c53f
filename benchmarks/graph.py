"""The turn graph every engine runs in the dispatch bars: thirteen states, one event, plain data.

It is a turn made small, not one of the rulesets: only enough for every engine to be built from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

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
GUARDS = tuple(edge.guard for edge in EDGES if edge.guard)


class Facts(NamedTuple):
    """What one turn's guards will answer, and how many events take the turn to the next untap step."""

    attackers: bool
    first_strike: bool
    cleanups: int
    events: int


def facts(turns: int, seed: int = 269) -> tuple[Facts, ...]:
    """The facts of so many turns, the same for the same seed."""
    random = Random(seed)
    return tuple(_turn(random) for _ in range(turns))


def _turn(random: Random) -> Facts:
    attackers, first_strike = random.random() < 0.6, random.random() < 0.3
    cleanups = random.choices((1, 2, 3), (90, 8, 2))[0]
    combat = (2 + first_strike) if attackers else 0
    return Facts(attackers, first_strike, cleanups, 9 + combat + cleanups)


class Game:
    """What every engine drives: guards that read the turn's facts, and callbacks that count visits.

    The callbacks take an argument that they ignore, for engines that hand one over.
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

    def enter_untap(self, _: object = None) -> None:
        self.visits[0] += 1

    def enter_upkeep(self, _: object = None) -> None:
        self.visits[1] += 1

    def enter_draw(self, _: object = None) -> None:
        self.visits[2] += 1

    def enter_precombat_main(self, _: object = None) -> None:
        self.visits[3] += 1

    def enter_beginning_of_combat(self, _: object = None) -> None:
        self.visits[4] += 1

    def enter_declare_attackers(self, _: object = None) -> None:
        self.visits[5] += 1

    def enter_declare_blockers(self, _: object = None) -> None:
        self.visits[6] += 1

    def enter_first_strike_damage(self, _: object = None) -> None:
        self.visits[7] += 1

    def enter_combat_damage(self, _: object = None) -> None:
        self.visits[8] += 1

    def enter_end_of_combat(self, _: object = None) -> None:
        self.visits[9] += 1

    def enter_postcombat_main(self, _: object = None) -> None:
        self.visits[10] += 1

    def enter_end(self, _: object = None) -> None:
        self.visits[11] += 1

    def enter_cleanup(self, _: object = None) -> None:
        self.visits[12] += 1
        self.cleanups -= 1


Live = tuple[Game, Callable[[], object]]
"""A game of an engine, and what makes the event happen in it."""


def play(game: Game, advance: Callable[[], object], turns: Sequence[Facts]) -> None:
    """Play these turns: the same loop for every engine; `advance` makes the event happen."""
    for turn in turns:
        game.attackers, game.striking_first, game.cleanups = (
            turn.attackers,
            turn.first_strike,
            turn.cleanups,
        )
        for _ in range(turn.events):
            advance()


def entering(state: str) -> str:
    """The name of the callback that counts visits of a state."""
    return f"enter_{state}"
