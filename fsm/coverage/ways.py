"""Finds the shortest path to a missing target, along transitions that some run can take."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator, Sequence

from fsm.adapters.building import TOGETHER
from fsm.coverage.criteria import proofs_of
from fsm.coverage.subjects import is_ordered
from fsm.coverage.target import Target
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model


def way_to(model: Model, target: Target) -> tuple[Arc, ...]:
    """Return the arcs of the shortest path on the graph to a target, or () if there are none."""
    graph = next(graph for graph in graphs_of(model) if graph.name == target.machine)
    live, ways = _live(graph), _ways(graph)
    found = list[tuple[Arc, ...]]()
    for chain in _chains(graph, target):
        if chain[0] in live and chain[0].at in ways:
            found.append((*ways[chain[0].at], *chain))
    return min(found, key=len, default=())


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


@per_model
def _live(graph: Graph) -> Container[Arc]:
    """Return the arcs that some run may take."""
    return frozenset(proofs_of(graph).live if is_ordered(graph.whole) else graph.arcs)


@per_model
def _ways(graph: Graph) -> dict[str, tuple[Arc, ...]]:
    """Return the shortest way to each state, along arcs that a run can take: in the ordinary course
    of things, or else along any.
    """
    live = _live(graph)
    ways = {graph.model.initial: tuple[Arc, ...]()}
    for is_ordinary in (True, False):
        waiting = deque(ways)
        while waiting:
            at = waiting.popleft()
            for arc in graph.leaving[at]:
                fits = arc in live and (arc.row.layer == "core" or not is_ordinary)
                if fits and arc.to not in ways:
                    ways[arc.to] = (*ways[at], arc)
                    waiting.append(arc.to)
    return ways


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
