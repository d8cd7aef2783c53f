"""Totals over several machines: how many targets were taken, of how many that count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.coverage.target import Coverage, Result


@dataclass(frozen=True, slots=True)
class Total:
    """How many targets were taken, and how many count: those that were taken and those that are
    missing.
    """

    taken: int
    asked: int

    @property
    def share(self) -> float:
        """The share that was taken, from 0 to 1. It is 1.0 if no target counts."""
        return self.taken / self.asked if self.asked else 1.0

    def __str__(self) -> str:
        return f"{percent(self.share)} ({self.taken} of {self.asked})"


def total_of(coverages: Iterable[Coverage]) -> Total:
    """Return the total of these coverages."""
    found = tuple(coverages)
    return Total(sum(len(c.covered) for c in found), sum(c.asked for c in found))


def criteria_of(results: Iterable[Result]) -> tuple[str, ...]:
    """Return the criteria of these results in their order, with those that cannot be measured last
    for each machine.
    """
    return tuple(
        dict.fromkeys(c for r in results for c in (*(x.criterion for x in r.coverages), *r.refused))
    )


def percent(share: float) -> str:
    """Return a share in percent, rounded down, so that 100% means all."""
    found = int(share * 1000) / 10
    return f"{found:.0f}%" if found == int(found) else f"{found:.1f}%"
