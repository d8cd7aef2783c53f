"""The layout of a turn: columns of boxes, cards straight under each other, everything else by lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from fsm.views.drawing.diagram import Box, Diagram, Node
from fsm.views.drawing.labels import Board, named
from fsm.views.drawing.measures import BOX_NAME_LEFT, BOX_NAME_TOP, CARD_CLEARANCE
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedNode, Text, Words
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
    nodes += [node for part in added for node in part.nodes]
    nodes = [named(node, _said_at_start(node.node), board) for node in nodes]
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


def _said_at_start(node: Node) -> Sequence[Words]:
    return final_words(node) if node.kind == "start" and node.title else ()


def _box(sheet: TurnSheet, box: Box) -> PlacedBox:
    area, notes = sheet.box_area(box.id), sheet.heights.notes[box.id]
    title = Text.at(title_text(box), area.left + BOX_NAME_LEFT, area.top + BOX_NAME_TOP)
    said = Text.at(notes, area.left + _NOTE_LEFT, sheet.heights.note_tops[box.id]) if notes else None
    return PlacedBox(box, area, title, said)
