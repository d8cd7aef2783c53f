"""Computes the sequences of firings that take a target. A search uses them as its goal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import Protocol

from fsm.analysis.feasibility.prover import prover_of
from fsm.coverage import CoverageError, Target
from fsm.coverage.paths import chains_of
from fsm.coverage.shortest import shortest_ways
from fsm.coverage.simple import cited, literal_id
from fsm.errors import suggest
from fsm.model.graph import Arc, Graph
from fsm.model.permodel import per_model
from fsm.testing.generation.measuring import Chain

MOST = 24
"""At most this many sequences are considered for a target that can be taken by very many."""


class ChainFinder(Protocol):
    """Finds the chains of a target."""

    def __call__(self, graph: Graph, target: Target) -> Iterator[Chain]: ...


def finder(criterion: str) -> ChainFinder:
    """Return the finder for the targets of a criterion. Raises CoverageError if paths cannot be
    made for it.
    """
    if criterion == "pairs" or criterion.endswith("-switch"):
        return _switches
    if criterion.startswith("prime-paths"):
        return _primes
    known: dict[str, ChainFinder] = {
        "states": _states,
        "transitions": _transitions,
        "literals": _literals,
        "rules": _rules,
        "round-trips": _trips,
        "refusals": _refusals,
    }
    if criterion not in known:
        raise CoverageError(
            f"paths for {criterion!r} cannot be generated{suggest(criterion, known)}"
        )
    return known[criterion]


def _live(graph: Graph, arcs: Iterable[Arc]) -> Iterator[Chain]:
    live = prover_of(graph).live
    return ((arc,) for arc in arcs if arc in live)


def _transitions(graph: Graph, target: Target) -> Iterator[Chain]:
    return _live(graph, graph.of_row[target.id])


def _states(graph: Graph, target: Target) -> Iterator[Chain]:
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


def _literals(graph: Graph, target: Target) -> Iterator[Chain]:
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


def _rules(graph: Graph, target: Target) -> Iterator[Chain]:
    states, rows, facts = cited(graph)[target.id]
    for state in graph.model.states:
        if state.id in states or not facts.keys().isdisjoint(state.tells):
            yield from _states(graph, Target(state.id, graph.name, ""))
    for arc in graph.arcs:
        acts = any(f in action.args for action in arc.row.actions for f in facts)
        reads = any(term.fact in facts for term in arc.row.guard)
        if arc.row.id in rows or acts or reads:
            yield from _live(graph, (arc,))


def _switches(graph: Graph, target: Target) -> Iterator[Chain]:
    prover = prover_of(graph)
    return (chain for chain in chains_of(graph, target.id.split(" ; ")) if prover.follow(chain))


def _trips(graph: Graph, target: Target) -> Iterator[Chain]:
    """Yield the transition with the shortest way back."""
    prover, first = prover_of(graph), _first_arcs(graph)
    for arc in islice((a for a in graph.of_row[target.id] if a in prover.live), MOST):
        if arc.to == arc.at:
            yield (arc,)
        elif back := shortest_ways(first, arc.to).get(arc.at):
            yield (arc, *(first[a, b] for a, b in pairwise(back)))


def _primes(graph: Graph, target: Target) -> Iterator[Chain]:
    """Yield the arcs from state to state. If the nodes are steps, there are none, and only random
    games take them.
    """
    states, prover = target.id.split(" > "), prover_of(graph)
    if any(id not in graph.leaving for id in states):
        return
    chains: list[Chain] = [()]
    for at, to in pairwise(states):
        arcs = [a for a in graph.leaving[at] if a.row.target == to and a in prover.live]
        chains = [(*chain, arc) for chain in chains[:MOST] for arc in arcs]
    yield from (chain for chain in chains if chain and (len(chain) == 1 or prover.follow(chain)))
    if len(states) == 1:
        yield from _live(graph, (a for a in graph.arcs if a.row.target == states[0]))


def _refusals(graph: Graph, target: Target) -> Iterator[Chain]:
    """Yield the firings into the state. A signal fires right after an answer that leads there, or
    in a window.
    """
    event, _, state = target.id.rpartition(" in ")
    into = [a for a in graph.arcs if a.to == state]
    if event in graph.signals and graph.state(state).kind not in ("window", "final"):
        into = [a for a in into if graph.answered(a)]
    yield from _live(graph, into)


@per_model
def _first_arcs(graph: Graph) -> dict[tuple[str, str], Arc]:
    """Return the first live arc between each two states."""
    found: dict[tuple[str, str], Arc] = {}
    for arc in graph.arcs:
        if arc in prover_of(graph).live:
            found.setdefault((arc.at, arc.to), arc)
    return found
