"""The channels of a stage view: above and below each row, in the gaps between rows, and the lanes at both sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from fsm.views.drawing.diagram import Diagram
from fsm.views.drawing.lanes import Lane, spread
from fsm.views.drawing.placed import Point, Rect, Words, text_size, tidy
from fsm.views.drawing.stages.cells import PAD, Grid
from fsm.views.drawing.stages.routes import FAR, Route, Routes

Zone = tuple[Literal["over", "under", "gap"], int]
TITLE, EDGE, LEAST, FOOT = 24.0, 10.0, 20.0, 14.0
OUTER, NEAR = 12.0, 15.0
_NOTE_GAP, _UNDER_DISC, _PAST_SOURCE = 4.0, 18.0, 16.0
_FROM_FOOT, _BORDER_PITCH = 9.0, 12.0  # where lines leave the side of a box, from its foot up


class Channels:
    """Every track with its place: first down, then the lanes across."""

    def __init__(
        self, diagram: Diagram, grid: Grid, routes: Routes, rooms: Mapping[str, float], notes: Mapping[str, list[Words]]
    ) -> None:
        self.diagram, self.grid, self.routes = diagram, grid, routes
        self.rooms, self.notes = rooms, notes
        self.zones: dict[Zone, dict[tuple[str, int], Lane]] = {}
        self.tops: dict[Zone, float] = {}
        self.boxes: dict[str, list[float]] = {}
        self.places: dict[Zone, dict[tuple[str, int], float]] = {}
        self.lanes: dict[str, float] = {}

    # tracks ----------------------------------------------------------------------------------------------

    def tracks(self) -> None:
        """Which tracks there are in each channel."""
        for route in self.routes.found.values():
            room = self.rooms.get(route.line.id, 0.0)
            if route.kind == "arc":
                self._add(("over", self._row(route)), route, 1, Lane(route.x1, route.x2, "right", "right", room=room))
            elif route.kind == "dip":
                self._add(("under", self._row(route)), route, 1, Lane(route.x1, route.x2, "left", "left", room=room))
            elif route.kind == "drop" and not self.direct(route):
                self._add(("gap", route.gap1 or 0), route, 1, Lane(route.x1, route.x2, "left", "right", room=room))
            elif route.kind in ("right", "left"):
                self._laned(route, room)

    def _laned(self, route: Route, room: float) -> None:
        down = route.kind == "right"
        far = FAR if down else -FAR
        if route.gap1 is not None:
            lane = Lane(route.x1, far, "left", "right" if down else "left", room=room)
            self._add(("gap", route.gap1), route, 1, lane)
        if route.gap2 is not None and route.into not in ("level", "under"):
            inside = self.rooms.get("inside", 0.0) and room if route.gap1 is None else 0.0
            lane = Lane(far, route.x2, "left" if down else "right", "right", room=inside)
            self._add(("gap", route.gap2), route, 2, lane)

    def _add(self, zone: Zone, route: Route, end: int, lane: Lane) -> None:
        self.zones.setdefault(zone, {})[route.line.id, end] = lane

    def _row(self, route: Route) -> int:
        return self.grid.cells[route.line.source].row

    def direct(self, route: Route) -> bool:
        """Does it come down without a track: straight, or beside its source onto its target?"""
        source = self.routes.cell(route.line.source)
        if route.into == "level":
            return True
        if route.out == "right" and source:
            return route.x2 > source.area.right + 10
        return abs(route.x1 - route.x2) < 1

    def _height(self, zone: Zone) -> float:
        if zone not in self.zones:
            return 0.0
        self.places[zone], end = spread(self.zones[zone], 0.0)
        return end + (EDGE if zone[0] == "gap" else NEAR)

    # down ------------------------------------------------------------------------------------------------

    def down(self) -> None:
        """Give every row, box and track its y."""
        y, count = 0.0, len(self.grid.rows)
        for r, row in enumerate(self.grid.rows):
            here, before = self._around(r), self._around(r - 1)
            y += self._gap(r - 1, y) if r else 0.0
            for box in here:
                if box not in before:
                    self.boxes[box] = [y, y]
                    y += TITLE
            self.tops["over", r] = y
            y += self._height(("over", r))
            height = max((c.height for c in row), default=0.0)
            for cell in row:
                cell.y = y + height / 2
            y += height
            self.tops["under", r] = y + NEAR
            y += self._height(("under", r))
            following = self._around(r + 1) if r + 1 < count else ()
            for box in reversed(here):
                if box not in following:
                    y += FOOT + (text_size(self.notes[box])[1] + _NOTE_GAP if self.notes.get(box) else 0.0)
                    self.boxes[box][1] = y

    def _around(self, row: int) -> tuple[str, ...]:
        return self.grid.boxes_at(self.diagram, row)

    def _gap(self, row: int, y: float) -> float:
        """The height of the gap below a row."""
        self.tops["gap", row] = y + EDGE
        opens = set(self._around(row + 1)) - set(self._around(row))
        near = EDGE if opens or ("gap", row) not in self.zones else NEAR
        return max(LEAST, self._height(("gap", row)) + near, self.rooms.get(f"gap{row}", 0.0))

    def track(self, zone: Zone, route: Route, end: int = 1) -> float:
        """The y of a track."""
        return self.tops[zone] + self.places[zone][route.line.id, end]

    # across ----------------------------------------------------------------------------------------------

    def box_area(self, box: str, left: float, right: float) -> Rect:
        """Where a box is: those within others are narrower."""
        around = self.diagram.around(box)
        deepest = max((len(self.diagram.around(b.id)) for b in self.diagram.boxes), default=1)
        out = OUTER * (deepest - len(around))
        top, bottom = self.boxes[box]
        return Rect(left - out, top, right + out, bottom)

    def across(self, left: float, right: float) -> None:
        """Give every lane at the sides its x."""
        sides: dict[str, dict[str, Lane]] = {"right": {}, "left": {}}
        for route in self.routes.found.values():
            if route.kind in sides:
                ys = self.start(route)[1], self._arrival(route)
                room = self.rooms.get(f"{route.line.id} lane", 0.0)
                sides[route.kind][route.line.id] = Lane(*ys, "left", "left", room=room)
        self.lanes, _ = spread(sides["right"], right + PAD)
        lefts, _ = spread(sides["left"], PAD - left)
        self.lanes.update((id, -x) for id, x in lefts.items())

    def _arrival(self, route: Route) -> float:
        """The y at which a laned line leaves its lane."""
        target = self.grid.cells[route.line.target]
        if route.into in ("level", "under"):
            return target.y if route.into == "level" else target.area.bottom + _UNDER_DISC
        return self.track(("gap", route.gap2 or 0), route, 2)

    def start(self, route: Route) -> Point:
        """Where a laned line turns into its lane, or leaves its box."""
        if route.gap1 is not None:
            return route.x1, self.track(("gap", route.gap1), route)
        source = self.routes.cell(route.line.source)
        if source:
            return source.area.right, source.y
        box = self.routes.box_of_ring(route.line)
        same = [
            r
            for r in self.routes.found.values()
            if r.out == "border" and r.kind == route.kind and self.routes.box_of_ring(r.line) == box
        ]
        return 0.0, self.boxes[box][1] - _FROM_FOOT - _BORDER_PITCH * same.index(route)

    # lines -----------------------------------------------------------------------------------------------

    def points(self, route: Route, borders: Mapping[str, Rect]) -> tuple[Point, ...]:
        """The corners of a line."""
        return tidy([*self._first(route, borders), *self._middle(route), *self._last(route)])

    def _first(self, route: Route, borders: Mapping[str, Rect]) -> list[Point]:
        source = self.routes.cell(route.line.source)
        if source is None:
            area = borders[self.routes.box_of_ring(route.line)]
            if route.kind == "drop":
                return [(route.x1, area.bottom)]
            return [(area.right if route.kind == "right" else area.left, self.start(route)[1])]
        if route.out == "right":
            return [(source.area.right, source.y)]
        return [(route.x1, source.area.top if route.out == "top" else source.area.bottom)]

    def _middle(self, route: Route) -> list[Point]:
        if route.kind == "straight":
            return []
        if route.kind in ("right", "left"):
            x, y1 = self.lanes[route.line.id], self.start(route)[1]
            y2 = self._arrival(route)
            first = [(route.x1, y1)] if route.gap1 is not None else []
            return [*first, (x, y1), (x, y2), (route.x2, y2)]
        if route.kind == "drop" and route.into == "level":
            return [(route.x1, self.grid.cells[route.line.target].y)]
        if route.kind == "drop" and self.direct(route):
            source = self.routes.cell(route.line.source)
            return [(route.x2, source.y)] if route.out == "right" and source else []
        zone: Zone = ("gap", route.gap1 or 0)
        if route.kind != "drop":
            zone = ("over" if route.kind == "arc" else "under", self._row(route))
        y = self.track(zone, route)
        source = self.routes.cell(route.line.source)
        x1 = source.area.right + _PAST_SOURCE if route.out == "right" and source else route.x1
        first = [(x1, source.y)] if route.out == "right" and source else []
        return [*first, (x1, y), (route.x2, y)]

    def _last(self, route: Route) -> list[Point]:
        target = self.grid.cells[route.line.target]
        if route.kind == "straight":
            return [(target.area.left, target.y)]
        if route.into == "level":
            return [(route.x2, target.y)]
        if route.into == "side":
            edge = target.area.right if route.x2 > target.x else target.area.left
            return [(route.x2, target.y), (edge, target.y)]
        return [(route.x2, target.area.bottom if route.into in ("bottom", "under") else target.area.top)]
