"""The report for the terminal: one line for each machine and, if asked for, the missing targets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.coverage.reports.totals import criteria_of, own_missing, percent, total_of
from fsm.coverage.reports.ways import way_text, way_to
from fsm.coverage.target import Coverage, Result, Target
from fsm.wording import citation

MOST_MACHINES = 20
MOST_MISSING = 12
STATES = 5
"""At most this many states of a path are printed."""


def lines(results: Sequence[Result], *, missing: bool = False) -> Iterator[str]:
    """Yield the lines of the report: a table, notes, and with `missing` the nearest missing targets
    with a path.
    """
    if not results:
        yield "nothing was recorded of any machine"
        return
    yield from _table(table(results, MOST_MACHINES))
    if len(results) > MOST_MACHINES:
        yield f"and {len(results) - MOST_MACHINES} more machines, of which less was recorded"
    yield from dict.fromkeys(note for result in results[:MOST_MACHINES] for note in _notes(result))
    for result in results[:MOST_MACHINES] if missing else ():
        yield from _missing(result)


def _table(rows: list[list[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = (f"{cell:{'>' if i else '<'}{widths[i]}}" for i, cell in enumerate(row))
        yield "  ".join([first, *rest]).rstrip()


def table(results: Sequence[Result], most: int) -> list[list[str]]:
    """Return the cells of the table: a head, the first machines, and the total if there are several
    machines.
    """
    names = criteria_of(results)
    rows = [["", *names], *([r.name, *(_cell([r.by(c)]) for c in names)] for r in results[:most])]
    return [
        *rows,
        *(
            [["total", *(_cell([r.by(c) for r in results]) for c in names)]]
            if len(results) > 1
            else []
        ),
    ]


def _cell(coverages: Sequence[Coverage | None]) -> str:
    known = [coverage for coverage in coverages if coverage is not None]
    if not known:
        return "refused"
    total = total_of(known)
    return f"{total.taken}/{total.asked} {percent(total.share):>5}"


def _notes(result: Result) -> Iterator[str]:
    cannot = [f"{len(c.infeasible)} {c.criterion}" for c in result.coverages if c.infeasible]
    if cannot:
        yield f"{result.name}: proved impossible and left out: {', '.join(cannot)}"
    may = [f"{len(c.excused)} {c.criterion}" for c in result.coverages if c.excused]
    if may:
        yield f"{result.name}: allowed to be missing and left out: {', '.join(may)}"
    for coverage in result.coverages:
        if coverage.refuted:
            yield f"{result.name}: {len(coverage.refuted)} {coverage.criterion} taken that were held impossible"
    yield from (f"{result.name}: {note}" for note in result.notes)
    yield from (f"{result.name}: not measured: {why}" for why in result.refused.values())


def _missing(result: Result) -> Iterator[str]:
    for coverage in result.coverages:
        own = own_missing(result, coverage)
        count, others = len(coverage.missing), len(coverage.missing) - len(own)
        items = list(_items(result, coverage.criterion, own))
        head = f"{result.name}: {len(coverage.covered)} of {coverage.asked} {coverage.criterion}; missing:"
        if count == len(own) == 1:
            yield from ("", f"{head} {items[0].lstrip()}", *items[1:])
        elif count:
            also = f" ({others} of them through transitions that are not taken)" if others else ""
            yield from ("", f"{head} {count}{also}", *items)


def _items(result: Result, criterion: str, targets: Sequence[Target]) -> Iterator[str]:
    """Yield the nearest targets first, each with a path to it."""
    ways = {t.key: way_to(result.model, criterion, t) for t in targets}
    nearest = sorted(targets, key=lambda t: len(ways[t.key]) or 10**6)
    for target in nearest[:MOST_MISSING]:
        window = "in the window: " if target.machine == "window" else ""
        yield f"  {window}{target.id}{citation(target.rule)}"
        way = way_text(ways[target.key], STATES)
        if way:
            yield f"      by {way}"
    if len(nearest) > MOST_MISSING:
        yield f"  and {len(nearest) - MOST_MISSING} more (all of them in the reports json and html)"
