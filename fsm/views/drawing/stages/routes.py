"""The second stage of the layout: how each line of a stage view runs.

It runs straight on, over or under its row, through the gap below, or by a lane beside the boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fsm.views.drawing.diagram import Line
from fsm.views.drawing.stages.grid import StageCell, StageGrid

Kind = Literal[
    "straight",  # to the cell right beside
    "arc",  # over its row, to a cell further right
    "dip",  # under its row, to a cell further left
    "drop",  # down through one gap
    "right",  # down, by a lane right of the boxes
    "left",  # up, by a lane left of the boxes
]
Port = Literal[
    "left",
    "right",
    "top",
    "bottom",
    "side",  # at the left or right side, from above
    "level",  # at the left or right side, level with its middle
    "under",  # from below
    "border",  # of a box
]


@dataclass(frozen=True, slots=True)
class StageRoute:
    """The way of a line, and the ports at its ends.

    `gap1` is the gap in which it goes off to its lane, and `gap2` the one from which it arrives, by
    the row above it. `box` is the box whose border it leaves. `x1` and `x2` are where it leaves and
    arrives, across.
    """

    line: Line
    kind: Kind
    out: Port
    into: Port
    gap1: int | None = None
    gap2: int = 0
    box: str = ""
    x1: float = 0.0
    x2: float = 0.0


Routes: TypeAlias = Mapping[str, StageRoute]
"""The routes by the ids of their lines."""


def routes_of(grid: StageGrid) -> dict[str, StageRoute]:
    """Decide on a way for each line: the straight ones first, then those of the core."""
    found: dict[str, StageRoute] = {}
    taken: set[tuple[str, str]] = set()
    for line in grid.diagram.lines:
        ends = line.source, line.target
        if grid.neighbours(*ends) and ends not in taken:
            taken.add(ends)
            found[line.id] = StageRoute(line, "straight", "right", "left")
    spans = _spans(grid)
    for line in sorted(grid.diagram.lines, key=lambda line: line.layer != "core"):
        if line.id not in found and line.target in grid.cells:
            found[line.id] = _route(grid, line, found, spans)
    return found


def _spans(grid: StageGrid) -> dict[str, tuple[int, int]]:
    """The first and last row of each box."""
    found: dict[str, tuple[int, int]] = {}
    for row in range(len(grid.rows)):
        for box in grid.boxes_at(row):
            found[box] = (found.get(box, (row, row))[0], row)
    return found


def _route(
    grid: StageGrid, line: Line, known: Routes, spans: Mapping[str, tuple[int, int]]
) -> StageRoute:
    """The way of a line, given those of the lines before it."""
    a, b = grid.cells.get(line.source), grid.cells[line.target]
    if a is None:
        return _from_box(grid, line, b, spans)
    if a.row == b.row:
        forward = b.place > a.place
        return (
            StageRoute(line, "arc", "top", "top")
            if forward
            else StageRoute(line, "dip", "bottom", "bottom")
        )
    above = b.row - 1
    if b.row < a.row:
        return StageRoute(line, "left", "bottom", "top", a.row, above)
    if (
        a.node.kind == "start"
        and b.row > a.row + 1
        and _only_loose_diamonds(grid, a.row + 1, b.row)
    ):
        return StageRoute(line, "drop", "bottom", "top", None, above)
    beside = a.node.kind != "start" and _right_side_free(grid, a, known)
    if b.row == a.row + 1:
        down = any(
            r.kind == "drop" and r.out == "bottom" and r.line.source == line.source
            for r in known.values()
        )
        return StageRoute(
            line, "drop", "right" if a.small and down and beside else "bottom", "top", None, above
        )
    if beside:
        return StageRoute(line, "right", "right", "top", None, above)
    return StageRoute(line, "right", "bottom", "top", a.row, above)


def _only_loose_diamonds(grid: StageGrid, first: int, last: int) -> bool:
    """Are there only diamonds without a box in these rows, so that a line can pass them?"""
    return all(cell.small and not cell.node.box for row in grid.rows[first:last] for cell in row)


def _right_side_free(grid: StageGrid, cell: StageCell, known: Routes) -> bool:
    """Does nothing stand right of a cell, and does no line leave it there?"""
    taken = any(
        route.out == "right" and route.line.source == cell.node.id for route in known.values()
    )
    return grid.rows[cell.row][-1] is cell and not taken


def _from_box(
    grid: StageGrid, line: Line, b: StageCell, spans: Mapping[str, tuple[int, int]]
) -> StageRoute:
    """The way of a line from the border of a box."""
    box, above = _box_left(grid, line, spans), b.row - 1
    last = spans[box][1] if box else above
    kind: Kind = "drop" if above == last else "right" if above > last else "left"
    return StageRoute(line, kind, "border", "top", None, above, box)


def _box_left(grid: StageGrid, line: Line, spans: Mapping[str, tuple[int, int]]) -> str:
    """The box whose border a jump leaves: its own, or the last one of the view that does not keep
    it from that.
    """
    if line.source in spans:
        return line.source
    prefix = "from any step: "
    said = [word.removeprefix(prefix) for word in line.words[:1]]
    own = {
        o.source
        for o in grid.diagram.lines
        if o.ring and list(o.words[:1]) == said and o is not line
    }
    free = [box for box in spans if not own & set(grid.diagram.around(box))]
    return max(free or spans, key=lambda box: spans[box][1], default="")
