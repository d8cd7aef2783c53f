"""What a bar found, and how much effort is spent on finding it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from fsm.errors import FsmError

Bound = Literal["at most", "at least"]


class BenchError(FsmError):
    """A bar cannot be measured: it is unknown, or what is to be compared does not do the same."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How long measuring takes: `rounds`, in each about `seconds` for each contender.

    `turns` of the graph are played over and over, `games` are held in memory, `processes` started
    for each thing that is measured in processes of its own, and `random_games` spread over
    processes.
    """

    rounds: int = 11
    seconds: float = 0.05
    turns: int = 40
    games: int = 10_000
    processes: int = 21
    random_games: int = 800

    def with_rounds(self, rounds: int | None) -> Effort:
        """The same, with so many rounds; None leaves it as it is."""
        return self if rounds is None else replace(self, rounds=rounds, processes=rounds)


FULL = Effort()
QUICK = Effort(rounds=3, seconds=0.005, turns=10, games=200, processes=5, random_games=40)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the report: an entry measured, what it is held against, and whether the limit is
    met.

    `ours` and `reference` are in `unit`. With a `ratio` the limit is for it: how many times as long
    as the reference ("at most"), or how many times faster than it ("at least"). Without, the limit
    is for `ours`; None when no limit is set.
    """

    bar: str
    entry: str
    unit: str
    limit: float | None
    ours: float | None = None
    against: str = ""
    reference: float | None = None
    ratio: float | None = None
    bound: Bound = "at most"
    relative: bool = False
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Is the limit met? None when there is none, and when nothing was measured, or nothing to
        measure against.
        """
        found = self.ratio if self.relative else self.ours
        if found is None or self.limit is None:
            return None
        return found <= self.limit if self.bound == "at most" else found >= self.limit
