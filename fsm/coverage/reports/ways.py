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
    arcs = {(arc.at, arc.row.id): arc for arc in graph.arcs}
    executed = walk_to(model, criterion, target)
    if executed:
        return tuple(arcs[record.source, record.transition] for record in executed)
    ways = (way for chain in _chains(graph, criterion, target) if (way := _to(graph, chain)))
    return min(ways, key=len, default=())


def _chains(graph: Graph, criterion: str, target: Target) -> Iterator[tuple[Arc, ...]]:
    """Yield the sequences that take a target."""
    live = feasibility_of(graph).live
    if criterion in ("literals", "mcdc"):
        row = next(
            (r for r in graph.of_row if target.id.startswith((f"{r} where ", f"{r} needs: "))), ""
        )
        yield from ((arc,) for arc in graph.of_row.get(row, ()) if arc in live)
    elif criterion == "states":
        inside = {
            leaf.id
            for leaf in graph.model.leaves
            if target.id in {s.id for s in graph.model.path(leaf.id)}
        }
        yield from ((arc,) for arc in graph.arcs if arc.to in inside and arc in live)
    elif criterion == "refusals":
        state = target.id.rpartition(" in ")[2]
        yield from ((arc,) for arc in graph.arcs if arc.to == state and arc in live)
    else:
        first, _, second = target.id.partition(" ; ")
        for arc in graph.of_row.get(first, ()):
            if arc not in live:
                continue
            if not second:
                yield (arc,)
            then = (a for a in graph.leaving[arc.to] if a.row.id == second and a in live)
            yield from ((arc, a) for a in then)


def _to(graph: Graph, chain: tuple[Arc, ...]) -> tuple[Arc, ...]:
    start = chain[0].at
    ways, first = _shortest_ways(graph), _arcs_between(graph)
    if start not in ways:
        return ()
    return (*(first[a, b] for a, b in zip(ways[start], ways[start][1:], strict=False)), *chain)


@per_model
def _shortest_ways(graph: Graph) -> dict[str, list[str]]:
    """Return the states of the shortest way to each state, along arcs that a run can take. Earlier
    arcs win ties.
    """
    leaving: dict[str, list[str]] = {}
    for at, to in _arcs_between(graph):
        leaving.setdefault(at, []).append(to)
    start = graph.model.initial
    ways, waiting = {start: [start]}, deque([start])
    while waiting:
        at = waiting.popleft()
        for to in leaving.get(at, ()):
            if to not in ways:
                ways[to] = [*ways[at], to]
                waiting.append(to)
    return ways


@per_model
def _arcs_between(graph: Graph) -> dict[tuple[str, str], Arc]:
    """Return the first arc from state to state that a run can take, core transitions before others."""
    live = feasibility_of(graph).live
    found: dict[tuple[str, str], Arc] = {}
    for arc in sorted(
        (a for a in graph.arcs if a in live), key=lambda arc: arc.row.layer != "core"
    ):
        found.setdefault((arc.at, arc.to), arc)
    return found


def way_text(way: Iterable[Arc], most: int = 0) -> str:
    """Return the states of a path, "a -> b -> c". Of a long path, only the last `most` states are
    included.
    """
    arcs = tuple(way)
    states = [arcs[0].at, *(arc.to for arc in arcs)] if arcs else []
    if most and len(states) > most:
        return f"... {len(states) - most} more ... -> {' -> '.join(states[-most:])}"
    return " -> ".join(states)
