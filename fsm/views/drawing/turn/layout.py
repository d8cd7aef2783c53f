"""The layout of a turn: columns of boxes, cards straight under each other, everything else by lanes."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fsm.views.drawing.diagram import Box, Diagram
from fsm.views.drawing.labels import Board, block
from fsm.views.drawing.measures import BOX_NAME_LEFT, BOX_NAME_TOP, CARD_CLEARANCE, DISC_GAP
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedNode, Rect, Text, text_size
from fsm.views.drawing.texts import card_text, final_words, title_text
from fsm.views.drawing.turn.across import across_of
from fsm.views.drawing.turn.channels import channels_of
from fsm.views.drawing.turn.footnotes import Footnotes
from fsm.views.drawing.turn.grid import grid_of
from fsm.views.drawing.turn.heights import heights_of
from fsm.views.drawing.turn.labels import all_said, labels_of, slack_for
from fsm.views.drawing.turn.margin import margin_of
from fsm.views.drawing.turn.paths import paths_of
from fsm.views.drawing.turn.ports import ports_of
from fsm.views.drawing.turn.routes import routes_of
from fsm.views.drawing.turn.sheet import StandingNode, TurnSheet, sheet_of
from fsm.views.drawing.turn.slack import Slack
from fsm.views.drawing.turn.stubs import stubs_of

ROUNDS = 8
_NOTE_LEFT = 10.0


@dataclass(frozen=True, slots=True)
class _Try:
    """A layout, whether every label found a place, and the room that the next try should have."""

    placed: Placed
    complete: bool
    slack: Slack


def place_turn(diagram: Diagram) -> Placed:
    """Place a turn's diagram: try, give room where a label found none, and try again."""
    slack = Slack()
    for _ in range(ROUNDS):
        tried = _placed(diagram, slack)
        if tried.complete:
            return tried.placed
        slack = tried.slack
    return _placed(diagram, slack, Footnotes()).placed


def _placed(diagram: Diagram, slack: Slack, footnotes: Footnotes | None = None) -> _Try:
    """All stages in order. Texts come last, as they stand where nothing else is."""
    grid = grid_of(diagram)
    routes = routes_of(grid)
    heights = heights_of(grid, routes, slack)
    ports = ports_of(grid, routes, heights)
    channels = channels_of(grid, routes, heights, ports, slack)
    across = across_of(grid, routes, heights, channels, slack)
    sheet = sheet_of(grid, routes, heights, ports, channels, across)
    return _lettered(sheet, slack, footnotes)


def _lettered(sheet: TurnSheet, slack: Slack, footnotes: Footnotes | None) -> _Try:
    """The stages that draw lines and find places for texts."""
    nodes = [_node(node) for node in sheet.nodes.values()]
    boxes = [_box(sheet, box) for box in sheet.diagram.boxes if box.id in sheet.heights.boxes]
    paths = paths_of(sheet)
    board = Board()
    for node in nodes:
        board.add_area(node.area.grown(CARD_CLEARANCE))
    for box in boxes:
        board.add_box(box)
    for id, path in paths.items():
        board.add_line(id, path)
    added = margin_of(sheet, board)
    for part in added:
        paths |= part.paths
    stubs, more = stubs_of(sheet, paths, board, slack, footnotes)
    added.append(stubs)
    heads = {line: head for part in added for line, head in part.heads.items()}
    nodes = [_with_name(node, board) for node in [*nodes, *(n for part in added for n in part.nodes)]]
    labelled = labels_of(sheet, {**paths, **stubs.paths}, heads, board, footnotes)
    missing = labelled.without_place
    complete = more is slack and all_said(sheet, missing)
    notes = (" ".join(footnotes.said),) if footnotes and footnotes.said else ()
    diagram = replace(sheet.diagram, caption=(*sheet.diagram.caption, *notes))
    words = [word for part in added for word in part.words]
    return _Try(framed(diagram, [*nodes, *words], boxes, labelled.lines), complete, slack_for(sheet, missing, more))


def _node(node: StandingNode) -> PlacedNode:
    text = card_text(node.node, node.area) if node.node.kind == "card" else None
    return PlacedNode(node.node, node.area, text)


def _with_name(node: PlacedNode, board: Board) -> PlacedNode:
    """A disc at the start with what is said beside it."""
    said = final_words(node.node) if node.node.kind == "start" and node.node.title else []
    return replace(node, text=board.settle(block(said, node.area, DISC_GAP))) if said else node


def _box(sheet: TurnSheet, box: Box) -> PlacedBox:
    area, name = sheet.box_area(box.id), title_text(box)
    width, height = text_size(name)
    left, top = area.left + BOX_NAME_LEFT, area.top + BOX_NAME_TOP
    title = Text(tuple(name), Rect(left, top, left + width, top + height), "start")
    notes, lines = None, sheet.heights.notes[box.id]
    if lines:
        width, height = text_size(lines)
        left, top = area.left + _NOTE_LEFT, sheet.heights.note_tops[box.id]
        notes = Text(lines, Rect(left, top, left + width, top + height), "start")
    return PlacedBox(box, area, title, notes)
