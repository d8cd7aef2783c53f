"""The least shares that are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from fsm.coverage.criteria import criterion
from fsm.coverage.results import total_of
from fsm.coverage.target import Coverage, Result, percent
from fsm.errors import CoverageError
from fsm.wording import few

WORST = 3
"""Of a total that is too low, at most this many coverages are named."""
MOST = 5
"""At most this many machines below the floor of one criterion are named."""


class Floor(NamedTuple):
    """The least share, in percent, for one criterion, or of the total of all criteria if
    `criterion` is "".
    """

    criterion: str
    percent: float


def floor_asked(text: str) -> Floor:
    """Read a text such as "90" or "transitions=100". Raises CoverageError for anything else."""
    name, equals, number = text.rpartition("=")
    if equals:
        criterion(name)
    try:
        percent = float(number.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        hint = "write 90, or transitions=100,pairs=80"
        raise CoverageError(f"{text!r} is no share in percent; {hint}")
    return Floor(name, percent)


def below(results: Sequence[Result], floors: Sequence[Floor]) -> list[str]:
    """Return a problem for each floor that is not reached, and for what could not be measured.

    A problem that names several machines has more than one line. If nothing was recorded, no floor
    is reached.
    """
    if floors and not results:
        return ["nothing was recorded of any machine"]
    found = [
        line for floor in floors for line in (*_unmeasured(results, floor), *_below(results, floor))
    ]
    return list(dict.fromkeys(found))


def _unmeasured(results: Iterable[Result], floor: Floor) -> Iterator[str]:
    for result in results:
        for name in [floor.criterion] if floor.criterion else result.refused:
            if result.by(name) is None:
                why = result.refused.get(name, "it is not among the criteria")
                yield f"{result.name}: {name} is not measured: {why}"


def _below(results: Iterable[Result], floor: Floor) -> Iterator[str]:
    """Compare one total with the floor: of everything, or of one criterion in each machine."""
    found = [(c, r) for r in results for c in r.coverages if floor.criterion in ("", c.criterion)]
    low = [(c, r) for c, r in found if c.share * 100 < floor.percent]
    low.sort(key=lambda each: each[0].share)
    least = f"is below {floor.percent:g}%"
    if not floor.criterion:
        taken, asked = total_of(coverage for coverage, _ in found)
        if taken * 100 < floor.percent * asked:
            worst = [f"{r.name} {c.criterion} {percent(c.share)}" for c, r in low]
            yield f"total {_said(taken, asked)} {least}; the least: {few(worst, WORST)}"
    elif len(low) == 1:
        coverage, result = low[0]
        yield f"{result.name}: {floor.criterion} {_of(coverage)} {least}"
    elif low:
        head = (
            f"{floor.criterion}: {len(low)} of {len(found)} machines are below {floor.percent:g}%"
        )
        lines = [f"{result.name}: {_of(coverage)}" for coverage, result in low[:MOST]]
        lines += [f"and {len(low) - MOST} more"] if len(low) > MOST else []
        yield "\n    ".join([head, *lines])


def _of(coverage: Coverage) -> str:
    return _said(len(coverage.covered), coverage.asked)


def _said(taken: int, asked: int) -> str:
    return f"{percent(taken / asked if asked else 1.0)} ({taken} of {asked})"
