"""Minimum coverage: reads it from an option, and finds what does not reach it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.coverage.criteria import criterion
from fsm.coverage.reports.options import split
from fsm.coverage.reports.totals import percent, total_of
from fsm.coverage.target import Result
from fsm.errors import CoverageError
from fsm.wording import few

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
