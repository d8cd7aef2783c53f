"""Finds a plain path to a finding whose transitions fit pairwise, and says whether all of them fit
together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from fsm.checks.feasibility.firings import TriedTransition
from fsm.checks.feasibility.prover import Prover, prover_of
from fsm.checks.finding import Finding
from fsm.model import Term
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model

Predecessors = dict[Arc, Arc | None]
"""Maps each transition that a run can take to the one before it. Transitions that are reached
soonest come first.
"""


def with_path(graph: Graph, finding: Finding) -> Finding:
    """Return the finding with a path to its state. It is unchanged if it names no state, or if no
    run comes there.
    """
    leaf = _leaf(graph, finding.state)
    if not leaf or leaf == graph.model.initial:
        return replace(finding, proved=bool(leaf))
    arcs = _path(graph, leaf)
    if not arcs:
        return finding
    return replace(
        finding, path=tuple(arc.row.id for arc in arcs), proved=_proved(graph, arcs, finding)
    )


def _leaf(graph: Graph, id: str) -> str:
    """Return the state itself, or for a phase or step the first leaf in it that a run reaches."""
    if not id or not graph.model.state(id).composite:
        return id
    reached = prover_of(graph).reached
    inside = (
        s.id
        for s in graph.model.leaves
        if any(holder.id == id for holder in graph.model.path(s.id))
    )
    return next((leaf for leaf in inside if leaf in reached), "")


def _path(graph: Graph, leaf: str) -> tuple[Arc, ...]:
    tree = _tree(graph)
    last = next((arc for arc in tree if arc.to == leaf), None)
    return tuple(_back(tree, last))[::-1]


def _back(tree: Predecessors, arc: Arc | None) -> Iterator[Arc]:
    while arc is not None:
        yield arc
        arc = tree[arc]


@per_model
def _tree(graph: Graph) -> Predecessors:
    """Search from the initial state. A transition may follow another if some facts let both fire in
    a row.
    """
    prover, number = prover_of(graph), count()
    starts = (a for a in graph.leaving[graph.model.initial] if a in prover.live and prover.opens(a))
    todo: list[tuple[int, int, Arc, Arc | None]] = [
        (_cost(arc), next(number), arc, None) for arc in starts
    ]
    tree: Predecessors = {}
    while todo:
        cost, _, arc, before = heappop(todo)
        if arc in tree:
            continue
        tree[arc] = before
        for then in graph.leaving[arc.to]:
            if (
                then not in tree
                and then in prover.live
                and prover.fits((prover.fires(arc), prover.fires(then)))
            ):
                heappush(todo, (cost + _cost(then), next(number), then, arc))
    return tree


def _cost(arc: Arc) -> int:
    """Prefer a longer path of ordinary transitions to a shorter one with skips or extras. It is
    easier to follow.
    """
    return 1 if arc.row.layer == "core" else 50


def _proved(graph: Graph, arcs: tuple[Arc, ...], finding: Finding) -> bool:
    """Say whether all guards on the path can hold when they are read, and then the facts of the
    finding.
    """
    prover = prover_of(graph)
    sequence = tuple(map(prover.fires, arcs))
    return prover.fits((*sequence, *_last(graph, prover, arcs, finding)))


def _last(
    graph: Graph, prover: Prover, arcs: tuple[Arc, ...], finding: Finding
) -> Iterator[TriedTransition]:
    terms = tuple(Term(*fact) for fact in finding.witness)
    arc = next((a for a in graph.leaving[arcs[-1].to] if a.row.event == finding.event), None)
    if arc is not None and terms and graph.heard(finding.event, arc.at, arcs[-1]):
        yield TriedTransition(arc, terms, ())
