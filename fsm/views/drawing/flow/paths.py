"""The corners of the lines of a flat model."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from fsm.views.drawing.diagram import Line
from fsm.views.drawing.flow.grid import FlowCell
from fsm.views.drawing.flow.sheet import FlowSheet
from fsm.views.drawing.flow.spine import UnsuitableDiagram
from fsm.views.drawing.placed import Point, tidy

_BORDER = 12.0  # from the spine to the border that a line leaves
_ASIDE = 10.0  # from the middle of a cell, where several lines meet at one side


def path_of(sheet: FlowSheet, line: Line) -> tuple[Point, ...]:
    """The corners of a line. Raises UnsuitableDiagram if something is in its way."""
    return tidy(_corners(sheet, line))


def _corners(sheet: FlowSheet, line: Line) -> Sequence[Point]:
    cells, kind = sheet.grid.cells, sheet.grid.kinds[line.id]
    a, b = cells.get(line.source), cells.get(line.target)
    if kind in ("lane", "box"):
        lane, x = sheet.lanes[line.id], sheet.lane_x[line.id]
        start = _right_edge(sheet, a, lane.start) if a else sheet.side + _BORDER
        end = _right_edge(sheet, b, lane.end) if b else sheet.side
        return [(start, lane.start), (x, lane.start), (x, lane.end), (end, lane.end)]
    assert a is not None and b is not None
    if kind == "corner":
        return _round_corner(sheet, a, b)
    here, there = sheet.area(a), sheet.area(b)
    if kind == "straight":
        return [(sheet.x[line.source], here.bottom), (sheet.x[line.target], there.top)]
    return [(here.left, sheet.y[line.source]), (there.right, sheet.y[line.target])]


def _round_corner(sheet: FlowSheet, a: FlowCell, b: FlowCell) -> Sequence[Point]:
    """From the spine to the left, then up or down; or from the left up or down, then to the spine."""
    cell, other = (a, b) if a.left else (b, a)
    low, high = min(a.row, b.row), max(a.row, b.row)
    if any(c.left and c is not cell and low <= c.row <= high for c in sheet.grid.cells.values()):
        raise UnsuitableDiagram
    id, area, edge = cell.node.id, sheet.area(cell), sheet.area(other).left
    if a.row == b.row:
        y = sheet.y[id] + cell.height / 4
        return [(area.right, y), (edge, y)]
    several = sum(id in (line.source, line.target) for line in sheet.grid.lines_of("corner")) > 1
    x = sheet.x[id] + ((_ASIDE if a.left else -_ASIDE) if several else 0)
    y = sheet.y[other.node.id]
    way = [(x, area.top if y < sheet.y[id] else area.bottom), (x, y), (edge, y)]
    return way if a.left else way[::-1]


def _right_edge(sheet: FlowSheet, cell: FlowCell, y: float) -> float:
    """Where the right side of a cell is at this height: a diamond's is slanted, a disc's is round."""
    area, aside = sheet.area(cell), abs(y - sheet.y[cell.node.id])
    if cell.node.kind == "final":
        radius = area.width / 2
        return area.x + sqrt(max(0.0, radius**2 - aside**2))
    return area.right - (aside if cell.node.kind == "choice" else 0.0)
