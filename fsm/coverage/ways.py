"""Finds the shortest path to a missing target, along transitions that some run can take."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from fsm.adapters.building import TOGETHER
from fsm.coverage.criteria import proofs_of
from fsm.coverage.subjects import is_ordered
from fsm.coverage.target import Target
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model


def way_to(model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
    """Return the arcs of the shortest path on the graph to a target, or () if there are none."""
    graph = next(graph for graph in graphs_of(model) if graph.name == target.machine)
    to = _ways(graph)
    found = [(*to[chain[0].at], *chain) for chain in _chains(graph, criterion, target)]
    return min(found, key=len, default=())


def _chains(graph: Graph, criterion: str, target: Target) -> Iterator[tuple[Arc, ...]]:
    """Yield the sequences that take a target, from the states to which a way leads."""
    live = _live(graph)
    row, _, second = target.id.partition(" ; ")
    for mark in (" where ", " needs: "):
        row = row.partition(mark)[0]
    for arc in graph.arcs:
        is_it = arc.row.id == row
        if criterion == "states":
            is_it = any(state.id == target.id for state in graph.model.path(arc.to))
        if is_it and arc in live and arc.at in _ways(graph):
            if not second:
                yield (arc,)
            then = [other for other in graph.leaving[arc.to] if other.row.id == second]
            yield from ((arc, other) for other in then)


@per_model
def _live(graph: Graph) -> frozenset[Arc]:
    """Return the arcs that some run may take."""
    return proofs_of(graph).live if is_ordered(graph.whole) else frozenset(graph.arcs)


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
    if model.played:
        parts, between = [arc.at for arc in way[:1]] + [arc.to for arc in way], " -> "
    else:
        parts = [f"{arc.row.event}()" for arc in way if arc.row.event != TOGETHER]
        between = ", "
    left = len(parts) - most
    return between.join([f"... {left} more ...", *parts[-most:]] if left > 0 else parts)
