"""Finds the shortest path to a missing target, along transitions that some run can take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.adapters.building import TOGETHER
from fsm.coverage.criteria import proofs_of
from fsm.coverage.target import Target
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model


def way_to(model: Model, target: Target) -> tuple[Arc, ...]:
    """Return the arcs of the shortest path on the graph to a target, or () if there are none."""
    graph = next(graph for graph in graphs_of(model) if graph.name == target.machine)
    live, found = proofs_of(graph).live, list[tuple[Arc, ...]]()
    for chain in _chains(graph, target):
        if chain[0] in live:
            found.append((*_way_into(graph, chain[0].at), *chain))
    return min(found, key=len, default=())


@per_model
def _way_into(graph: Graph, state: str) -> tuple[Arc, ...]:
    return () if state in graph.begins else tuple(proofs_of(graph).way_to([state]))


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
    """Return the states of a path, "a -> b -> c", or the events of a plain machine: "push(), pull()".

    Of a long path, only the last ones are included.
    """
    parts, between = [arc.at for arc in way[:1]] + [arc.to for arc in way], " -> "
    if not model.played:
        parts = [f"{arc.row.event}()" for arc in way if arc.row.event != TOGETHER]
        between = ", "
    left = [f"... {len(parts) - most} more ..."] if len(parts) > most else []
    return between.join([*left, *parts[-most:]])
