"""Placing the turn: columns of boxes, cards straight under each other, everything else by lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from fsm.views.drawing.diagram import Box, Diagram
from fsm.views.drawing.labels import beside, block
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedLine, PlacedNode, Rect, Text, Words, text_size
from fsm.views.drawing.texts import (
    LABEL_SLIM,
    card_text,
    final_words,
    label_words,
    title_text,
)
from fsm.views.drawing.turn.sheet import NONE, Item, Route, Slack
from fsm.views.drawing.turn.stubs import Stubs

ROUNDS = 8


def place_turn(diagram: Diagram) -> Placed:
    """Place a turn's diagram: try, give room where a label found none, and try again."""
    slack = Slack()
    for _ in range(ROUNDS):
        layout = Layout(diagram, slack)
        placed = layout.place()
        if not layout.homeless:
            return placed
    return Layout(diagram, slack, last=True).place()


class Layout(Stubs):
    """All stages in order, and the texts last: they stand where nothing else is."""

    def place(self) -> Placed:
        self._items()
        for line in self.diagram.lines:
            self.routes[line.id] = self._classify(line)
        self._note_lines()
        self._down()
        self._ports()
        self._across()
        self._draw()
        return self._finish()

    def _finish(self) -> Placed:
        board = self.board
        nodes = [self._node(item) for item in self.items.values()]
        boxes = [self._box(box) for box in self.diagram.boxes if box.id in self.box_span]
        for node in nodes:
            board.add_area(node.area.grown(1.5))
        for box in boxes:
            board.add_frame(box.area)
            board.add_text(box.title)
            if box.notes:
                board.add_text(box.notes)
        for route in self.routes.values():
            board.add_line(route.line.id, route.points)
        nodes += self._hubs() + self._margin() + self._rows()
        self._connectors()
        nodes = [self._named(node) if node.node.kind == "start" else node for node in nodes]
        lines = [self._labelled(route) for route in sorted(self.routes.values(), key=self._label_order) if route.points]
        lines.sort(key=lambda placed: list(self.routes).index(placed.line.id))
        notes = (" ".join(self.footnotes),) if self.footnotes else ()
        diagram = replace(self.diagram, caption=(*self.diagram.caption, *notes))
        return framed(diagram, [*nodes, *self.extra_nodes], boxes, lines)

    def _node(self, item: Item) -> PlacedNode:
        return PlacedNode(item.node, item.area, card_text(item.node, item.area) if item.node.kind == "card" else None)

    def _named(self, node: PlacedNode) -> PlacedNode:
        """A disc with what is said beside it."""
        said = final_words(node.node) if node.node.title else []
        return replace(node, text=self.board.settle(block(said, node.area, 4))) if said else node

    def _box(self, box: Box) -> PlacedBox:
        (left, right), (top, bottom) = self._box_sides(box.id), self.box_span[box.id]
        area = Rect(left, top, right, bottom)
        words = title_text(box)
        width, height = text_size(words)
        title = Text(
            tuple(words), Rect(area.left + 14, area.top + 6, area.left + 14 + width, area.top + 6 + height), "start"
        )
        notes = None
        if self.notes[box.id]:
            lines = self.notes[box.id]
            width, height = text_size(lines)
            top = self.note_top[box.id]
            notes = Text(lines, Rect(area.left + 10, top, area.left + 10 + width, top + height), "start")
        return PlacedBox(box, area, title, notes)

    def _label_order(self, route: Route) -> tuple[int, float]:
        kinds = {"straight": 0, "loop below": 0, "border below": 1, "hub": 0, "gutter to margin": 1, "margin": 1}
        return kinds.get(route.kind, 2), -text_size(label_words(route.line))[0]

    def _labelled(self, route: Route) -> PlacedLine:
        line = route.line
        own = route.kind in ("connector", "border connector", "word", "row")
        if own or not line.words:
            return PlacedLine(line, route.points, None, route.head)
        slim = label_words(line, LABEL_SLIM)
        text = self.board.settle(chain(beside(label_words(line), route.points), beside(slim, route.points)))
        if text is None:
            self._homeless(route, label_words(line) if route.kind == "straight" else slim)
        if text is None and self.final_try and line.words != ("else",):
            text = self.board.settle(
                beside([Words(self._footnote(label_words(line)), 7.5, True, line.layer)], route.points)
            )
        return PlacedLine(line, route.points, text, route.head)

    def _homeless(self, route: Route, words: Sequence[Words]) -> None:
        """Note where room is missing: above a diamond if that was not tried yet, else beside the lane."""
        outside = route.lane is None and route.kind != "straight"
        if outside and (route.line.words == ("else",) or route.kind.endswith("below")):
            return
        self.homeless += 1
        width, height = text_size(words)
        source = self.items.get(route.line.source)
        if source and route.lane and self._may_rise(source):
            self.slack.above[source.node.id] = height + NONE
        elif route.kind == "straight":
            self.slack.gap[route.line.source] = self.slack.gap.get(route.line.source, 0.0) + height / 2
        elif route.lane is not None and route.channel not in self.widened:
            self.slack.room[route.line.id] = width + 10
            self.slack.above.update({source.node.id: NONE} if source and source.node.id in self.slack.above else {})
            self.widened.add(route.channel)
        elif route.lane is not None:
            pass
        else:
            self.slack.widen(self._column_of(route.line.source) + 1, width + 10)

    def _may_rise(self, item: Item) -> bool:
        """May there be room for a label above this diamond? Not where another line joins from that side."""
        joined = any(r.lane and r.line.target == item.node.id and r.y2 < item.area.top for r in self.routes.values())
        return item.node.kind == "choice" and not joined and item.node.id not in self.slack.above
