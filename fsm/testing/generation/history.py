"""Finds what must happen before a firing whose guard looks back, for instance that an extra is under
way.

A return leads only to where the turn was interrupted, and some transitions fire only at the end of
an extra. So a search goes first to the state in which the extra is chosen, and to the firing itself
only when the extra is open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from fsm.model import Model
from fsm.model.graph import Arc
from fsm.model.model import per_model
from fsm.state.agenda import Agenda
from fsm.state.primitives import opening_of as what_opens
from fsm.state.primitives.openings import Leaving
from fsm.testing.generation.abstractgraph import (
    AbstractGraph,
    Estimate,
    GraphNode,
    Test,
    abstract_graph_of,
)

LEVELS = ("phase", "step")


@dataclass(frozen=True, slots=True)
class NeededExtra:
    """An extra of this level must be under way, and return to this state."""

    level: str
    state: str


def tests_of(
    abstract: AbstractGraph, arcs: Iterable[Arc], values: Collection[bool] = (True,)
) -> Iterator[Test]:
    """Yield the tests of these arcs that must hold, or those that must have one of these values."""
    for arc in arcs:
        model = abstract.graph_of(arc).model
        for term in arc.row.guard:
            test = model.fact(term.fact).test
            if test and term.value in values:
                yield test


def depends_on_leaving(abstract: AbstractGraph, arcs: Iterable[Arc]) -> bool:
    """Whether it matters for these arcs that a player has left."""
    return any(
        isinstance(what_opens(test), Leaving) for test in tests_of(abstract, arcs, (True, False))
    )


def needed_extra(abstract: AbstractGraph, arc: Arc) -> NeededExtra | None:
    """Return the extra that an arc needs, or None."""
    for name, *args in tests_of(abstract, (arc,)):
        if name == "returns_to" and args[0] in LEVELS:
            return NeededExtra(args[0], args[1])
    return None


def extras_under_way(agenda: Agenda) -> Iterator[NeededExtra]:
    """Yield the needed extras that are under way now."""
    for level, stack in (("phase", agenda.returns_phase), ("step", agenda.returns_step)):
        if stack:
            yield NeededExtra(level, stack[-1].state)


def choosing_state(abstract: AbstractGraph, level: str) -> str:
    """Return the state in which the extras of a level are chosen, or "" if the model has none."""
    for graph in abstract.graphs.values():
        for arc in graph.arcs:
            if any(test[:2] == ("candidate_is", level) for test in tests_of(abstract, (arc,))):
                return arc.at
    return ""


def opening_of(abstract: AbstractGraph, need: NeededExtra, arc: Arc) -> tuple[int, tuple[Arc, ...]]:
    """Return the cost and the firings of the way from the choice of a needed extra to the arc."""
    level, choosing = need.level, choosing_state(abstract, need.level)
    table = _distances_to(abstract.model, arc)
    choice = GraphNode(choosing, "", level == "phase", level == "step")
    leaving = (
        arc for graph in abstract.graphs.values() for arc in graph.leaving.get(need.state, ())
    )
    into = tuple(arc for arc in leaving if arc.to == choosing)
    return (
        (table[choice].cost, (*into, *firings_along(table, choice)))
        if choice in table
        else (0, into)
    )


@per_model
def _distances_to(model: Model, arc: Arc) -> dict[GraphNode, Estimate]:
    """Return the distances to where this arc can fire."""
    abstract = abstract_graph_of(model)
    return abstract.distances((node, 0, None) for node in abstract.start_nodes(arc))


@per_model
def distances_to_end(model: Model, level: str) -> dict[GraphNode, Estimate]:
    """Return the distances to the end of an extra, which is where its return is read."""
    abstract = abstract_graph_of(model)
    needs = {arc: needed_extra(abstract, arc) for arc in abstract.arcs.values()}
    ends = [arc for arc, need in needs.items() if need is not None and need.level == level]
    return abstract.distances((node, 0, None) for arc in ends for node in abstract.start_nodes(arc))


def firings_along(
    table: dict[GraphNode, Estimate], node: GraphNode, answers: int = 10_000
) -> Iterator[Arc]:
    """Yield the firings on the way in a table of distances, up to this number of answers."""
    for _ in range(len(table)):
        estimate = table.get(node)
        if estimate is None or estimate.edge is None:
            return
        answers -= estimate.edge.cost
        if answers < 0:
            return
        yield estimate.edge.arc
        node = estimate.edge.end
