"""The corners of every line."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.lanes import Lane, Side
from fsm.views.drawing.placed import Point, tidy
from fsm.views.drawing.turn.across import Across
from fsm.views.drawing.turn.sheet import Item, Route


class Paths(Across):
    """The corners of every line."""

    def _draw(self) -> None:
        for route in self.routes.values():
            route.points = tidy(self._points(route))

    def _points(self, route: Route) -> Sequence[Point]:
        source, target = self.items.get(route.line.source), self.items.get(route.line.target)
        if route.kind == "straight" and source and target:
            return self._straight(source, target)
        if route.kind == "loop below" and source:
            y, half = source.y + source.height / 2, source.width / 4
            return [(source.x + half, y), (source.x + half, y + 20), (source.x - half, y + 20), (source.x - half, y)]
        if route.kind == "border below" and target:
            x = target.area.right - 12
            return [(x, self.box_span[route.line.source][1]), (x, target.area.bottom)]
        if route.kind == "lane" and source and target and route.lane:
            return self._by_lane(route, source, target, route.lane)
        if route.kind == "into gutter" and source and target and route.lane:
            return [
                (self._edge(source, "right"), route.y1),
                (route.lane.x, route.y1),
                *self._to_gutter(target, route.y1),
            ]
        if route.kind == "out of gutter" and source and target:
            end = (self._edge(target, "left"), route.y2)
            return [*reversed(self._to_gutter(source, route.y2)), (source.x, route.y2), end]
        if route.kind == "beside gutter" and source and target and route.lane:
            return [
                (self._edge(source, "right"), route.y1),
                (route.lane.x, route.y1),
                (route.lane.x, target.y),
                (target.x - target.width / 2, target.y),
            ]
        if route.kind == "border":
            return self._from_border(route, target)
        return ()

    def _to_gutter(self, node: Item, y: float) -> list[Point]:
        """The corner of a diamond in a gutter that faces this height."""
        if abs(y - node.y) < 2:
            return [(node.x - node.width / 2, node.y)]
        return [(node.x, node.y + (node.height / 2 if y > node.y else -node.height / 2))]

    def _edge(self, item: Item, side: Side) -> float:
        return item.x + (item.width / 2 if side == "right" else -item.width / 2)

    def _straight(self, a: Item, b: Item) -> list[Point]:
        """Down the spine of a box; into another box beside the spine, so that the line misses its title."""
        x = self._way_down(a, b)
        start = [(x, a.y + a.height / 2)]
        if not a.area.left < x < a.area.right:
            start = [(self._edge(a, "right" if x > a.x else "left"), a.y), (x, a.y)]
        end = [(x, b.y - b.height / 2)]
        if not b.area.left < x < b.area.right:
            end = [(x, b.y), (self._edge(b, "right" if x > b.x else "left"), b.y)]
        return start + end

    def _way_down(self, a: Item, b: Item) -> float:
        if a.unit is b.unit and a.node.box == b.node.box and not a.cross and not b.cross:
            return self.spine[a.column]
        return self.cross[a.column]

    def _by_lane(self, route: Route, source: Item, target: Item, lane: Lane) -> list[Point]:
        leave: Side = "left" if route.channel[0] == "L" else "right"
        arrive: Side = "left" if route.side2 == "right" and route.channel[0] != "R" else "right"
        if route.channel[0] == "L":
            arrive = "left"
        return [
            (self._edge(source, leave), route.y1),
            (lane.x, route.y1),
            (lane.x, route.y2),
            (self._end(target, arrive, route.y2), route.y2),
        ]

    def _end(self, item: Item, side: Side, y: float) -> float:
        """The side of a card or diamond, or the line that comes down to it."""
        return item.x if y < item.area.top else self._edge(item, side)

    def _from_border(self, route: Route, target: Item | None) -> list[Point]:
        assert target is not None
        x = self._box_sides(route.line.source)[1]
        if target.node.id in self.gutter_node.values():
            top, bottom = self.box_span[route.line.source]
            if top + 8 < target.y < bottom - 8:
                return [(x, target.y), (target.x - target.width / 2, target.y)]
            y = min(max(target.y, top + 14), bottom - 14)
            return [(x, y), (x + 10, y), (x + 10, target.y), (target.x - target.width / 2, target.y)]
        assert route.lane is not None
        arrive: Side = "left" if route.side2 == "right" else "right"
        return [
            (x, route.y1),
            (route.lane.x, route.y1),
            (route.lane.x, route.y2),
            (self._end(target, arrive, route.y2), route.y2),
        ]
