"""Finds the shortest path to a missing target, along transitions that some run can take."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from fsm.coverage.feasibility import feasibility_of
from fsm.coverage.target import Target
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model


def way_to(model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
    """Return the arcs from the initial state to a target, or () if there are none.

    This is the path of a run if a short search finds one. Otherwise it is the shortest path on the
    graph, which possibly no run can take.
    """
    from fsm.testing.generating import walk_to

    graph = next(graph for graph in graphs_of(model) if graph.name == target.machine)
    executed = walk_to(model, criterion, target)
    if executed:
        arcs = {(arc.at, arc.row.id): arc for arc in graph.arcs}
        return tuple(arcs[record.source, record.transition] for record in executed)
    to = _ways(graph)
    ends = [chain for chain in _chains(graph, criterion, target) if chain[0].at in to]
    return min(((*to[chain[0].at], *chain) for chain in ends), key=len, default=())


def _chains(graph: Graph, criterion: str, target: Target) -> Iterator[tuple[Arc, ...]]:
    """Yield the sequences that take a target."""
    live = [arc for arc in graph.arcs if arc in feasibility_of(graph).live]
    for arc in live:
        if criterion == "states":
            takes = any(state.id == target.id for state in graph.model.path(arc.to))
        elif criterion == "refusals":
            takes = target.id.endswith(f" in {arc.to}")
        else:
            takes = target.id == arc.row.id or target.id.startswith(
                (f"{arc.row.id} where ", f"{arc.row.id} needs: ")
            )
        if takes:
            yield (arc,)
        if target.id.startswith(f"{arc.row.id} ; "):
            second = target.id.partition(" ; ")[2]
            yield from ((arc, then) for then in graph.leaving[arc.to] if then.row.id == second)


@per_model
def _ways(graph: Graph) -> dict[str, tuple[Arc, ...]]:
    """Return the shortest way to each state, along arcs that a run can take. Earlier arcs win ties,
    and core transitions before others.
    """
    live = feasibility_of(graph).live
    start = graph.model.initial
    ways, waiting = {start: tuple[Arc, ...]()}, deque([start])
    while waiting:
        at = waiting.popleft()
        leaving = [arc for arc in graph.leaving[at] if arc in live]
        for arc in sorted(leaving, key=lambda arc: arc.row.layer != "core"):
            if arc.to not in ways:
                ways[arc.to] = (*ways[at], arc)
                waiting.append(arc.to)
    return ways


def way_text(way: Iterable[Arc], most: int = 0) -> str:
    """Return the states of a path, "a -> b -> c". Of a long path, only the last `most` states are
    included.
    """
    arcs = tuple(way)
    states = [arcs[0].at, *(arc.to for arc in arcs)] if arcs else []
    if most and len(states) > most:
        return f"... {len(states) - most} more ... -> {' -> '.join(states[-most:])}"
    return " -> ".join(states)
