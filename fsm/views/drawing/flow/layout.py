"""The layout of a small flat model: rows, lanes, lines, and labels where there is room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain

from fsm.views.drawing.diagram import Box, Diagram, Line
from fsm.views.drawing.flow.grid import FlowCell, grid_of
from fsm.views.drawing.flow.paths import path_of
from fsm.views.drawing.flow.sheet import LABEL_WIDTH, FlowSheet, sheet_of
from fsm.views.drawing.flow.spine import UnsuitableDiagram, longest_way
from fsm.views.drawing.labels import Board, beside, board_of, box_texts, end_named
from fsm.views.drawing.measures import BOX_NAME_LEFT, BOX_NAME_TOP, CITATION, LEADING
from fsm.views.drawing.measures import LABEL_WIDTH as NARROW_LABEL_WIDTH
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import (
    Placed,
    PlacedBox,
    PlacedLine,
    PlacedNode,
    Point,
    Rect,
    Text,
    text_size,
)
from fsm.views.drawing.slack import Attempt, Slack, attempts
from fsm.views.drawing.texts import SIZES, card_text, label_words, title_text, word_text

ROUNDS = 8
_MOST_STATES, _MOST_PIECES = 16, 3
_ORDER = ("straight", "across", "corner", "lane", "box")
"""The labels of lines that can move least come first."""
_MORE_ROOM = 10.0
_BOX_SIDE, _BOX_HEAD, _BOX_FOOT, _NOTE_GAP, _NOTE_FOOT = 12.0, 28.0, 12.0, 4.0, 8.0


def place_flat(diagram: Diagram) -> Placed:
    """Place a flat diagram on a spine where that is possible, else by Graphviz, which is loaded
    only then.
    """
    try:
        return place_flow(diagram)
    except UnsuitableDiagram:
        from fsm.views.drawing.throughgraphviz import place_by_dot

        return place_by_dot(diagram)


def place_flow(diagram: Diagram) -> Placed:
    """Place a flat diagram. Raises UnsuitableDiagram if it is too large or too tangled for this
    layout.

    What cannot be reached from the start (a hole in the model) goes on further down.
    """
    if len(diagram.nodes) > _MOST_STATES or any(box.inside for box in diagram.boxes):
        raise UnsuitableDiagram
    spine = longest_way(diagram, diagram.nodes[:1], ())
    for _ in range(_MOST_PIECES):
        try:
            return _with_room(diagram, spine)
        except UnsuitableDiagram:
            spine = spine + longest_way(diagram, diagram.nodes, spine)
    return _with_room(diagram, spine)


def _with_room(diagram: Diagram, spine: Sequence[str]) -> Placed:
    """Place it, with more room where texts need it, and without what is then spare."""
    tries = attempts(partial(_attempt, diagram, spine), Slack(), ROUNDS)
    if tries[-1].missing:
        return min(tries, key=lambda tried: tried.missing).placed
    return _without_spare_room(diagram, spine, tries[-1]).placed


def _without_spare_room(diagram: Diagram, spine: Sequence[str], best: Attempt) -> Attempt:
    """Take back the room beside each lane whose label, now that all else has its place, stands
    without it.
    """
    for where, id in best.slack.rooms:
        if where == "beside lane":
            tried = _attempt(diagram, spine, best.slack.with_room(where, id, 0.0))
            if not tried.missing and tried.placed.size[0] < best.placed.size[0]:
                best = tried
    return best


def _attempt(diagram: Diagram, spine: Sequence[str], slack: Slack) -> Attempt:
    """All stages in order. Texts come last, as they stand where nothing else is."""
    grid = grid_of(diagram, spine)
    sheet = sheet_of(grid, slack)
    nodes = [_node(sheet, cell) for cell in grid.cells.values()]
    boxes = [found for box in diagram.boxes if (found := _box(sheet, box))]
    paths = {line.id: path_of(sheet, line) for line in diagram.lines}
    board = board_of(
        [node.area for node in nodes], box_texts(boxes), [box.area for box in boxes], paths
    )
    nodes = [end_named(node, board) for node in nodes]
    labels = _labels(sheet, paths, board, slack)
    by_id = {line.id: line for line in diagram.lines}
    missing = [by_id[id] for id, label in labels.items() if label is None]
    lines = [PlacedLine(line, paths[line.id], labels.get(line.id)) for line in diagram.lines]
    return Attempt(
        framed(diagram, nodes, boxes, lines), len(missing), _slack_for(sheet, missing, slack)
    )


def _node(sheet: FlowSheet, cell: FlowCell) -> PlacedNode:
    node, area = cell.node, sheet.area(cell)
    if node.kind == "word":
        return PlacedNode(node, area, word_text(node, area))
    return PlacedNode(node, area, card_text(node, area) if node.kind not in SIZES else None)


def _box(sheet: FlowSheet, box: Box) -> PlacedBox | None:
    """A box around its members, unless something else stands in between."""
    inside = [sheet.area(cell) for cell in sheet.grid.within(box.id)]
    notes, width = sheet.grid.notes[box.id], sheet.grid.box_width(box)
    if sheet.grid.is_left(box.id):
        least, most = inside[0].x - width / 2, inside[0].x + width / 2
    else:
        spine = sheet.x[sheet.grid.spine[0]]
        least, most = spine - width, spine
    area = Rect(
        min([least, *(a.left - _BOX_SIDE for a in inside)]),
        min(a.top for a in inside) - _BOX_HEAD,
        max([most, *(a.right + _BOX_SIDE for a in inside)]),
        max(a.bottom for a in inside)
        + _BOX_FOOT
        + LEADING[CITATION] * len(notes)
        + _NOTE_GAP * bool(notes),
    )
    if any(
        area.meets(sheet.area(cell))
        for cell in sheet.grid.cells.values()
        if cell.node.box != box.id
    ):
        return None
    left, low = area.left + BOX_NAME_LEFT, area.bottom - _NOTE_FOOT - text_size(notes)[1]
    title = Text.at(title_text(box), left, area.top + BOX_NAME_TOP)
    return PlacedBox(box, area, title, Text.at(notes, left, low) if notes else None)


def _labels(
    sheet: FlowSheet, paths: Mapping[str, tuple[Point, ...]], board: Board, slack: Slack
) -> dict[str, Text | None]:
    """The labels of the lines that have one, in the order in which they got their places; None
    where there was none.
    """
    found: dict[str, Text | None] = {}

    def order(line: Line) -> tuple[int, float]:
        return _ORDER.index(sheet.grid.kinds[line.id]), -text_size(label_words(line))[0]

    for line in sorted(sheet.grid.diagram.lines, key=order):
        if line.words or line.rule:
            spots = beside(label_words(line, LABEL_WIDTH), paths[line.id])
            if not sheet.grid.in_lane(line) or slack.room("beside lane", line.id):
                spots = chain(spots, beside(label_words(line, NARROW_LABEL_WIDTH), paths[line.id]))
            found[line.id] = board.settle(spots, line.id)
    return found


def _slack_for(sheet: FlowSheet, missing: Sequence[Line], slack: Slack) -> Slack:
    """More room for labels that found no place: beside their lane, or above the row where they end."""
    for line in missing:
        width, height = text_size(label_words(line, LABEL_WIDTH))
        if sheet.grid.in_lane(line):
            slack = slack.more("beside lane", line.id, width + _MORE_ROOM)
        else:
            straight = sheet.grid.kinds[line.id] == "straight"
            above = sheet.grid.spine[max(0, sheet.grid.cells[line.source].row - 1)]
            slack = slack.more("below", line.source if straight else above, height)
    return slack
