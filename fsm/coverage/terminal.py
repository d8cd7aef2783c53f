"""The report for the terminal: one line for each machine and, if asked for, the missing targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.coverage.lists import missing_in, table
from fsm.coverage.target import Kind, Result

MOST_MACHINES = 20
MOST_MISSING = 12
NOTED: dict[Kind, str] = {
    "impossible": "proved impossible and left out",
    "allowed": "allowed to be missing and left out",
    "refuted": "held impossible, but taken",
}


def lines(results: Sequence[Result], *, missing: bool = False) -> Iterator[str]:
    """Yield the lines of the report: a table, notes, and with `missing` the nearest missing targets
    with a path.
    """
    if not results:
        yield "nothing was recorded of any machine"
        return
    yield from _aligned(table(results, MOST_MACHINES))
    if len(results) > MOST_MACHINES:
        yield f"and {len(results) - MOST_MACHINES} more machines, of which less was recorded"
    shown = results[:MOST_MACHINES]
    for result in shown:
        yield from (f"{result.name}: {note}" for note in _notes(result))
    for result in shown if missing else ():
        yield from _missing(result)


def _missing(result: Result) -> Iterator[str]:
    for list in missing_in(result, MOST_MISSING):
        yield from ("", list.head)
        for text, way in list.targets:
            yield f"  {text}"
            if way:
                yield f"      by {way}"
        if list.left:
            yield f"  and {list.left} more (all of them in the reports json and html)"


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        line = [name.ljust(widths[0])]
        line += [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  ".join(line).rstrip()


def _notes(result: Result) -> Iterator[str]:
    for kind, said in NOTED.items():
        counts = [(len(coverage.of(kind)), coverage.criterion) for coverage in result.coverages]
        told = [f"{number} {criterion}" for number, criterion in counts if number]
        if told:
            yield f"{said}: {', '.join(told)}"
    yield from result.notes
    yield from (f"not measured: {why}" for why in result.refused.values())
