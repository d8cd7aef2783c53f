"""A line to somewhere far is a stub with the name of where it leads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.views.drawing.diagram import Node
from fsm.views.drawing.labels import PlacedLabel
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import PlacedNode, Rect, Text, Words, text_size
from fsm.views.drawing.texts import (
    LABEL_MOST,
    LABEL_SLIM,
    cited,
    guard_lines,
)
from fsm.views.drawing.turn.margin import Margin
from fsm.views.drawing.turn.sheet import Item, Route


class Stubs(Margin):
    """A line to somewhere far is a stub with the name of where it leads."""

    def _connectors(self) -> None:
        """A line to somewhere far is a stub with the name of where it leads."""
        for route in self.routes.values():
            if route.kind not in ("connector", "border connector"):
                continue
            words = self._stub_words(route, 108.0)
            slim = self._stub_words(route, LABEL_SLIM)
            text, stub = self.board.settle_stub([*self._stubs(route, words), *self._stubs(route, slim)])
            if text is None:
                text, stub = self._homeless_stub(route, words)
            node = Node(f"{route.line.id}>", "word", self._called(route.line), tooltip=route.line.tooltip)
            self.extra_nodes.append(PlacedNode(node, text.area, text))
            route.points, route.head = stub, node.id
            self.board.add_line(route.line.id, stub)

    def _stub_words(self, route: Route, most: float) -> list[Words]:
        """The guard, the name of where it leads, and the citation."""
        line = route.line
        called = [Words(part, 8.5, True, line.layer) for part in wrap(self._called(line), max(most, LABEL_MOST), 8.5)]
        return [*guard_lines(line, most), *called, *cited(line, LABEL_MOST)]

    def _homeless_stub(self, route: Route, words: Sequence[Words]) -> PlacedLabel:
        """Nowhere to say it: ask for room, or in the end say it in a footnote."""
        self.homeless += 1
        column = self._column_of(route.line.source)
        self.slack.widen(column + 1, text_size(self._stub_words(route, LABEL_SLIM))[0] + 24)
        if self.final_try:
            mark = [Words(self._footnote(words), 7.5, True, route.line.layer)]
            text, stub = self.board.settle_stub(self._stubs(route, mark))
            if text is not None:
                return text, stub
            stubs = [stub for _, stub in self._stubs(route, mark)]
            bare = next((stub for stub in stubs if self.board.clear(stub)), stubs[0][:2])
            return Text((), Rect(*bare[-1], *bare[-1])), bare
        return self._stubs(route, words)[0]

    def _footnote(self, words: Sequence[Words]) -> str:
        mark = f"({len(self.footnotes) + 1})"
        self.footnotes.append(f"{mark} {' '.join(w.text for w in words)}.")
        return mark

    def _stubs(self, route: Route, words: Sequence[Words]) -> list[PlacedLabel]:
        width, height = text_size(words)
        found: list[PlacedLabel] = []
        if route.kind == "border connector":
            left, right = self._box_sides(route.line.source)
            top, bottom = self.box_span[route.line.source]
            places = [(right, left, top + 20 + 10 * i) for i in range(int(max(1, (bottom - top - 40) / 10)))]
        else:
            item = self.items[route.line.source]
            y = route.y1 if item.node.kind == "card" and route.y1 else item.y
            places = [(self._edge(item, "right"), self._edge(item, "left"), y)]
        c = self._column_of(route.line.source)
        out = (self.right[c] - places[0][0] + 14, places[0][1] - self.left[c] + 14)
        if route.kind == "connector":
            found += self._upright(words, self.items[route.line.source])
        for right, left, y in places:
            found += self._bent(route, words, right, left, y)
            for reach in (20.0, 30.0, 44.0, 60.0, *(o for o in out if 20 < o < 200)):
                for rise in (0.0, -height / 2 + 6, height / 2 - 6):
                    box = Rect(
                        right + reach + 3, y - height / 2 + rise, right + reach + 3 + width, y + height / 2 + rise
                    )
                    found.append((Text(tuple(words), box, "start"), ((right, y), (right + reach, y))))
                    box = Rect(left - reach - 3 - width, y - height / 2 + rise, left - reach - 3, y + height / 2 + rise)
                    found.append((Text(tuple(words), box, "end"), ((left, y), (left - reach, y))))
        return found

    def _upright(self, words: Sequence[Words], item: Item) -> Iterator[PlacedLabel]:
        """Stubs straight up or down from a diamond in a gutter, where there may be more room than beside it."""
        width, height = text_size(words)
        for reach in (20.0, 30.0, 44.0, 60.0) if item.node.id in self.gutter_node.values() else ():
            for way in (-1, 1):
                start, end = item.y + way * item.height / 2, item.y + way * (item.height / 2 + reach)
                box = Rect.around(item.x, end + way * (height / 2 + 3), width, height)
                yield Text(tuple(words), box), ((item.x, start), (item.x, end))

    def _bent(self, route: Route, words: Sequence[Words], right: float, left: float, y: float) -> list[PlacedLabel]:
        """Stubs that turn up or down first, for when the straight way is taken by a line from the same place."""
        sibling = any(
            r.points and r.line.source == route.line.source and r.points[0] in ((right, y), (left, y))
            for r in self.routes.values()
        )
        if not sibling and not self.final_try:
            return []
        width, height = text_size(words)
        found: list[PlacedLabel] = []
        for rise in (24.0, -24.0, 36.0, -36.0, 50.0, -50.0, *((64.0, -64.0, 80.0, -80.0) if self.final_try else ())):
            at = y + rise
            box = Rect(right + 27, at - height / 2, right + 27 + width, at + height / 2)
            found.append(
                (Text(tuple(words), box, "start"), ((right, y), (right + 10, y), (right + 10, at), (right + 24, at)))
            )
            box = Rect(left - 27 - width, at - height / 2, left - 27, at + height / 2)
            found.append(
                (Text(tuple(words), box, "end"), ((left, y), (left - 10, y), (left - 10, at), (left - 24, at)))
            )
        return found
