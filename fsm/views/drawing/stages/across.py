"""The third stage of the layout: how far right every cell of a stage view stands.

Stages stand in columns, the same for all rows, with diamonds between them. Entries stand above what
they lead to, and ends below what leads to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fsm.views.drawing.diagram import Line
from fsm.views.drawing.measures import HEADLINE, PAGE_WIDTH
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.placed import text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.stages.grid import (
    PAD,
    STAGE_WIDTH,
    StageCell,
    StageGrid,
    disc_words,
    stage_title,
)
from fsm.views.drawing.stages.routes import Routes, StageRoute
from fsm.views.drawing.texts import label_words

BESIDE_SMALL = 13.0
"""From the side of a diamond or disc to a line that comes down beside it."""

# Between the cells of a row.
_GAP, _GAP_TO_SMALL = 36.0, 24.0
_LABEL_WIDTH, _LABEL_ROOM = (
    64.0,
    15.0,
)  # of the label of a line between two neighbours, and what stands beside it
_BEFORE_FIRST = 16.0  # left of diamonds that stand before the first stage

# Entries.
_PAST_CELLS, _START_PITCH, _FIRST_START = 40.0, 24.0, 60.0

# Ends.
_PAST_SOURCE, _FROM_BORDER, _FROM_RIGHT = 40.0, 90.0, 40.0
_END_PITCH, _LINE_PITCH = 16.0, 16.0

_FAR = 1e6  # beyond any picture

Rooms = Mapping[tuple[str, str], float]
"""What the label of a line between two neighbours needs."""


@dataclass(frozen=True, slots=True)
class Across:
    """The middle of each cell, and where the right border of the boxes is; their left one is at 0."""

    x: Mapping[str, float]
    right: float


def across_of(grid: StageGrid, routes: Routes, slack: Slack) -> Across:
    """Place the stages, then the entries and ends, which stand where lines lead to them."""
    x = {**dict.fromkeys(grid.cells, 0.0), **_stages(grid, routes, slack)}
    right = _right_border(grid, x, slack)
    x |= _starts(grid, routes, x)
    x |= _ends(grid, routes, x, right, slack)
    return Across(x, right)


def right_of(cell: StageCell, x: Mapping[str, float]) -> float:
    """The right side of a cell."""
    return x[cell.node.id] + cell.width / 2


def _left_of(cell: StageCell, x: Mapping[str, float]) -> float:
    return x[cell.node.id] - cell.width / 2


def _stages(grid: StageGrid, routes: Routes, slack: Slack) -> dict[str, float]:
    """The stages, and the diamonds between them."""
    between = [route.line for route in routes.values() if route.kind == "straight"]
    rooms = {
        (line.source, line.target): text_size(label_words(line, _width(line, slack)))[0]
        + _LABEL_ROOM
        for line in between
        if line.words or line.rule
    }
    rows = grid.rows[1:-1]
    leads = [
        _room_of_small(row, 0, rooms) + _BEFORE_FIRST
        for row in rows
        if row[0].small and _count(row)
    ]
    lefts = [PAD + max(leads, default=0.0)]
    while wider := [row for row in rows if _count(row) > len(lefts)]:
        pitch = STAGE_WIDTH + max(_room_after(row, len(lefts) - 1, rooms) for row in wider)
        lefts.append(lefts[-1] + pitch)
    return {id: x for row in rows for id, x in _row(row, lefts, rooms).items()}


def _width(line: Line, slack: Slack) -> float:
    """How wide the label of a line between two neighbours may be: wider is lower."""
    return _LABEL_WIDTH + slack.room("between", line.id)


def _count(row: Sequence[StageCell]) -> int:
    """How many stages there are in a row."""
    return sum(not cell.small for cell in row)


def _gap(a: StageCell, b: StageCell, rooms: Rooms) -> float:
    return max(
        _GAP_TO_SMALL if a.small or b.small else _GAP, rooms.get((a.node.id, b.node.id), 0.0)
    )


def _room_of_small(row: Sequence[StageCell], start: int, rooms: Rooms) -> float:
    """How much the small cells from here on need before the next stage."""
    total = 0.0
    for i in range(start, len(row)):
        if not row[i].small:
            break
        total += row[i].width + (_gap(row[i], row[i + 1], rooms) if i + 1 < len(row) else 0.0)
    return total


def _room_after(row: Sequence[StageCell], stage: int, rooms: Rooms) -> float:
    """The room between a stage of a row and the next one."""
    i = [i for i, cell in enumerate(row) if not cell.small][stage]
    return _gap(row[i], row[i + 1], rooms) + _room_of_small(row, i + 1, rooms)


def _row(row: Sequence[StageCell], lefts: Sequence[float], rooms: Rooms) -> dict[str, float]:
    """The cells of a row: small ones right of what is before them, those before the first stage
    left of it.
    """
    x: dict[str, float] = {}
    first = next((i for i, cell in enumerate(row) if not cell.small), 0)
    free = iter(lefts)
    for i, cell in enumerate(row[first:], first):
        if i == first or not cell.small:
            x[cell.node.id] = next(free) + STAGE_WIDTH / 2
        else:
            x[cell.node.id] = (
                right_of(row[i - 1], x) + _gap(row[i - 1], cell, rooms) + cell.width / 2
            )
    for i in reversed(range(first)):
        x[row[i].node.id] = (
            _left_of(row[i + 1], x) - _gap(row[i], row[i + 1], rooms) - row[i].width / 2
        )
    return x


def _right_border(grid: StageGrid, x: Mapping[str, float], slack: Slack) -> float:
    """The right border of the boxes: right of all stages, and far enough for their titles and
    notes.
    """
    widest = max((right_of(cell, x) for row in grid.rows[1:-1] for cell in row), default=0.0)
    titles = max((text_size(stage_title(box))[0] for box in grid.diagram.boxes), default=0.0)
    notes = max((text_size(note)[0] for note in grid.notes.values()), default=0.0)
    headline = text_width(grid.diagram.title, HEADLINE, True)
    return max(
        widest + PAD + slack.room("right"),
        titles + STAGE_WIDTH + 3 * PAD,
        notes + 2 * PAD,
        min(headline, PAGE_WIDTH),
    )


def _starts(grid: StageGrid, routes: Routes, x: Mapping[str, float]) -> dict[str, float]:
    """Each entry above the first thing it leads to, if that is in the first row."""
    found: dict[str, float] = {}
    wanted = {cell.node.id: _above_target(grid, routes, x, cell.node.id) for cell in grid.rows[0]}
    free = -_FAR
    for cell in sorted(grid.rows[0], key=lambda cell: wanted[cell.node.id]):
        want = wanted[cell.node.id]
        at = max(free, want if want < _FAR else free if free > 0 else _FIRST_START)
        found[cell.node.id] = at
        free = at + cell.width + text_size(disc_words(cell.node))[0] + _START_PITCH
    return found


def _above_target(grid: StageGrid, routes: Routes, x: Mapping[str, float], start: str) -> float:
    """Where an entry had better stand: above its target, or beside what stands between them, where
    no lane begins.
    """
    drops = [
        route for route in routes.values() if route.line.source == start and route.kind == "drop"
    ]
    if passed := [cell for route in drops for row in grid.rows[1 : route.gap2 + 1] for cell in row]:
        ids = {cell.node.id for cell in passed}
        if any(route.kind == "right" and route.line.source in ids for route in routes.values()):
            words = text_size(disc_words(grid.cells[start].node))[0]
            return min(_left_of(cell, x) for cell in passed) - _PAST_CELLS - words
        return max(right_of(cell, x) for cell in passed) + _PAST_CELLS
    if not drops:
        return _FAR
    target = grid.cells[drops[0].line.target]
    leaves_up = any(
        route.kind == "arc" and route.line.source == target.node.id for route in routes.values()
    )
    return _left_of(target, x) - BESIDE_SMALL if target.small and leaves_up else x[target.node.id]


def _ends(
    grid: StageGrid, routes: Routes, x: Mapping[str, float], right: float, slack: Slack
) -> dict[str, float]:
    """Each end below what leads straight to it, the others right of these."""
    found: dict[str, float] = {}
    into = {
        cell.node.id: [r for r in routes.values() if r.line.target == cell.node.id]
        for cell in grid.rows[-1]
    }
    wanted = {id: _below_source(grid, here, x, right) for id, here in into.items()}
    free = -_FAR
    for cell in sorted(grid.rows[-1], key=lambda cell: wanted[cell.node.id]):
        id, half = cell.node.id, max(cell.width, text_size(disc_words(cell.node))[0]) / 2
        lines = _LINE_PITCH * max(0, len(into[id]) - 1)
        found[id] = max(free + half, wanted[id]) + slack.room("before end", id)
        free = found[id] + max(half, cell.width / 2 + lines) + _END_PITCH
    return found


def _below_source(
    grid: StageGrid, into: Sequence[StageRoute], x: Mapping[str, float], right: float
) -> float:
    """Under the core line from above; else where the line comes down beside its source; else far
    right.
    """
    for route in sorted(
        into, key=lambda r: (r.kind != "drop", r.out != "bottom", r.line.layer != "core")
    ):
        source = grid.cells.get(route.line.source)
        if route.kind == "drop" and source:
            return (
                x[source.node.id] if route.out == "bottom" else right_of(source, x) + _PAST_SOURCE
            )
        if route.out == "border":
            return right - _FROM_BORDER
    return right - _FROM_RIGHT
