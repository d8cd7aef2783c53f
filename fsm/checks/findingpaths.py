"""Shows a way to a finding, and says whether all of its transitions fit together."""

from __future__ import annotations

from msgspec.structs import replace

from fsm.checks.feasible import Tried, feasible_of
from fsm.checks.finding import Finding
from fsm.model import Term
from fsm.model.graph import Arc, Graph


def with_path(graph: Graph, finding: Finding) -> Finding:
    """Return the finding with a path to its state. It is unchanged if it names no state, or if no
    run comes there. Of a phase or step it is the first state in it.
    """
    feasible, model = feasible_of(graph), graph.model
    holders = {leaf.id: model.path(leaf.id) for leaf in model.leaves}
    inside = {id for id, path in holders.items() if any(s.id == finding.state for s in path)}
    if model.initial in inside:
        return replace(finding, proved=True)
    ways = [way for arc, way in feasible.ways.items() if arc.to in inside]
    way, arcs = min(ways, key=lambda way: way.cost, default=None), list[Arc]()
    while way is not None:
        arcs.insert(0, way.arc)
        way = way.before
    if not arcs:
        return finding
    sequence = [*map(feasible.fires, arcs), *_last(graph, arcs[-1], finding)]
    path = tuple(arc.row.id for arc in arcs)
    return replace(finding, path=path, proved=feasible.fits(sequence))


def _last(graph: Graph, before: Arc, finding: Finding) -> list[Tried]:
    """Return that the facts of the finding hold at the end of the path."""
    terms = tuple(Term(*fact) for fact in finding.witness.items())
    arc = next((a for a in graph.leaving[before.to] if a.row.event == finding.event), None)
    if arc is None or not terms or not graph.heard(finding.event, arc.at, before):
        return []
    return [Tried(arc, terms)]
