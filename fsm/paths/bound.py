"""How short paths can be at best: the rural Chinese postman on the graph without guards, as a minimum cost flow.

Every firing that is to be taken must be walked at least once, and what walks into a state walks out of it or ends.
Edmonds and Johnson, "Matching, Euler tours and the Chinese postman" (1973): directed, it is a flow problem; that only
some arcs are asked for (rural), and that pieces of the flow need not hang together, can only lower it.
"""

from __future__ import annotations

from collections.abc import Iterable

import networkx  # type: ignore[import-untyped]

from fsm.coverage import Target
from fsm.coverage.graph import Arc, Graph
from fsm.coverage.proving.chains import prover_of
from fsm.model import Model
from fsm.paths.ground import Ground, ground_of

Node = tuple[object, ...]


def lower_bound(model: Model, criterion: str, taken: Iterable[Target], *, tour: bool = False) -> int:
    """So many answers at least are in any paths that take these targets, of transitions, pairs or n-switch.

    Two pairs are never taken by one firing, so each asks for one of its last transition. 0 for other criteria.
    """
    ground = ground_of(model)
    ids = {name: [t.id.split(" ; ") for t in taken if t.machine == name] for name in ground.graphs}
    if criterion not in ("transitions", "pairs") and not criterion.endswith("-switch"):
        return 0
    turn, *windows = (_flow(ground, graph, ids[name], tour, 0) for name, graph in ground.graphs.items())
    first = next(iter(ground.graphs))
    with_windows = _flow(ground, ground.graphs[first], ids[first], tour, _shortest_window(ground))
    return max(with_windows, turn + sum(windows))


def _shortest_window(ground: Ground) -> int:
    """How many answers a window takes at least."""
    window = ground.graphs.get("window")
    if window is None:
        return 0
    net = networkx.DiGraph()
    _walks(ground, window, net, True, 0)
    for arc in window.arcs:
        if ground.passes(arc) and ("row", arc.row.id) in net:
            net.edges[("row", arc.row.id), ("at", arc.to)]["weight"] += 1
    start = ("at", window.model.initial)
    costs: dict[Node, int] = networkx.single_source_dijkstra_path_length(net, start)
    return min((costs[("at", id)] for id in ground.finals if ("at", id) in costs), default=0)


def _flow(ground: Ground, graph: Graph, targets: list[list[str]], tour: bool, opened: int) -> int:
    """The least cost of walks in one machine that take every target once."""
    if not targets:
        return 0
    net = networkx.DiGraph()
    _walks(ground, graph, net, tour, opened)
    asked = sum(_asked(ground, graph, net, ids) for ids in targets)
    _supplies(net)
    between: int = networkx.min_cost_flow_cost(net)
    return asked + between


def _cost(ground: Ground, arc: Arc, opened: int) -> int:
    """Answers for this firing; one that closes a window has taken those of the window."""
    closes = arc.at in ground.windows and arc.row.event not in ground.signals
    return ground.cost(arc) + opened * closes


def _walks(ground: Ground, graph: Graph, net: networkx.DiGraph, tour: bool, opened: int) -> None:
    """Nodes are states, and for each transition one in the middle, whose way out costs what it takes."""
    live = prover_of(graph).live
    for arc in graph.arcs:
        if arc not in live or arc.row.target is None:
            continue
        middle = ("row", arc.row.id)
        net.add_edge(("at", arc.at), middle, weight=0)
        net.add_edge(middle, ("at", arc.to), weight=_cost(ground, arc, opened))
    ends = [s.id for s in graph.model.leaves if not tour or graph.name == "window" or s.kind == "final"]
    for id in ends:
        if ("at", id) in net:
            net.add_edge(("at", id), ("new",), weight=0)
    net.add_edge(("new",), ("at", graph.model.initial), weight=0)


def _asked(ground: Ground, graph: Graph, net: networkx.DiGraph, ids: list[str]) -> int:
    """Ask for the last transition of a target once more, for each target that ends with it; what that costs."""
    row = next(t for t in graph.model.transitions if t.id == ids[-1])
    arc = next(iter(graph.of_row[row.id]), None)
    if arc is None:
        return 0
    if row.target is None:
        return ground.cost(arc)
    edge = net.get_edge_data(("row", row.id), ("at", arc.to))
    if edge is None:
        return 0
    edge["least"] = edge.get("least", 0) + 1
    cost: int = edge["weight"]
    return cost


def _supplies(net: networkx.DiGraph) -> None:
    """A flow of at least so much on an edge is a supply at its end and a demand at its start, paid in advance."""
    for start, end, data in list(net.edges(data=True)):
        least = data.get("least", 0)
        if least:
            net.nodes[start]["demand"] = net.nodes[start].get("demand", 0) + least
            net.nodes[end]["demand"] = net.nodes[end].get("demand", 0) - least
