"""Finds a path to a finding: the plainest one whose transitions fit pairwise. It also says whether all of them fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from fsm.analysis.checks.finding import Finding
from fsm.analysis.feasibility.chains import Prover, Try, prover_of
from fsm.model import Term
from fsm.model.graph import Arc, Graph

Tree = dict[Arc, Arc | None]
"""Each transition that a run can take, with the one before it. Those that are reached soonest come first."""


def with_way(graph: Graph, finding: Finding) -> Finding:
    """The finding with a way to its state; as it is when it names none, or no run comes there."""
    leaf = _leaf(graph, finding.state)
    if not leaf or leaf == graph.model.initial:
        return replace(finding, proved=bool(leaf))
    arcs = _way(graph, leaf)
    if not arcs:
        return finding
    return replace(finding, path=tuple(arc.row.id for arc in arcs), proved=_proved(graph, arcs, finding))


def _leaf(graph: Graph, id: str) -> str:
    """The state itself, or of a phase or step the first state in it that a run comes to."""
    if not id or not graph.model.state(id).composite:
        return id
    reached = prover_of(graph).reached
    inside = (s.id for s in graph.model.leaves if any(holder.id == id for holder in graph.model.path(s.id)))
    return next((leaf for leaf in inside if leaf in reached), "")


def _way(graph: Graph, leaf: str) -> tuple[Arc, ...]:
    tree = graph.whole.kept(("ways", graph.name), lambda: _tree(graph))
    last = next((arc for arc in tree if arc.to == leaf), None)
    return tuple(_back(tree, last))[::-1]


def _back(tree: Tree, arc: Arc | None) -> Iterator[Arc]:
    while arc is not None:
        yield arc
        arc = tree[arc]


def _tree(graph: Graph) -> Tree:
    """From the beginning on: an arc follows another where some facts let both be taken one after the other."""
    prover, number = prover_of(graph), count()
    starts = (a for a in graph.leaving[graph.model.initial] if a in prover.live and prover.opens(a))
    todo: list[tuple[int, int, Arc, Arc | None]] = [(_cost(arc), next(number), arc, None) for arc in starts]
    tree: Tree = {}
    while todo:
        cost, _, arc, before = heappop(todo)
        if arc in tree:
            continue
        tree[arc] = before
        for then in graph.leaving[arc.to]:
            if then not in tree and then in prover.live and prover.fits((prover.fires(arc), prover.fires(then))):
                heappush(todo, (cost + _cost(then), next(number), then, arc))
    return tree


def _cost(arc: Arc) -> int:
    """A way by the ordinary course is easier to follow than a shorter one by skips and extras."""
    return 1 if arc.row.layer == "core" else 50


def _proved(graph: Graph, arcs: tuple[Arc, ...], finding: Finding) -> bool:
    """Can all guards on the way hold where they are read, and then the facts of the finding?"""
    prover = prover_of(graph)
    chain = tuple(map(prover.fires, arcs))
    return prover.fits((*chain, *_last(graph, prover, arcs, finding)))


def _last(graph: Graph, prover: Prover, arcs: tuple[Arc, ...], finding: Finding) -> Iterator[Try]:
    terms = tuple(Term(*fact) for fact in finding.witness)
    arc = next((a for a in graph.leaving[arcs[-1].to] if a.row.event == finding.event), None)
    if arc is not None and terms and graph.heard(finding.event, arc.at, arcs[-1]):
        yield Try(arc, terms, ())
