"""The least shares that are asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from fsm.coverage.criteria import criterion
from fsm.coverage.target import Result, percent, total_of
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
        lines = [*_below(results, floor)]
        found += lines[:MOST]
        if len(lines) > MOST:
            least = f"{floor.percent:g}%" + f" of {floor.criterion}" * bool(floor.criterion)
            found.append(f"and {len(lines) - MOST} more machines are below {least}")
    return found


def _below(results: Sequence[Result], floor: Floor) -> Iterator[str]:
    """Compare each machine with the floor of one criterion, or the total with that of all."""
    for result in results:
        for name, why in result.refused.items():
            if floor.criterion in ("", name):
                yield f"{result.name}: {name} is not measured: {why}"
        coverage = result.by(floor.criterion)
        if coverage is not None and coverage.share * 100 < floor.percent:
            said = total_of([coverage])
            yield f"{result.name}: {floor.criterion} {said} is below {floor.percent:g}%"
    total = total_of(chain.from_iterable(result.coverages for result in results))
    if not floor.criterion and total.share * 100 < floor.percent:
        worst = few(_worst(results, floor), WORST)
        yield f"total {total} is below {floor.percent:g}%; the least: {worst}"


def _worst(results: Sequence[Result], floor: Floor) -> list[str]:
    """Return the coverages below the floor, the least first."""
    found = list[tuple[float, str]]()
    for result in results:
        found += [(c.share, f"{result.name} {c.criterion}") for c in result.coverages]
    return [
        f"{what} {percent(share)}" for share, what in sorted(found) if share * 100 < floor.percent
    ]
