"""Finds a plain path to a finding whose transitions fit pairwise, and says whether all of them fit
together.
"""

from __future__ import annotations

from dataclasses import replace
from heapq import heappop, heappush
from itertools import count

from fsm.checks.feasible import Tried, feasible_of
from fsm.checks.finding import Finding
from fsm.model import Term
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model


def with_path(graph: Graph, finding: Finding) -> Finding:
    """Return the finding with a path to its state. It is unchanged if it names no state, or if no
    run comes there.
    """
    leaf = _leaf(graph, finding.state)
    if not leaf or leaf == graph.model.initial:
        return replace(finding, proved=bool(leaf))
    tree, arcs = _tree(graph), list[Arc]()
    arc = next((arc for arc in tree if arc.to == leaf), None)
    while arc is not None:
        arcs.insert(0, arc)
        arc = tree[arc]
    if not arcs:
        return finding
    feasible = feasible_of(graph)
    sequence = [*map(feasible.fires, arcs), *_last(graph, arcs[-1], finding)]
    path = tuple(arc.row.id for arc in arcs)
    return replace(finding, path=path, proved=feasible.fits(sequence))


def _leaf(graph: Graph, id: str) -> str:
    """Return the state itself, or for a phase or step the first leaf in it that a run reaches."""
    if not id or not graph.model.state(id).composite:
        return id
    reached = feasible_of(graph).reached
    for leaf in graph.model.leaves:
        if leaf.id in reached and any(home.id == id for home in graph.model.path(leaf.id)):
            return leaf.id
    return ""


@per_model
def _tree(graph: Graph) -> dict[Arc, Arc | None]:
    """Return, for each transition that can be taken, the one before it on a way from the initial
    state. Those that are reached soonest come first. Two may follow one another if some facts let
    both fire in a row.
    """
    feasible, number = feasible_of(graph), count()
    todo: list[tuple[int, int, Arc, Arc | None]] = []
    tree: dict[Arc, Arc | None] = {}
    for arc in graph.leaving[graph.model.initial]:
        if arc in feasible.live and feasible.opens(arc.row.event, arc.at):
            heappush(todo, (_cost(arc), next(number), arc, None))
    while todo:
        cost, _, arc, before = heappop(todo)
        if arc in tree:
            continue
        tree[arc] = before
        for then in graph.leaving[arc.to]:
            new = then in feasible.live and then not in tree
            if new and feasible.fits((feasible.fires(arc), feasible.fires(then))):
                heappush(todo, (cost + _cost(then), next(number), then, arc))
    return tree


def _cost(arc: Arc) -> int:
    """Prefer a longer path of ordinary transitions to a shorter one with skips or extras. It is
    easier to follow.
    """
    return 1 if arc.row.layer == "core" else 50


def _last(graph: Graph, before: Arc, finding: Finding) -> list[Tried]:
    """Return that the facts of the finding hold at the end of the path."""
    terms = tuple(Term(*fact) for fact in finding.witness)
    arc = next((a for a in graph.leaving[before.to] if a.row.event == finding.event), None)
    if arc is None or not terms or not graph.heard(finding.event, arc.at, before):
        return []
    return [Tried(arc, terms)]
