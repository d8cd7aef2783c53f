"""The least shares that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fsm.coverage.criteria import criterion
from fsm.coverage.results import total_of
from fsm.coverage.target import Result, percent
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

    If nothing was recorded, no floor is reached.
    """
    if floors and not results:
        return ["nothing was recorded of any machine"]
    found = list[str]()
    for floor in floors:
        if floor.criterion:
            lines = [line for result in results for line in _below(result, floor)]
            found += lines[:MOST]
            if len(lines) > MOST:
                least = f"{floor.percent:g}% of {floor.criterion}"
                found.append(f"and {len(lines) - MOST} more machines are below {least}")
        else:
            found += _total_below(results, floor.percent)
    return found


def _below(result: Result, floor: Floor) -> Iterator[str]:
    """Compare one criterion of a machine with the floor."""
    coverage = result.by(floor.criterion)
    if coverage is None:
        why = result.refused.get(floor.criterion, "it is not among the criteria")
        yield f"{result.name}: {floor.criterion} is not measured: {why}"
    elif coverage.share * 100 < floor.percent:
        said = _said(len(coverage.covered), coverage.asked)
        yield f"{result.name}: {floor.criterion} {said} is below {floor.percent:g}%"


def _total_below(results: Sequence[Result], least: float) -> Iterator[str]:
    """Compare the total of everything with a floor. What could not be measured is below it."""
    for result in results:
        for name, why in result.refused.items():
            yield f"{result.name}: {name} is not measured: {why}"
    found = [(c.share, f"{r.name} {c.criterion}") for r in results for c in r.coverages]
    taken, asked = total_of(c for result in results for c in result.coverages)
    if taken * 100 < least * asked:
        worst = [f"{what} {percent(share)}" for share, what in sorted(found) if share * 100 < least]
        said = _said(taken, asked)
        yield f"total {said} is below {least:g}%; the least: {few(worst, WORST)}"


def _said(taken: int, asked: int) -> str:
    return f"{percent(taken / asked if asked else 1.0)} ({taken} of {asked})"
