"""The seventh stage of the layout: the corners of every line between nodes and boxes."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.lanes import Side
from fsm.views.drawing.placed import Point, Rect, tidy
from fsm.views.drawing.turn.routes import TurnRoute
from fsm.views.drawing.turn.sheet import StandingNode, TurnSheet

_LOOP_HEIGHT = 20.0
_LOOP_LEFT, _LOOP_RIGHT = (
    14.0,
    6.0,
)  # from the edge and the middle of the card, beside a line straight down
_JUMP_FROM_EDGE = 12.0  # a line from a lower border runs up this far from the edge of the card
LEVEL = 2.0  # heights this near to each other are the same

# A line from the border of a box to a diamond in a gutter.
_BORDER_END, _BORDER_CORNER, _BEND = 8.0, 14.0, 10.0


def paths_of(sheet: TurnSheet) -> dict[str, tuple[Point, ...]]:
    """The corners of each line; () for those that are drawn in the margin or as stubs."""
    return {id: tidy(_corners(sheet, route)) for id, route in sheet.routes.items()}


def _corners(sheet: TurnSheet, route: TurnRoute) -> Sequence[Point]:
    line = route.line
    source, target = sheet.nodes.get(line.source), sheet.nodes.get(line.target)
    if target is None:
        return ()
    if route.kind == "border below":
        x = target.area.right - _JUMP_FROM_EDGE
        return [(x, sheet.box_area(line.source).bottom), (x, target.area.bottom)]
    if route.kind == "border":
        return _from_border(sheet, route, target)
    if source is None:
        return ()
    if route.kind == "straight":
        return _straight(sheet, source, target)
    if route.kind == "loop below":
        y, quarter = source.y + source.item.height / 2, source.item.width / 4
        low, left, right = y + _LOOP_HEIGHT, source.x - quarter, source.x + quarter
        if sheet.grid.goes_down(line.source):  # left of the line down
            left, right = source.edge("left") + _LOOP_LEFT, source.x - _LOOP_RIGHT
        return [(right, y), (right, low), (left, low), (left, y)]
    start, end, lane = sheet.start(line.id), sheet.end(line.id), sheet.lane(line.id)
    if route.kind == "out of gutter":
        return [_corner_facing(source, end), (source.x, end), (target.edge("left"), end)]
    if lane is None:
        return ()
    if route.kind == "join":
        return [
            (source.edge("right"), start),
            (lane, start),
            (lane, end),
            (sheet.column_of(line.source).beside, end),
        ]
    if route.kind == "lane":
        leave: Side = "left" if route.runs("left") else "right"
        arrive: Side = "left" if route.side2 == "right" and not route.runs("right") else "right"
        return [
            (source.edge(leave), start),
            (lane, start),
            (lane, end),
            (_edge_at(target, arrive, end), end),
        ]
    if route.kind == "into gutter":
        return [(source.edge("right"), start), (lane, start), _corner_facing(target, start)]
    if route.kind == "beside gutter":
        return [
            (source.edge("right"), start),
            (lane, start),
            (lane, target.y),
            (target.edge("left"), target.y),
        ]
    return ()


def _corner_facing(node: StandingNode, y: float) -> Point:
    """The corner of a diamond in a gutter that faces this height."""
    if abs(y - node.y) < LEVEL:
        return node.edge("left"), node.y
    return node.x, node.y + (node.item.height / 2 if y > node.y else -node.item.height / 2)


def _straight(sheet: TurnSheet, a: StandingNode, b: StandingNode) -> list[Point]:
    """Down the spine of a box; into another box beside the spine, so that the line misses its name."""
    column = sheet.across.columns[a.item.column]
    same_box = a.item.unit is b.item.unit and a.node.box == b.node.box
    x = column.spine if same_box and not a.item.beside and not b.item.beside else column.beside
    start = [(x, a.y + a.item.height / 2)]
    if not a.area.left < x < a.area.right:
        start = [(a.edge("right" if x > a.x else "left"), a.y), (x, a.y)]
    end = [(x, b.y - b.item.height / 2)]
    if not b.area.left < x < b.area.right:
        end = [(x, b.y), (b.edge("right" if x > b.x else "left"), b.y)]
    return start + end


def _edge_at(node: StandingNode, side: Side, y: float) -> float:
    """The side of a card or diamond, or the line that comes down to it."""
    return node.x if y < node.area.top else node.edge(side)


def _from_border(sheet: TurnSheet, route: TurnRoute, target: StandingNode) -> list[Point]:
    line, box = route.line, sheet.box_area(route.line.source)
    lane = sheet.lane(line.id)
    if lane is None:
        return _from_border_to_gutter(box, target)
    start, end = sheet.start(line.id), sheet.end(line.id)
    arrive: Side = "left" if route.side2 == "right" else "right"
    return [(box.right, start), (lane, start), (lane, end), (_edge_at(target, arrive, end), end)]


def _from_border_to_gutter(box: Rect, target: StandingNode) -> list[Point]:
    x, end = box.right, (target.edge("left"), target.y)
    if box.top + _BORDER_END < target.y < box.bottom - _BORDER_END:
        return [(x, target.y), end]
    y = min(max(target.y, box.top + _BORDER_CORNER), box.bottom - _BORDER_CORNER)
    return [(x, y), (x + _BEND, y), (x + _BEND, target.y), end]
