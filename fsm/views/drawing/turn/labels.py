"""The last stage of the layout: a free place for the label of each line, and what to widen for
those that find none.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.views.drawing.labels import Board, beside
from fsm.views.drawing.measures import SLIM_LABEL_WIDTH
from fsm.views.drawing.placed import PlacedLine, Point, Text, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import label_words
from fsm.views.drawing.turn.footnotes import Footnotes
from fsm.views.drawing.turn.routes import TurnRoute
from fsm.views.drawing.turn.sheet import TurnSheet
from fsm.views.drawing.turn.stubs import STUBS, widened_gutter

_FIRST = {
    "straight": 0,
    "loop below": 0,
    "border below": 1,
    "hub": 0,
    "gutter to margin": 1,
    "margin": 1,
}
"""The kinds of route whose labels get their places first, as they can move least."""
_LAST = 2
_MORE_ROOM, _TALLEST = 10.0, 72.0  # beside a label in a lane, and for a slim one
_OTHERWISE = ("else",)


@dataclass(frozen=True, slots=True)
class Labelled:
    """The lines with their labels, and the routes whose label found no place though it must be
    said.
    """

    lines: Sequence[PlacedLine]
    without_place: Sequence[TurnRoute]


def labels_of(
    sheet: TurnSheet,
    paths: Mapping[str, tuple[Point, ...]],
    heads: Mapping[str, str],
    board: Board,
    notes: Footnotes | None,
) -> Labelled:
    """Label the lines, the widest labels first; returns the lines in the order of the diagram."""
    found: dict[str, PlacedLine] = {}
    missing: list[TurnRoute] = []
    for route in sorted(sheet.routes.values(), key=_order):
        id, line = route.line.id, route.line
        if not paths[id]:
            continue
        label = None
        if line.words and route.kind not in STUBS and route.kind not in ("word", "row"):
            label = _free_place(route, paths[id], board)
            if label is None:
                missing += [route] if _must_be_said(sheet, route) else []
                label = _footnoted(route, paths[id], board, notes)
        found[id] = PlacedLine(line, paths[id], label, heads.get(id, ""))
    return Labelled([found[id] for id in sheet.routes if id in found], missing)


def _order(route: TurnRoute) -> tuple[int, float]:
    return _FIRST.get(route.kind, _LAST), -text_size(label_words(route.line))[0]


def _free_place(route: TurnRoute, path: Sequence[Point], board: Board) -> Text | None:
    whole, slim = label_words(route.line), label_words(route.line, SLIM_LABEL_WIDTH)
    return board.settle(chain(beside(whole, path), beside(slim, path)), route.line.id, whole=True)


def _footnoted(
    route: TurnRoute, path: Sequence[Point], board: Board, notes: Footnotes | None
) -> Text | None:
    """The number of a footnote that has the label, if footnotes are allowed."""
    if notes is None or route.line.words == _OTHERWISE:
        return None
    return board.settle(beside([notes.mark(label_words(route.line), route.line.layer)], path))


def slack_for(sheet: TurnSheet, missing: Sequence[TurnRoute], slack: Slack) -> Slack:
    """More room for labels that found no place: above a diamond if that was not tried yet, else
    beside the lane.
    """
    widened = set()
    for route in missing:
        line, laned = route.line, sheet.lane(route.line.id) is not None
        whole, slim = text_size(label_words(line)), text_size(label_words(line, SLIM_LABEL_WIDTH))
        rises = [room for room in (whole[1], slim[1]) if _may_rise(sheet, line.source, room, slack)]
        if laned and rises:
            slack = slack.with_room("above", line.source, rises[0])
        elif route.kind == "straight":
            slack = slack.more("below", line.source, whole[1] / 2)
        elif laned and route.channel not in widened:
            wide = whole[0] if slim[1] > _TALLEST else slim[0]
            slack = slack.with_room("beside lane", line.id, wide + _MORE_ROOM)
            slack = (
                slack.with_room("above", line.source, 0.0)
                if slack.has("above", line.source)
                else slack
            )
            widened.add(route.channel)
        elif not laned:
            slack = widened_gutter(sheet, line, slim[0] + _MORE_ROOM, slack)
    return slack


def _must_be_said(sheet: TurnSheet, route: TurnRoute) -> bool:
    """Not "else", nor the label of a line below a card, which room elsewhere would not help."""
    movable = sheet.lane(route.line.id) is not None or route.kind == "straight"
    return movable or (route.line.words != _OTHERWISE and not route.kind.endswith("below"))


def _may_rise(sheet: TurnSheet, id: str, room: float, slack: Slack) -> bool:
    """May there be so much room for a label above this diamond? Not where another line joins from
    that side.
    """
    node, known = sheet.nodes.get(id), slack.room("above", id)
    if (
        node is None
        or node.node.kind != "choice"
        or (slack.has("above", id) and not 0 < known < room)
    ):
        return False
    ends = [
        line
        for line in sheet.across.lanes
        if line in sheet.routes and sheet.routes[line].line.target == id
    ]
    return not any(sheet.end(line) < node.area.top for line in ends)
