"""What stands beside the columns: hubs, the end of the turn, jumps from any step."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.fixedwords import say
from fsm.views.drawing.labels import block
from fsm.views.drawing.placed import PlacedNode, Point, Rect, Text, Words, text_size, tidy
from fsm.views.drawing.texts import (
    FINAL,
    LOOKUP,
    card_text,
    final_words,
    jump_words,
)
from fsm.views.drawing.turn.paths import Paths
from fsm.views.drawing.turn.sheet import HUB


class Margin(Paths):
    """What stands beside the columns: hubs, the end of the turn, jumps from any step."""

    def _hubs(self) -> list[PlacedNode]:
        found: list[PlacedNode] = []
        for place in self.hubs:
            left, right = self.left[place.column] + 4, self.right[place.column] - 4
            x, y = left + 16, place.top + LOOKUP / 2
            top = place.top + place.reach
            card = Rect(left, top, left + min(self.widths[place.column], right - left), top + HUB)
            found.append(PlacedNode(place.card, card, card_text(place.card, card)))
            self.board.add_area(card.grown(5))
            if place.sample is not None:
                found.append(self._sample(place.sample, place.said, x, y))
                self._into_hub(place.card, ((x, y + LOOKUP / 2), (x, card.top - 4)))
        return found

    def _sample(self, node: Node, said: tuple[Words, ...], x: float, y: float) -> PlacedNode:
        """The diamond that stands for all the places extras come from, and what those are."""
        area = Rect.around(x, y, LOOKUP, LOOKUP)
        width, height = text_size(said)
        text = Text(said, Rect(x + 14, y - 6, x + 14 + width, y - 6 + height), "start")
        self.board.add_text(text)
        self.board.add_area(area)
        return PlacedNode(node, area, text)

    def _into_hub(self, hub: Node, points: tuple[Point, ...]) -> None:
        for route in self.routes.values():
            if route.kind == "hub" and route.line.target == hub.id:
                route.points = points
                self.board.add_line(route.line.id, points)

    def _margin(self) -> list[PlacedNode]:
        """Discs right of everything: how the turn ends, and what jumps there from any step."""
        found: list[PlacedNode] = []
        x = self.edge + 42
        gutter = self.gutter_node.get(self.last)
        taken: list[float] = []
        leaving = [r for r in self.routes.values() if r.kind in ("gutter to margin", "margin")]
        for route in sorted(leaving, key=lambda r: r.line.words not in ((), ("else",))):
            target = route.line.target
            source = self.items[route.line.source]
            y = source.y if route.line.source == gutter else route.y1
            if target not in self.finals:
                node = self.diagram.node(target)
                assert node is not None
                area = Rect.around(x, min([y, *(other - 44 for other in taken)]), FINAL, FINAL)
                self.finals[target] = PlacedNode(node, area)
                self.board.add_area(area.grown(2))
                taken.append(area.y)
            area = self.finals[target].area
            start = self._edge(source, "right")
            if abs(area.y - y) < 2:
                route.points = ((start, y), (area.left, area.y))
            else:
                bend = area.left - 10
                route.points = tidy([(start, y), (bend, y), (bend, area.y), (area.left, area.y)])
            self.board.add_line(route.line.id, route.points)
        self._words_in_margin(x, taken)
        for id, placed in list(self.finals.items()):
            text = self.board.settle(block(final_words(placed.node), placed.area, gap=4))
            self.finals[id] = PlacedNode(placed.node, placed.area, text)
            found.append(self.finals[id])
        return found

    def _words_in_margin(self, x: float, taken: list[float]) -> None:
        low = max([*taken, 0.0])
        for i, route in enumerate(r for r in self.routes.values() if r.kind == "word"):
            words = jump_words(route.line)
            width, height = text_size(words)
            target = self.items[route.line.target]
            y = max(route.y2 + 26, low + 26)
            centre = max(x, self.edge + 10 + width / 2)
            area = self._free_area(centre, y + 8, width, height)
            centre, y = area.x, area.top - 8
            text = Text(tuple(words), area)
            word = Node(f"{route.line.id}!", "word", route.line.origin or "from any step", tooltip=route.line.tooltip)
            self.extra_nodes.append(PlacedNode(word, area, text))
            self.board.add_text(text)
            aside = bool(i) or any(route.y2 < other < y for other in taken)
            lane_x = route.lane.x if route.lane and aside else centre
            points = [(centre, y), (lane_x, y), (lane_x, route.y2), (self._edge(target, "right"), route.y2)]
            if aside:
                points = [(area.left - 4, area.top + 6), (lane_x, area.top + 6), *points[2:]]
            route.points = tidy(points)
            self.board.add_line(route.line.id, route.points)
            low = area.bottom

    def _free_area(self, x: float, top: float, width: float, height: float) -> Rect:
        """A free place for a text at about this height, a little lower or further right if need be."""
        places = [
            Rect.around(x + aside, top + height / 2 + down, width, height)
            for aside in (0, 30, 60, 100)
            for down in range(0, 200, 8)
        ]
        return next((place for place in places if self.board.free(place)), places[0])

    def _rows(self) -> list[PlacedNode]:
        """Jumps from any step to the end of the game, or to somewhere far: a row of their own."""
        found: list[PlacedNode] = []
        for line in self.rows:
            words, route, node = tuple(jump_words(line)), self.routes[line.id], self.diagram.node(line.target)
            new = node if node is not None and node.kind == "final" and node.id not in self.finals else None
            said = final_words(new) if new else [Words(self._called(line), 8.5, True, line.layer)]
            text, start, label = self._free_row(line, words, said, 64.0 if new else 40.0)
            word = Node(f"{line.id}!", "word", words[0].text, tooltip=line.tooltip)
            found.append(PlacedNode(word, text.area, text))
            self.board.add_text(text)
            self.board.add_text(label)
            if new:
                disc = Rect.around(start[0] + 50, start[1], FINAL, FINAL)
                self.finals[new.id] = PlacedNode(new, disc, label)
                found.append(self.finals[new.id])
                self.board.add_area(disc)
                route.points = (start, (disc.left, disc.y))
            else:
                head = Node(f"{line.id}>", "word", said[0].text, tooltip=line.tooltip)
                self.extra_nodes.append(PlacedNode(head, label.area, label))
                route.points, route.head = (start, (start[0] + 36, start[1])), head.id
            self.board.add_line(line.id, route.points)
        return found

    def _free_row(
        self, line: Line, words: tuple[Words, ...], said: Sequence[Words], reach: float
    ) -> tuple[Text, Point, Text]:
        """Where the words of a row and those at its end stand: as high as there is room."""
        (width, height), (w, h) = text_size(words), text_size(said)
        left, top = self.left[self.last] + 4, self.row_tops[line.id]
        for down in range(0, 240, 8):
            area = Rect(left, top + down, left + width, top + down + height)
            start = (area.right + 8, area.top + 6)
            label = Rect.around(start[0] + reach + w / 2, start[1], w, h)
            if self.board.free(area) and self.board.free(label):
                break
        return Text(words, area), start, Text(tuple(said), label, "start")

    def _called(self, line: Line) -> str:
        if line.goal:
            return say(f"to {line.goal}", self.diagram.words)
        node = self.diagram.node(line.target)
        title = (node.title or node.tooltip.partition("\n")[0]) if node else ""
        return f"{say('to', self.diagram.words)} {title}" if title else say("to another place", self.diagram.words)
