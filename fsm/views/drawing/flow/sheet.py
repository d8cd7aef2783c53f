"""Where everything of a flat model stands: rows down, ports at the sides of cells, then lanes and
columns across.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.views.drawing.diagram import ANYWHERE, Line
from fsm.views.drawing.flow.grid import FlowCell, FlowGrid
from fsm.views.drawing.lanes import End, Lane, spread
from fsm.views.drawing.measures import CITATION, LEADING
from fsm.views.drawing.placed import Rect, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import label_words

LABEL_WIDTH = 128.0
_GAP, _GAP_AT_JUMP, _LABEL_GAP = 22.0, 42.0, 9.0
_BOX_HEAD, _BOX_FOOT = 34.0, 18.0
_PORT_PITCH, _PORT_CORNER = 12.0, 14.0
_SLANTED_PORTS = 0.65  # how much of a diamond's or disc's height lines can leave
_LEFT_PADDING, _LEFT_GAP, _LABEL_ROOM = 24.0, 30.0, 26.0
_BOX_GAP, _BOX_SIDE = 32.0, 12.0
_FIRST_LANE = 26.0


@dataclass(frozen=True, slots=True)
class FlowSheet:
    """The grid with the middle of each cell, the right side of the spine, and the lanes with their
    places.
    """

    grid: FlowGrid
    x: Mapping[str, float]
    y: Mapping[str, float]
    side: float
    lanes: Mapping[str, Lane]
    lane_x: Mapping[str, float]

    def area(self, cell: FlowCell) -> Rect:
        """Where a cell is."""
        return Rect.around(self.x[cell.node.id], self.y[cell.node.id], cell.width, cell.height)


def sheet_of(grid: FlowGrid, slack: Slack) -> FlowSheet:
    """Place cells and lanes."""
    y = _heights(grid, slack)
    lanes = _lanes(grid, slack, y, _ports(grid, y))
    x, side = _across(grid)
    places, _ = spread(lanes, side + _FIRST_LANE)
    return FlowSheet(grid, x, y, side, lanes, places)


def _heights(grid: FlowGrid, slack: Slack) -> dict[str, float]:
    """The middle of each cell, row by row."""
    found: dict[str, float] = {}
    rows = [
        [cell for cell in grid.cells.values() if cell.row == row] for row in range(len(grid.spine))
    ]
    boxes = [{cell.node.box for cell in row if cell.node.box} for row in rows]
    y = 0.0
    for n, row in enumerate(rows):
        height = max(cell.height for cell in row)
        y += _gap(grid, slack, grid.spine[n - 1], grid.spine[n]) if n else 0.0
        before, after = boxes[n - 1] if n else set(), boxes[n + 1] if n + 1 < len(rows) else set()
        y += _BOX_HEAD * bool(boxes[n] - before)
        found.update((cell.node.id, y + height / 2) for cell in row)
        y += height + sum(
            _BOX_FOOT + LEADING[CITATION] * len(grid.notes.get(box, ())) for box in boxes[n] - after
        )
    return found


def _gap(grid: FlowGrid, slack: Slack, above: str, below: str) -> float:
    between = [
        line for line in grid.lines_of("straight") if (line.source, line.target) == (above, below)
    ]
    tallest = max(
        (text_size(label_words(line, LABEL_WIDTH))[1] for line in between if line.words),
        default=0.0,
    )
    least = _GAP_AT_JUMP if any(line.layer == "jump" for line in between) else _GAP
    return max(least, tallest + _LABEL_GAP) + slack.room("below", above)


def _ports(grid: FlowGrid, y: Mapping[str, float]) -> dict[End, float]:
    """Where lanes leave and reach the right side of each cell: ways up above ways down."""
    found: dict[End, float] = {}
    for id, cell in grid.cells.items():
        ends: list[tuple[float, int, End]] = []
        for n, line in enumerate(grid.diagram.lines):
            if grid.in_lane(line) and line.source == id:
                ends.append((y.get(line.target, y[id] - 1), n, (line.id, "start")))
            if grid.in_lane(line) and line.target == id:
                ends.append((y.get(line.source, y[id] - 1), -n, (line.id, "end")))
        ends.sort(key=lambda end: (end[0] > y[id], -end[0], end[1]))
        steps = max(1, len(ends) - 1)
        pitch = min(_PORT_PITCH, (cell.height - _PORT_CORNER) / steps) if not cell.small else 0.0
        if cell.node.kind in ("choice", "final"):
            pitch = min(_PORT_PITCH, _SLANTED_PORTS * cell.height / steps)
        found.update(
            (port, y[id] + (i - (len(ends) - 1) / 2) * pitch) for i, (_, _, port) in enumerate(ends)
        )
    return found


def _lanes(
    grid: FlowGrid, slack: Slack, y: Mapping[str, float], ports: Mapping[End, float]
) -> dict[str, Lane]:
    found: dict[str, Lane] = {}
    for line in grid.lines_of("lane", "box"):
        start = ports.get((line.id, "start"), _middle_of_box(grid, y, line.source))
        end, room = ports.get((line.id, "end"), start), slack.room("beside lane", line.id)
        found[line.id] = Lane(start, end, "left", "left", room=room)
    return found


def _middle_of_box(grid: FlowGrid, y: Mapping[str, float], box: str) -> float:
    ys = [y[id] for id, cell in grid.cells.items() if box in (cell.node.box, ANYWHERE.id)]
    return (min(ys) + max(ys)) / 2 if ys else 0.0


def _across(grid: FlowGrid) -> tuple[dict[str, float], float]:
    """The middle of each cell, and the right side of the spine."""
    lefts = [cell.width for cell in grid.cells.values() if cell.left]
    left_boxes = [grid.box_width(box) for box in grid.diagram.boxes if grid.is_left(box.id)]
    left_width = max([*lefts, *(width - _LEFT_PADDING for width in left_boxes)], default=0.0)
    spine_width = max(cell.width for cell in grid.cells.values() if not cell.left)
    labels = (
        text_size(label_words(line, LABEL_WIDTH))[0] - _free_beside(grid, line, spine_width)
        for line in grid.lines_of("across", "corner")
    )
    label = max(labels, default=0.0)
    gap = max(_LEFT_GAP, label + _LABEL_ROOM) if lefts else 0.0
    x = left_width + gap + spine_width / 2
    if left_boxes:
        others = [grid.box_width(box) for box in grid.diagram.boxes if not grid.is_left(box.id)]
        x = max(
            [
                x,
                *(
                    left_width + _BOX_GAP + max(wide, spine_width / 2 + _BOX_SIDE)
                    for wide in others
                ),
            ]
        )
    return {
        id: left_width / 2 if cell.left else x for id, cell in grid.cells.items()
    }, x + spine_width / 2


def _free_beside(grid: FlowGrid, line: Line, spine_width: float) -> float:
    """How much of a label finds room beside the end that stands on the spine."""
    a, b = grid.cells[line.source], grid.cells[line.target]
    on_spine = b if a.left else a
    level = a.row == b.row and not on_spine.small
    return (spine_width - on_spine.width) / 2 if level else spine_width / 2
