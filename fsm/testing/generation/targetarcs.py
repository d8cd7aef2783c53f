"""Computes the arcs that take a target. A search uses them as its goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Protocol

from fsm.checks.feasibility.prover import prover_of
from fsm.coverage import Target
from fsm.coverage.simple import cited, literal_id
from fsm.errors import CoverageError, suggest
from fsm.model.graph import Arc, Graph


class ArcFinder(Protocol):
    """Finds the arcs of a target."""

    def __call__(self, graph: Graph, target: Target) -> Iterator[Arc]: ...


def finder(criterion: str) -> ArcFinder:
    """Return the finder for the targets of a criterion. Raises CoverageError if paths cannot be
    made for it.
    """
    known: dict[str, ArcFinder] = {
        "states": _states,
        "transitions": _transitions,
        "literals": _literals,
        "rules": _rules,
        "refusals": _refusals,
    }
    if criterion not in known:
        raise CoverageError(
            f"paths for {criterion!r} cannot be generated{suggest(criterion, known)}"
        )
    return known[criterion]


def _live(graph: Graph, arcs: Iterable[Arc]) -> Iterator[Arc]:
    live = prover_of(graph).live
    return (arc for arc in arcs if arc in live)


def _transitions(graph: Graph, target: Target) -> Iterator[Arc]:
    return _live(graph, graph.of_row[target.id])


def _states(graph: Graph, target: Target) -> Iterator[Arc]:
    """Yield the firings into a state, or from outside into a phase or step. An initial state counts
    when it is left.
    """
    inside = {
        s.id for s in graph.model.leaves if target.id in {x.id for x in graph.model.path(s.id)}
    }
    alone = inside == {target.id}
    entering = (a for a in graph.arcs if a.row.target in inside and (alone or a.at not in inside))
    yield from _live(graph, entering)
    if graph.model.initial in inside:
        yield from _live(graph, graph.leaving[graph.model.initial])


def _literals(graph: Graph, target: Target) -> Iterator[Arc]:
    """Yield the transition itself if its literal must hold, and the transitions below it if the
    literal must fail.
    """
    row = next(r for r in graph.model.transitions if target.id.startswith(f"{r.id} where "))
    for term in row.guard:
        if target.id == literal_id(row.id, str(term), True):
            yield from _live(graph, graph.of_row[row.id])
        elif target.id == literal_id(row.id, str(term), False):
            for arc in graph.of_row[row.id]:
                below = [a for a in graph.leaving[arc.at] if a.row.event == row.event]
                yield from _live(graph, below[below.index(arc) + 1 :])


def _rules(graph: Graph, target: Target) -> Iterator[Arc]:
    states, rows, facts = cited(graph)[target.id]
    for state in graph.model.states:
        if state.id in states or not facts.keys().isdisjoint(state.tells):
            yield from _states(graph, Target(state.id, graph.name, ""))
    for arc in graph.arcs:
        acts = any(f in action.args for action in arc.row.actions for f in facts)
        reads = any(term.fact in facts for term in arc.row.guard)
        if arc.row.id in rows or acts or reads:
            yield from _live(graph, (arc,))


def _refusals(graph: Graph, target: Target) -> Iterator[Arc]:
    """Yield the firings into the state. A signal fires right after an answer that leads there, or
    in a window.
    """
    event, _, state = target.id.rpartition(" in ")
    into = [a for a in graph.arcs if a.to == state]
    if event in graph.signals and graph.state(state).kind not in ("window", "final"):
        into = [a for a in into if graph.answered(a)]
    yield from _live(graph, into)
