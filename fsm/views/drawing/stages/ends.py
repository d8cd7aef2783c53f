"""Where entry and final discs stand across: above what they lead to, below what leads to them, and apart."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.views.drawing.labels import Lines
from fsm.views.drawing.measures import DISC_GAP, LABEL
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import Rect, Text, Words, text_size
from fsm.views.drawing.stages.cells import Cell, Grid
from fsm.views.drawing.stages.routes import SIDE, Routes

MOST, CLEAR, PASS = 108.0, 16.0, 40.0
_START_GAP, _SIDE_GAP, _LINE_GAP = 5.0, 7.0, 4.0  # from a disc to its words: right, left, and under a line
_START_PITCH, _FIRST_START, _LINE_PITCH = 24.0, 60.0, 16.0
_PAST_SOURCE, _FROM_BORDER, _FROM_RIGHT = 40.0, 90.0, 40.0
_FAR = 1e6  # beyond any picture


def disc_words(cell: Cell) -> tuple[Words, ...]:
    """What stands at a disc."""
    return tuple(Words(part, LABEL) for part in wrap(cell.node.title, MOST, LABEL, 3))


def disc_text(cell: Cell, routes: Routes) -> Text:
    """At an entry to the right, at an end below, or at its left if a line comes from below."""
    words, area = disc_words(cell), cell.area
    width, height = text_size(words)
    middle = cell.y - height / 2
    if cell.node.kind == "start":
        return Text.at(words, area.right + _START_GAP, middle)
    here = [r for r in routes.found.values() if r.line.target == cell.node.id]
    if any(r.into == "under" for r in here):
        left = area.left - _SIDE_GAP - width
        top = cell.y + _LINE_GAP if any(r.into == "level" and r.x2 < cell.x for r in here) else middle
        return Text(words, Rect(left, top, left + width, top + height), "end")
    return Lines.of(words).below(cell.x, area.bottom + DISC_GAP)


def place_starts(grid: Grid, routes: Routes) -> None:
    """Each entry above the first thing it leads to, if that is in the first row."""
    if not grid.rows or not grid.rows[0] or grid.rows[0][0].node.kind != "start":
        return
    wanted = {c.node.id: _below(c, grid, routes) for c in grid.rows[0]}
    row = sorted(grid.rows[0], key=lambda c: wanted[c.node.id])
    free = -_FAR
    for cell in row:
        want = wanted[cell.node.id]
        cell.x = max(free, want if want < _FAR else free if free > 0 else _FIRST_START)
        free = cell.x + cell.width + text_size(disc_words(cell))[0] + _START_PITCH


def _below(cell: Cell, grid: Grid, routes: Routes) -> float:
    drops = [r for r in routes.found.values() if r.line.source == cell.node.id and r.kind == "drop"]
    there = [c for r in drops if (c := routes.cell(r.line.target))]
    passed = [c for r in drops for row in grid.rows[1 : (r.gap1 or 0) + 1] for c in row]
    if passed:
        return max(c.area.right for c in passed) + PASS
    arcs = {r.line.source for r in routes.found.values() if r.kind == "arc"}
    if there and there[0].small and there[0].node.id in arcs:
        return there[0].area.left - SIDE
    return there[0].x if there else _FAR


def place_ends(grid: Grid, routes: Routes, right: float, rooms: Mapping[str, float]) -> None:
    """Each end below what leads straight to it, the others right of these, `rooms` further for their labels."""
    row = grid.rows[-1]
    if not row or row[0].node.kind != "final" or row[0].node.box:
        return
    wanted = {c.node.id: _above(c, routes, right) for c in row}
    free = -_FAR
    for cell in sorted(row, key=lambda c: wanted[c.node.id]):
        half = max(cell.width, text_size(disc_words(cell))[0]) / 2
        beside = _LINE_PITCH * max(0, sum(r.line.target == cell.node.id for r in routes.found.values()) - 1)
        cell.x = max(free + half, wanted[cell.node.id]) + rooms.get(cell.node.id, 0.0)
        free = cell.x + max(half, cell.width / 2 + beside) + CLEAR


def _above(cell: Cell, routes: Routes, right: float) -> float:
    """Under the core line from above; else where the line comes down beside its source; else far right."""
    here = [r for r in routes.found.values() if r.line.target == cell.node.id]
    for route in sorted(here, key=lambda r: (r.kind != "drop", r.out != "bottom", r.line.layer != "core")):
        source = routes.cell(route.line.source)
        if route.kind == "drop" and source and route.out == "bottom":
            return source.x
        if route.kind == "drop" and source:
            return source.area.right + _PAST_SOURCE
        if route.out == "border":
            return right - _FROM_BORDER
    return right - _FROM_RIGHT
