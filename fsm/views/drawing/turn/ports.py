"""The fourth stage of the layout: how high on the sides of cards lines leave and arrive, lines up
above lines down.

A diamond in a gutter gets its height here too: half way between where its line comes from and where
it goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.views.drawing.lanes import End, Side
from fsm.views.drawing.turn.grid import Grid, TurnNode
from fsm.views.drawing.turn.heights import Heights
from fsm.views.drawing.turn.routes import Routes, TurnRoute, into_gutter, out_of_gutter

_PITCH = 15.0  # between two lines at the same side of a card
_CORNER = 7.0  # no line starts or ends nearer to a corner of a card
_LEVEL_CORNER = 8.0  # the same for a line that is moved to be level with its other end
_ABOVE_DIAMOND = 7.0
_FAR_DOWN = 1e4
_NO_NEIGHBOUR = 20.0  # the height of a diamond in a gutter that nothing stands beside


@dataclass(frozen=True, slots=True)
class Ports:
    """The heights of the ends of lines, and of the diamonds in gutters."""

    heights: Mapping[End, float]
    gutters: Mapping[str, float]


def ports_of(grid: Grid, routes: Routes, heights: Heights) -> Ports:
    """Spread the lines over the sides of the nodes, then place the diamonds in gutters."""
    at_side: dict[tuple[str, Side], list[End]] = {}
    for id, route in routes.items():
        leaves, arrives = _leaves(grid, route), _arrives(route)
        if leaves and route.line.source in grid.nodes:
            at_side.setdefault((route.line.source, leaves), []).append((id, "start"))
        if arrives and route.line.target in grid.nodes:
            at_side.setdefault((route.line.target, arrives), []).append((id, "end"))
    found: dict[End, float] = {}
    for (node, _), ends in at_side.items():
        found |= _spread(grid, routes, heights, grid.nodes[node], ends)
    alone = {key for key, ends in at_side.items() if len(ends) == 1}
    gutters: dict[str, float] = {}
    for route in routes.values():
        if route.kind in ("into gutter", "out of gutter", "gutter to margin"):
            node = route.line.target if route.kind == "into gutter" else route.line.source
            found |= _levelled(grid, routes, heights, node, found, alone)
            gutters[node] = _gutter_height(grid, routes, heights, node, found)
    return Ports(found, gutters)


def _leaves(grid: Grid, route: TurnRoute) -> Side | None:
    """The side of its source on which a line has a port."""
    if route.kind in ("lane", "join", "margin", "into gutter", "beside gutter"):
        return "left" if route.runs("left") else "right"
    return (
        "right"
        if route.kind == "connector" and grid.nodes[route.line.source].node.kind == "card"
        else None
    )


def _arrives(route: TurnRoute) -> Side | None:
    """The side of its target on which a line has a port."""
    if route.kind in ("lane", "out of gutter", "border"):
        return "left" if route.side2 == "right" else "right"
    return "right" if route.kind == "word" else None


def _spread(
    grid: Grid, routes: Routes, heights: Heights, item: TurnNode, ends: list[End]
) -> dict[End, float]:
    """The heights of the lines at one side of a node."""
    y = heights.nodes[item.node.id]
    if item.node.kind != "card":
        leaves = any(which == "start" for _, which in ends)
        joins = any(r.kind == "straight" and r.line.target == item.node.id for r in routes.values())
        above = y - item.height / 2 - _ABOVE_DIAMOND if joins else y
        # A line joins the one that comes down, so as not to run along one that leaves on the same
        # side.
        return {end: above if leaves and end[1] == "end" else y for end in ends}
    ends = sorted(ends, key=lambda end: _order(grid, heights, item, routes[end[0]], end))
    count = len(ends)
    pitch = min(_PITCH, (item.height - 2 * _CORNER) / max(1, count - 1)) if count > 1 else 0.0
    return {end: y + (i - (count - 1) / 2) * pitch for i, end in enumerate(ends)}


def _order(
    grid: Grid, heights: Heights, item: TurnNode, route: TurnRoute, end: End
) -> tuple[float, float]:
    """Lines up first, then loops, ways out to the margin, lines down, and words."""
    if route.line.source == route.line.target:
        return (1.5, 1.0 if end[1] == "start" else 2.0)
    if route.kind == "margin":  # the plain way out lies lowest, as its disc does
        return (1.2, float(route.line.words in ((), ("else",))))
    if route.kind == "word":
        return (2.5, 0.0)
    other = _other_height(grid, heights, route, end)
    if (
        route.kind == "lane" and route.side1 != route.side2
    ):  # from the left of a gutter to its right
        return (1.0 if other < heights.nodes[item.node.id] else 2.0, other)
    if route.runs("left") or route.runs(
        "right"
    ):  # beside the cards: outside of what comes from further away
        return (0.9 if other < heights.nodes[item.node.id] else 2.2, -other)
    return (1.0 if other < heights.nodes[item.node.id] else 2.0, -other)


def _other_height(grid: Grid, heights: Heights, route: TurnRoute, end: End) -> float:
    """About how high the other end is; behind a diamond in a gutter, what lies beyond that."""
    leaving = end[1] == "start"
    other = route.line.target if leaving else route.line.source
    if grid.in_gutter(other):
        lines = [
            line
            for line in grid.diagram.lines
            if (line.source if leaving else line.target) == other
        ]
        beyond = (line.target if leaving else line.source for line in lines)
        return heights.nodes.get(next((id for id in beyond if id in grid.nodes), ""), 0.0)
    if other in grid.nodes:
        return heights.nodes[other]
    return sum(heights.boxes[other]) / 2 if other in heights.boxes else _FAR_DOWN


def _levelled(
    grid: Grid,
    routes: Routes,
    heights: Heights,
    node: str,
    found: Mapping[End, float],
    alone: set[tuple[str, Side]],
) -> dict[End, float]:
    """A line to or from a gutter that is alone on its side of a card is level with the other line,
    if it can be.
    """

    def reaches(card: str, side: Side, y: float) -> bool:
        item = grid.nodes[card]
        near = abs(y - heights.nodes[card]) < item.height / 2 - _LEVEL_CORNER
        return (card, side) in alone and item.node.kind == "card" and near

    into, out = into_gutter(routes, node), out_of_gutter(routes, node)
    if not into or not out:
        return {}
    start: End = (into.line.id, "start")
    end: End = (out.line.id, "end")
    if reaches(into.line.source, "right", found[end]):
        return {start: found[end]}
    return {end: found[start]} if reaches(out.line.target, "left", found[start]) else {}


def _gutter_height(
    grid: Grid, routes: Routes, heights: Heights, node: str, found: Mapping[End, float]
) -> float:
    into, out = into_gutter(routes, node), out_of_gutter(routes, node)
    ys = [found[into.line.id, "start"]] if into else []
    ys += [found[out.line.id, "end"]] if out else []
    above = grid.order[grid.nodes[node].column]
    return sum(ys) / len(ys) if ys else heights.nodes[above[-1]] if above else _NO_NEIGHBOUR
