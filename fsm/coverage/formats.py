"""The report as a table in the terminal, as Markdown and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from fsm.adapters.reading import TOGETHER
from fsm.coverage.criteria import proofs_of
from fsm.coverage.data import subject_of
from fsm.coverage.target import Coverage, Kind, Result, Target, percent, total_of
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model
from fsm.wording import citation, plain

FORMAT = "fsm-coverage-report-1"
MOST_MISSING = 12
"""At most this many targets of a criterion are listed."""
STATES = 5
"""At most this many states of a path are written."""
FAR = 10**6
"""What no way leads to comes last."""
NOTED: dict[Kind, str] = {
    "impossible": "proved impossible and left out",
    "allowed": "allowed to be missing and left out",
    "refuted": "held impossible, but taken",
}


def table(results: Sequence[Result]) -> list[list[str]]:
    """Return the cells of the table: a head, the machines, and the total if there are several."""
    rows = [["", *(coverage.criterion for coverage in results[0].coverages)]]
    for result in results:
        rows.append([result.name, *(_cell([coverage]) for coverage in result.coverages)])
    if len(results) > 1:
        columns = zip(*(result.coverages for result in results), strict=True)
        rows.append(["total", *map(_cell, columns)])
    return rows


def _cell(coverages: Iterable[Coverage]) -> str:
    total = total_of(coverages)
    return f"{total.taken}/{total.asked} {percent(total.share):>5}"


class Missing(NamedTuple):
    """What is missing of one criterion: a line that counts it, the nearest targets, each with a way
    to it or "", and how many more there are.
    """

    head: str
    targets: list[tuple[str, str]]
    left: int


def missing_in(result: Result) -> Iterator[Missing]:
    """Yield what is missing, the nearest first."""
    for coverage in result.coverages:
        ways = {target: way_to(result.model, target) for target in coverage.missing}
        missing = sorted(ways, key=lambda target: len(ways[target]) or FAR)
        if missing:
            counts = f"{len(coverage.covered)} of {coverage.asked} {coverage.criterion}"
            items = list[tuple[str, str]]()
            for target in missing[:MOST_MISSING]:
                window = "in the window: " if target.machine == "window" else ""
                text = f"{window}{target.id}{citation(target.rule)}"
                items.append((text, way_text(result.model, ways[target], STATES)))
            head = f"{result.name}: {counts}; missing: {len(missing)}"
            yield Missing(head, items, len(missing[MOST_MISSING:]))


# ways to what is missing --------------------------------------------------------------------------


def way_to(model: Model, target: Target) -> tuple[Arc, ...]:
    """Return the arcs of the shortest path on the graph to a target, along transitions that some
    run can take, or () if there are none.
    """
    graph = next(graph for graph in graphs_of(model) if graph.name == target.machine)
    can, found = proofs_of(graph), list[tuple[Arc, ...]]()
    for chain in _chains(graph, target):
        if chain[0] in can.live:
            found.append((*_way_into(graph, chain[0].at), *chain))
    return min(found, key=len, default=())


@per_model
def _way_into(graph: Graph, state: str) -> tuple[Arc, ...]:
    return () if state in graph.begins else tuple(proofs_of(graph).way_to(state))


def _chains(graph: Graph, target: Target) -> Iterator[tuple[Arc, ...]]:
    """Yield the sequences of arcs that take a target: those into a state, or those of its rows."""
    if not target.rows:
        for arc in graph.arcs:
            if target.id in [state.id for state in graph.model.path(arc.to)]:
                yield (arc,)
        return
    first, *then = target.rows
    for arc in graph.of_row[first]:
        if not then:
            yield (arc,)
        for other in graph.leaving[arc.to]:
            if other.row.id in then:
                yield arc, other


def way_text(model: Model, way: Sequence[Arc], most: int) -> str:
    """Return the states of a path, "a -> b -> c", or the events of a plain machine, with what must
    hold: "push() if unlocked, pull()".

    Of a long path, only the last ones are included.
    """
    parts, between = [arc.at for arc in way[:1]] + [arc.to for arc in way], " -> "
    if not model.played:
        conditions = proofs_of(graphs_of(model)[0]).conditions
        asked = [(arc, conditions(arc)) for arc in way if arc.row.event != TOGETHER]
        parts = [f"{arc.row.event}()" + f" if {when}" * bool(when) for arc, when in asked]
        between = ", "
    left = [f"... {len(parts) - most} more ..."] if len(parts) > most else []
    return between.join([*left, *parts[-most:]])


# the terminal -------------------------------------------------------------------------------------


def as_lines(results: Sequence[Result], *, missing: bool = False) -> Iterator[str]:
    """Yield the lines of the report: a table, notes, and with `missing` the nearest missing targets
    with a path.
    """
    if not results:
        yield "nothing was recorded of any machine"
        return
    yield from _aligned(table(results))
    for result in results:
        yield from (f"{result.name}: {note}" for note in _notes(result))
    for result in results if missing else ():
        for listed in missing_in(result):
            yield from ("", listed.head)
            for text, way in listed.targets:
                yield f"  {text}"
                yield from [f"      by {way}"] if way else []
            if listed.left:
                yield f"  and {listed.left} more (all of them in the reports json and html)"


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


# Markdown -----------------------------------------------------------------------------------------


def as_markdown(results: Sequence[Result]) -> str:
    """Return the table and what is missing, as the summary of a job or a comment shows it."""
    return "\n".join(_markdown(results)) + "\n"


def _markdown(results: Sequence[Result]) -> Iterator[str]:
    yield "## Coverage of state machines"
    yield ""
    if not results:
        yield "Nothing was recorded of any machine."
        return
    head, *rows = table(results)
    yield _row(head)
    yield f"| --- |{' ---: |' * (len(head) - 1)}"
    yield from map(_row, rows)
    for result in results:
        for listed in missing_in(result):
            yield from ("", f"<details><summary>{_escaped(listed.head)}</summary>", "")
            for text, way in listed.targets:
                yield f"- {_escaped(text)}" + f" (by {_escaped(way)})" * bool(way)
            if listed.left:
                yield f"- and {listed.left} more"
            yield from ("", "</details>")


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_escaped(' '.join(cell.split())) for cell in cells)} |"


def _escaped(text: str) -> str:
    """Return a text in one line in which Markdown and HTML see nothing special."""
    safe = plain(text, 600).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return re.sub(r"([\\`*_{}\[\]()#+!|~$@])", r"\\\1", safe)


# JSON ---------------------------------------------------------------------------------------------


def as_json(results: Sequence[Result]) -> str:
    """Return the whole report for programs. `fsm/schemas/coverage.schema.json` describes it."""
    return json.dumps({"format": FORMAT, "machines": [*map(_machine, results)]}) + "\n"


def _machine(result: Result) -> dict[str, Any]:
    subject = subject_of(result.model)
    return {
        "name": result.name,
        "model": subject.name,
        "fingerprint": subject.fingerprint,
        "firings": result.firings,
        "notes": list(result.notes),
        "criteria": [*map(_criterion, result.coverages)],
    }


def _criterion(coverage: Coverage) -> dict[str, Any]:
    return {
        "criterion": coverage.criterion,
        "targets": len(coverage.targets),
        "taken": len(coverage.covered),
        "missing": len(coverage.missing),
        "allowed": len(coverage.of("allowed")),
        "impossible": len(coverage.infeasible),
        "share": coverage.share,
        "items": [_item(coverage, target) for target in coverage.targets],
    }


def _item(coverage: Coverage, target: Target) -> dict[str, Any]:
    """Return a target without empty values."""
    optional = {
        "text": target.text,
        "rule": target.rule,
        "allowed": coverage.allowed.get(target.key),
        "impossible": target.infeasible,
        "contexts": dict(sorted(coverage.by.get(target.key, {}).items())),
    }
    taken = coverage.taken.get(target.key, 0)
    told = {name: value for name, value in optional.items() if value}
    return {"id": target.id, "machine": target.machine, "taken": taken, **told}
