"""Minimum coverage: reads it from an option, and finds what does not reach it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.coverage.criteria import criterion
from fsm.coverage.reports.options import split
from fsm.coverage.reports.results import percent
from fsm.coverage.target import Result
from fsm.errors import CoverageError


@dataclass(frozen=True, slots=True)
class Floor:
    """The least share, in percent, for one criterion, or for all criteria if `criterion` is ""."""

    criterion: str
    percent: float


def floors_asked(texts: Iterable[str]) -> tuple[Floor, ...]:
    """Read texts such as "90" or "transitions=100,pairs=80". Raises CoverageError for anything else."""
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
        raise CoverageError(f"{text!r} is no share in percent; write 90, or transitions=100,pairs=80")
    return Floor(name, percent)


def below(results: Iterable[Result], floors: Iterable[Floor]) -> tuple[str, ...]:
    """Return one sentence for each coverage below a floor. If nothing was recorded, no floor is reached."""
    floors, results = tuple(floors), tuple(results)
    if floors and not results:
        return ("nothing was recorded of any machine",)
    return tuple(line for result in results for floor in floors for line in _below(result, floor))


def _below(result: Result, floor: Floor) -> Iterable[str]:
    names = [floor.criterion] if floor.criterion else [*(c.criterion for c in result.coverages), *result.refused]
    for name in names:
        coverage = result.by(name)
        if coverage is None:
            yield f"{result.name}: {name} is not measured: {result.refused.get(name, 'it is not among the criteria')}"
        elif coverage.share * 100 < floor.percent:
            taken = f"{len(coverage.covered)} of {coverage.asked}"
            yield f"{result.name}: {name} {percent(coverage)} ({taken}) is below {floor.percent:g}%"
