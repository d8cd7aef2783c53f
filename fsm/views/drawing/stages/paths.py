"""The seventh stage of the layout: the corners of every line."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.views.drawing.placed import Point, tidy
from fsm.views.drawing.stages.channels import is_direct, zone_of
from fsm.views.drawing.stages.routes import StageRoute
from fsm.views.drawing.stages.sheet import StageSheet

_PAST_SOURCE = 16.0  # how far a line runs on at the side of its source before it turns


def paths_of(sheet: StageSheet, lanes: Mapping[str, float]) -> dict[str, tuple[Point, ...]]:
    """The corners of each line."""
    return {
        id: tidy([_first(sheet, route), *_middle(sheet, route, lanes), *_last(sheet, route)])
        for id, route in sheet.routes.items()
    }


def _first(sheet: StageSheet, route: StageRoute) -> Point:
    if route.out == "border":
        area = sheet.borders[route.box]
        if route.kind == "drop":
            return route.x1, area.bottom
        return area.right if route.kind == "right" else area.left, sheet.leaving(route)[1]
    source = sheet.area(route.line.source)
    if route.out == "right":
        return source.right, sheet.y(route.line.source)
    return route.x1, source.top if route.out == "top" else source.bottom


def _middle(sheet: StageSheet, route: StageRoute, lanes: Mapping[str, float]) -> list[Point]:
    if route.kind == "straight":
        return []
    if route.kind in ("right", "left"):
        x, y1, y2 = lanes[route.line.id], sheet.leaving(route)[1], sheet.arrival(route)
        first = [(route.x1, y1)] if route.gap1 is not None else []
        return [*first, (x, y1), (x, y2), (route.x2, y2)]
    if route.into == "level":
        return [(route.x1, sheet.y(route.line.target))]
    if route.kind == "drop" and is_direct(sheet.grid, route, sheet.across.x):
        return [(route.x2, sheet.y(route.line.source))] if route.out == "right" else []
    y = sheet.track(zone_of(sheet.grid, route), (route.line.id, "start"))
    if route.out != "right":
        return [(route.x1, y), (route.x2, y)]
    x = sheet.area(route.line.source).right + _PAST_SOURCE
    return [(x, sheet.y(route.line.source)), (x, y), (route.x2, y)]


def _last(sheet: StageSheet, route: StageRoute) -> list[Point]:
    target, x, y = sheet.area(route.line.target), route.x2, sheet.y(route.line.target)
    if route.kind == "straight":
        return [(target.left, y)]
    if route.into == "level":
        return [(x, y)]
    if route.into == "side":
        return [(x, y), (target.right if x > target.x else target.left, y)]
    if route.into in ("bottom", "under"):
        return [(x, target.bottom)]
    diamond = sheet.grid.cells[route.line.target].node.kind == "choice"
    return [(x, target.top + (abs(x - target.x) if diamond else 0.0))]
