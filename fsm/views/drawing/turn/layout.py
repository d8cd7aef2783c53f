"""The layout of a turn: columns of boxes, cards straight under each other, everything else by
lanes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from fsm.views.drawing.diagram import Box, Diagram
from fsm.views.drawing.labels import board_of, box_texts, named
from fsm.views.drawing.measures import BOX_NAME_LEFT, BOX_NAME_TOP
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedNode, Text
from fsm.views.drawing.slack import Attempt, Slack, attempts
from fsm.views.drawing.texts import card_text, final_words, title_text
from fsm.views.drawing.turn.across import across_of
from fsm.views.drawing.turn.channels import channels_of
from fsm.views.drawing.turn.footnotes import Footnotes
from fsm.views.drawing.turn.grid import grid_of
from fsm.views.drawing.turn.heights import heights_of
from fsm.views.drawing.turn.labels import labels_of, slack_for
from fsm.views.drawing.turn.margin import margin_of
from fsm.views.drawing.turn.paths import paths_of
from fsm.views.drawing.turn.ports import ports_of
from fsm.views.drawing.turn.routes import routes_of
from fsm.views.drawing.turn.sheet import StandingNode, TurnSheet, sheet_of
from fsm.views.drawing.turn.stubs import stubs_of

ROUNDS = 8
_NOTE_LEFT = 10.0


def place_turn(diagram: Diagram) -> Placed:
    """Place a turn's diagram, with more room where texts need it; at last, with footnotes."""
    last = attempts(partial(_attempt, diagram, None), Slack(), ROUNDS)[-1]
    return _attempt(diagram, Footnotes(), last.slack).placed if last.missing else last.placed


def _attempt(diagram: Diagram, footnotes: Footnotes | None, slack: Slack) -> Attempt:
    """All stages in order. Texts come last, as they stand where nothing else is."""
    grid = grid_of(diagram)
    routes = routes_of(grid)
    heights = heights_of(grid, routes, slack)
    ports = ports_of(grid, routes, heights)
    channels = channels_of(grid, routes, heights, ports, slack)
    across = across_of(grid, routes, heights, channels, slack)
    sheet = sheet_of(grid, routes, heights, ports, channels, across)
    return _lettered(sheet, slack, footnotes)


def _lettered(sheet: TurnSheet, slack: Slack, footnotes: Footnotes | None) -> Attempt:
    """The stages that draw lines and find places for texts."""
    nodes = [_node(node) for node in sheet.nodes.values()]
    boxes = [_box(sheet, box) for box in sheet.grid.diagram.boxes if box.id in sheet.heights.boxes]
    paths = paths_of(sheet)
    board = board_of(
        [node.area for node in nodes], box_texts(boxes), [box.area for box in boxes], paths
    )
    added = margin_of(sheet, board)
    for part in added:
        paths |= part.paths
    stubs, more = stubs_of(sheet, paths, board, slack, footnotes)
    added.append(stubs)
    heads = {line: head for part in added for line, head in part.heads.items()}
    nodes += [node for part in added for node in part.nodes]
    discs = {
        id
        for id, node in sheet.nodes.items()
        if node.node.kind in ("start", "final") and node.node.title
    }
    nodes = [
        named(node, final_words(node.node), board) if node.node.id in discs else node
        for node in nodes
    ]
    labelled = labels_of(sheet, {**paths, **stubs.paths}, heads, board, footnotes)
    missing = labelled.without_place
    wrong = len(missing) + (more is not slack)
    notes = (" ".join(footnotes.said),) if footnotes and footnotes.said else ()
    diagram = replace(sheet.grid.diagram, caption=(*sheet.grid.diagram.caption, *notes))
    words = [word for part in added for word in part.words]
    return Attempt(
        framed(diagram, [*nodes, *words], boxes, labelled.lines),
        wrong,
        slack_for(sheet, missing, more),
    )


def _node(node: StandingNode) -> PlacedNode:
    text = card_text(node.node, node.area) if node.node.kind == "card" else None
    return PlacedNode(node.node, node.area, text)


def _box(sheet: TurnSheet, box: Box) -> PlacedBox:
    area, notes = sheet.box_area(box.id), sheet.heights.notes[box.id]
    name = [] if sheet.grid.filled(box.id) else title_text(box)
    title = Text.at(name, area.left + BOX_NAME_LEFT, area.top + BOX_NAME_TOP)
    said = (
        Text.at(notes, area.left + _NOTE_LEFT, sheet.heights.note_tops[box.id]) if notes else None
    )
    return PlacedBox(box, area, title, said)
