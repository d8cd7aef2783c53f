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
_WIDE = 0.65  # of the width of a cell is for lines from one side
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
        return _round_corner(sheet, line, a, b)
    here, there = sheet.area(a), sheet.area(b)
    if kind == "straight":
        return [(sheet.x[line.source], here.bottom), (sheet.x[line.target], there.top)]
    return [(here.left, sheet.y[line.source]), (there.right, sheet.y[line.target])]


def _round_corner(sheet: FlowSheet, line: Line, a: FlowCell, b: FlowCell) -> Sequence[Point]:
    """From the spine to the left, then up or down; or from the left up or down, then to the spine."""
    cell, other = (a, b) if a.left else (b, a)
    low, high = min(a.row, b.row), max(a.row, b.row)
    if any(c.left and c is not cell and low <= c.row <= high for c in sheet.grid.cells.values()):
        raise UnsuitableDiagram
    id, area, edge = cell.node.id, sheet.area(cell), sheet.area(other).left
    if a.row == b.row:
        y = sheet.y[id] + cell.height / 4
        return [(area.right, y), (edge, y)]
    y = sheet.y[other.node.id]
    x = sheet.x[id] + _aside(sheet, line, cell, up=y < sheet.y[id])
    end = area.top if y < sheet.y[id] else area.bottom
    if cell.node.kind == "final":
        height = sqrt(max(0.0, (area.height / 2) ** 2 - (x - area.x) ** 2))
        end = area.y - height if y < area.y else area.y + height
    way = [(x, end), (x, y), (edge, y)]
    return way if a.left else way[::-1]


def _aside(sheet: FlowSheet, line: Line, cell: FlowCell, *, up: bool) -> float:
    """How far right of its middle a corner meets a cell: apart from the others there, and without a
    crossing.
    """
    id, cells = cell.node.id, sheet.grid.cells
    at_cell = [o for o in sheet.grid.lines_of("corner") if id in (o.source, o.target)]
    rows = {o.id: cells[o.target if o.source == id else o.source].row for o in at_cell}
    same = [o for o in at_cell if rows[o.id] != cell.row and (rows[o.id] < cell.row) == up]
    if len(at_cell) > 1 and len(same) == 1:
        return 0.0 if cell.small else _ASIDE if line.source == id else -_ASIDE
    same.sort(key=lambda o: (-abs(rows[o.id] - cell.row), o.source == id))
    pitch = min(_ASIDE, cell.width * _WIDE / max(1, len(same) - 1))
    return (same.index(line) - (len(same) - 1) / 2) * pitch


def _right_edge(sheet: FlowSheet, cell: FlowCell, y: float) -> float:
    """Where the right side of a cell is at this height: a diamond's is slanted, a disc's is round."""
    area, aside = sheet.area(cell), abs(y - sheet.y[cell.node.id])
    if cell.node.kind == "final":
        radius = area.width / 2
        return area.x + sqrt(max(0.0, radius**2 - aside**2))
    return area.right - (aside if cell.node.kind == "choice" else 0.0)
