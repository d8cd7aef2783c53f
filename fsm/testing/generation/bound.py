"""Computes a lower bound of the length of paths: the rural Chinese postman problem, as a minimum
cost flow.

Guards are ignored. Every firing that must be taken is walked at least once, and a walk that enters
a state leaves it or ends. The directed problem is a flow problem: Edmonds and Johnson, "Matching,
Euler tours and the Chinese postman" (1973). Only some transitions are required (rural), and parts
of the flow need not be connected. Both can only lower the bound.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from fsm.analysis.feasibility.prover import prover_of
from fsm.coverage.target import Key
from fsm.model.graph import Arc, Graph
from fsm.testing.generation.abstractgraph import AbstractGraph, abstract_graph_of
from fsm.testing.generation.path import Bound, PathSet

FlowNode = tuple[object, ...]


def lower_bound(criterion: str, found: PathSet) -> Bound:
    """Return the least number of answers and of firings of any paths that take what these paths
    take.

    For criteria whose targets are not single firings, only the states or transitions that must be
    visited anyway are counted. The bound is 0 if there are none, or without the extra `paths`,
    which installs networkx.
    """
    if find_spec("networkx") is None:
        return Bound()
    abstract = abstract_graph_of(found.model)
    required = _required(criterion, [t.key for t in found.coverage.covered])
    tour = found.tour and len(found) == 1
    return Bound(
        *(
            _least(abstract, required, Measure(abstract, unit, tour))
            for unit in ("answers", "firings")
        )
    )


def _required(criterion: str, taken: Iterable[Key]) -> list[tuple[str, str, str]]:
    """Return machine, kind and id of what must be visited. Of a chain, that is the last transition."""
    if criterion == "states":
        return [(machine, "state", id) for machine, id in taken]
    if criterion == "literals":
        rows = (
            (machine, id.rpartition(" where ")) for machine, id in taken if id.endswith(" holds")
        )
        return list(dict.fromkeys((machine, "row", parts[0]) for machine, parts in rows))
    if criterion in ("transitions", "pairs"):
        return [(machine, "row", id.split(" ; ")[-1]) for machine, id in taken]
    if criterion == "refusals":
        return list(
            dict.fromkeys((machine, "state", id.rpartition(" in ")[2]) for machine, id in taken)
        )
    return []


@dataclass
class Measure:
    """The cost of a firing, in answers or in firings. `window` is the least cost of a window, added
    where it closes.
    """

    abstract: AbstractGraph
    unit: str
    tour: bool
    window: int = 0

    def cost(self, arc: Arc) -> int:
        """Return the cost of this firing."""
        closes = arc.at in self.abstract.windows and arc.row.event not in self.abstract.signals
        return (self.abstract.cost(arc) if self.unit == "answers" else 1) + self.window * closes


def _least(abstract: AbstractGraph, required: list[tuple[str, str, str]], measure: Measure) -> int:
    if not required:
        return 0
    of = {
        name: [(kind, id) for machine, kind, id in required if machine == name]
        for name in abstract.graphs
    }
    separate = sum(
        _flow(abstract, graph, of[name], measure) for name, graph in abstract.graphs.items()
    )
    measure.window = _shortest_window(abstract, measure)
    turn = abstract.graphs[abstract.turn]
    return max(separate, _flow(abstract, turn, of[abstract.turn], measure))


def _shortest_window(abstract: AbstractGraph, measure: Measure) -> int:
    """Return the least cost of a window."""
    window = abstract.graphs.get("window")
    if window is None:
        return 0
    networkx: Any = import_module("networkx")
    net = networkx.DiGraph()
    _walks(window, net, measure)
    net.remove_node(("end",))
    for arc in window.arcs:
        if abstract.passes(arc) and ("row", arc.row.id) in net:
            net.edges[("row", arc.row.id), ("in", arc.to)]["weight"] += 1
    start = ("at", window.model.initial)
    costs: dict[FlowNode, int] = networkx.single_source_dijkstra_path_length(net, start)
    return min((costs[("at", id)] for id in abstract.finals if ("at", id) in costs), default=0)


def _flow(
    abstract: AbstractGraph, graph: Graph, required: list[tuple[str, str]], measure: Measure
) -> int:
    """Return the least cost of walks in one machine that visit all that is required."""
    networkx: Any = import_module("networkx")
    net = networkx.DiGraph()
    _walks(graph, net, measure)
    paid = sum(
        (_row if kind == "row" else _state)(graph, net, id, measure) for kind, id in required
    )
    _supplies(net)
    between: int = networkx.min_cost_flow_cost(net)
    return paid + between


def _walks(graph: Graph, net: Any, measure: Measure) -> None:
    """Add states and transitions as nodes. The edge out of a transition has its cost. A walk may
    end anywhere.
    """
    live = prover_of(graph).live
    for arc in graph.arcs:
        if arc not in live or arc.row.target is None:
            continue
        middle = ("row", arc.row.id)
        net.add_edge(("at", arc.at), middle, weight=0)
        known = net.get_edge_data(middle, ("in", arc.to), {"weight": measure.cost(arc)})["weight"]
        net.add_edge(middle, ("in", arc.to), weight=min(known, measure.cost(arc)))
        net.add_edge(("in", arc.to), ("at", arc.to), weight=0)
    for id in [s.id for s in graph.model.leaves]:
        if ("at", id) in net:
            net.add_edge(("at", id), ("end",), weight=0)
    games = {"capacity": 1} if measure.tour and graph.name != "window" else {}
    net.add_edge(("end",), ("new",), weight=0, **games)
    net.add_edge(("new",), ("in", graph.model.initial), weight=0)
    net.add_edge(("in", graph.model.initial), ("at", graph.model.initial), weight=0)


def _row(graph: Graph, net: Any, id: str, measure: Measure) -> int:
    """Require a transition once more, and return the cost of that."""
    arc = next(iter(graph.of_row[id]), None)
    if arc is None:
        return 0
    if arc.row.target is None:
        return measure.cost(arc)
    return _once_more(net, ("row", id), ("in", arc.to))


def _state(graph: Graph, net: Any, id: str, measure: Measure) -> int:
    """Require a state once more, and return the cost of that."""
    return _once_more(net, ("in", id), ("at", id))


def _once_more(net: Any, start: FlowNode, end: FlowNode) -> int:
    edge = net.get_edge_data(start, end)
    if edge is None:
        return 0
    edge["least"] = edge.get("least", 0) + 1
    cost: int = edge["weight"]
    return cost


def _supplies(net: Any) -> None:
    """Replace the least flow of an edge, which is already paid, by a supply at its end and a demand
    at its start.
    """
    for start, end, data in list(net.edges(data=True)):
        least = data.get("least", 0)
        if least:
            net.nodes[start]["demand"] = net.nodes[start].get("demand", 0) + least
            net.nodes[end]["demand"] = net.nodes[end].get("demand", 0) - least
