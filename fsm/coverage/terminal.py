"""The report for the terminal: one line for each machine and, if asked for, the missing targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.coverage.results import criteria_of, own_missing, total_of
from fsm.coverage.target import Coverage, Kind, Result, Target, percent
from fsm.coverage.ways import way_text, way_to
from fsm.wording import citation

MOST_MACHINES = 20
MOST_MISSING = 12
NOTED: dict[Kind, str] = {
    "impossible": "proved impossible and left out",
    "allowed": "allowed to be missing and left out",
    "refuted": "held impossible, but taken",
}
STATES = 5
"""At most this many states of a path are printed."""


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
    yield from dict.fromkeys(f"{result.name}: {n}" for result in shown for n in _notes(result))
    for result in shown if missing else ():
        for coverage in result.coverages:
            yield from _missing(result, coverage)


def _aligned(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for name, *cells in rows:
        line = [name.ljust(widths[0])]
        line += [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  ".join(line).rstrip()


def table(results: Sequence[Result], most: int) -> list[list[str]]:
    """Return the cells of the table: a head, the first machines, and the total if there are several
    machines.
    """
    names = criteria_of(results)
    rows = [["", *names]]
    rows += [[r.name, *(_cell([r.by(name)]) for name in names)] for r in results[:most]]
    if len(results) > 1:
        rows.append(["total", *(_cell([r.by(name) for r in results]) for name in names)])
    return rows


def _cell(coverages: Sequence[Coverage | None]) -> str:
    known = [coverage for coverage in coverages if coverage is not None]
    taken, asked = total_of(known)
    share = percent(taken / asked if asked else 1.0)
    return f"{taken}/{asked} {share:>5}" if known else "refused"


def _notes(result: Result) -> Iterator[str]:
    for kind, said in NOTED.items():
        counts = [(len(coverage.of(kind)), coverage.criterion) for coverage in result.coverages]
        if any(count for count, _ in counts):
            yield f"{said}: {', '.join(f'{n} {criterion}' for n, criterion in counts if n)}"
    yield from result.notes
    yield from (f"not measured: {why}" for why in result.refused.values())


def _missing(result: Result, coverage: Coverage) -> Iterator[str]:
    own = own_missing(result, coverage)
    count, others = len(coverage.missing), len(coverage.missing) - len(own)
    items = list(_items(result, coverage.criterion, own))
    head = f"{result.name}: {len(coverage.covered)} of {coverage.asked} {coverage.criterion}"
    if count == len(own) == 1:
        yield from ("", f"{head}; missing: {items[0].lstrip()}", *items[1:])
    elif count:
        also = f" ({others} of them through transitions that are not taken)" if others else ""
        yield from ("", f"{head}; missing: {count}{also}", *items)


def _items(result: Result, criterion: str, targets: Sequence[Target]) -> Iterator[str]:
    """Yield the nearest targets first, each with a path to it."""
    ways = {t.key: way_to(result.model, criterion, t) for t in targets}
    nearest = sorted(targets, key=lambda t: len(ways[t.key]) or 10**6)
    for target in nearest[:MOST_MISSING]:
        window = "in the window: " if target.machine == "window" else ""
        yield f"  {window}{target.id}{citation(target.rule)}"
        way = way_text(result.model, ways[target.key], STATES)
        if way:
            yield f"      by {way}"
    if len(nearest) > MOST_MISSING:
        yield f"  and {len(nearest) - MOST_MISSING} more (all of them in the reports json and html)"
