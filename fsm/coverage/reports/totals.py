"""Totals over several machines: how many targets were taken, of how many that count."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.coverage.criteria import criterion
from fsm.coverage.target import Coverage, Key, Result, Target
from fsm.errors import CoverageError
from fsm.wording import few


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


def own_missing(result: Result, coverage: Coverage) -> list[Target]:
    """Return the missing targets of a criterion that do not need a transition that is missing
    itself.
    """
    gone = {
        target.key for c in result.coverages if c.criterion == "transitions" for target in c.missing
    }
    return [
        t
        for t in coverage.missing
        if coverage.criterion == "transitions" or not _goes_with(t, gone)
    ]


def transitions_of(target: Target) -> list[str]:
    """Return the ids of the transitions that are part of a target. For a state, it is the id of the
    state.
    """
    return re.split(" where | needs: ", target.id)[0].split(" ; ")


def _goes_with(target: Target, gone: Collection[Key]) -> bool:
    """Whether this target can be taken only by transitions that are missing themselves."""
    if target.id.endswith((" fails", " does not fire")):
        return False
    return any((target.machine, id) in gone for id in transitions_of(target))


WORST = 3
"""Of a total that is too low, at most this many coverages are named."""
MOST = 5
"""At most this many machines below the floor of one criterion are named."""


@dataclass(frozen=True, slots=True)
class Floor:
    """The least share, in percent, for one criterion, or of the total of all criteria if
    `criterion` is "".
    """

    criterion: str
    percent: float


def floors_asked(texts: Iterable[str]) -> tuple[Floor, ...]:
    """Read texts such as "90" or "transitions=100,pairs=80". Raises CoverageError for anything
    else.
    """
    return tuple(_floor(part) for text in texts for part in split(text))


def _floor(text: str) -> Floor:
    name, equals, number = text.rpartition("=")
    if equals:
        criterion(name)
    try:
        percent = float(number.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise CoverageError(
            f"{text!r} is no share in percent; write 90, or transitions=100,pairs=80"
        )
    return Floor(name, percent)


def below(results: Iterable[Result], floors: Iterable[Floor]) -> tuple[str, ...]:
    """Return a problem for each floor that is not reached, and for what could not be measured.

    A problem that names several machines has more than one line. If nothing was recorded, no floor
    is reached.
    """
    floors, results = tuple(floors), tuple(results)
    if floors and not results:
        return ("nothing was recorded of any machine",)
    found = [
        line for floor in floors for line in (*_unmeasured(results, floor), *_below(results, floor))
    ]
    return tuple(dict.fromkeys(found))


def _unmeasured(results: Sequence[Result], floor: Floor) -> Iterator[str]:
    for result in results:
        names = [floor.criterion] if floor.criterion else list(result.refused)
        for name in names:
            if result.by(name) is None:
                why = result.refused.get(name, "it is not among the criteria")
                yield f"{result.name}: {name} is not measured: {why}"


def _below(results: Sequence[Result], floor: Floor) -> Iterator[str]:
    """Compare one total with the floor: of everything, or of one criterion in each machine."""
    found = [(r, c) for r in results for c in r.coverages if floor.criterion in ("", c.criterion)]
    low = [(r, c) for r, c in found if c.share * 100 < floor.percent]
    low.sort(key=lambda each: each[1].share)
    if not floor.criterion:
        total = total_of(c for _, c in found)
        if total.share * 100 < floor.percent:
            worst = [f"{r.name} {c.criterion} {percent(c.share)}" for r, c in low]
            yield f"total {total} is below {floor.percent:g}%; the least: {few(worst, WORST)}"
    elif len(low) == 1:
        [(result, coverage)] = low
        yield f"{result.name}: {floor.criterion} {total_of([coverage])} is below {floor.percent:g}%"
    elif low:
        head = (
            f"{floor.criterion}: {len(low)} of {len(found)} machines are below {floor.percent:g}%"
        )
        rest = [f"and {len(low) - MOST} more"] if len(low) > MOST else []
        yield "\n    ".join([head, *(f"{r.name}: {total_of([c])}" for r, c in low[:MOST]), *rest])


def split(text: str) -> list[str]:
    """Split a text such as "a, b"."""
    return [part.strip() for part in text.split(",") if part.strip()]
