"""How far down everything stands."""

from __future__ import annotations

from fsm.views.drawing.columns import Unit
from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import Words, text_size
from fsm.views.drawing.texts import (
    jump_words,
    label_words,
)
from fsm.views.drawing.turn.kinds import Kinds
from fsm.views.drawing.turn.sheet import FOOT, GAP, HUB, NONE, TITLE, HubPlace, Item


class Down(Kinds):
    """How far down everything stands."""

    def _label_height(self, line: Line) -> float:
        return text_size(label_words(line))[1] if line.words else 0.0

    def _gap(self, above: Item, below: Item) -> float:
        between = [
            o
            for o in self.diagram.lines
            if self.routes[o.id].kind == "straight" and (o.source, o.target) == (above.node.id, below.node.id)
        ]
        tallest = max((self._label_height(o) for o in between), default=0.0)
        slack = self.slack.gap.get(above.node.id, 0.0)
        base = 13.0 if below.node.kind in ("choice", "lookup") else GAP
        if above.node.kind in ("choice", "lookup"):
            base = max(base, tallest + 5 - above.height / 4)
        elif tallest:
            base = max(base, tallest + 7)
        return max(base, self.slack.above.get(below.node.id, NONE) - NONE) + slack

    def _down(self) -> None:
        tops = [0.0] * len(self.columns)
        head = max((self._head_height(c) for c in range(len(self.columns))), default=0.0)
        for c in range(len(self.columns)):
            tops[c] = self._column_down(c, head)
        self._tail_items(tops)

    def _head_height(self, c: int) -> float:
        """How much stands above the first box of a column."""
        y = 0.0
        previous: Item | None = None
        for item in self.order[c]:
            if item.unit is None or item.node not in item.unit.before or item.unit is not self.columns[c][0]:
                break
            y += (self._gap(previous, item) if previous else 0.0) + item.height
            previous = item
        return y + (20.0 if previous else 0.0)

    def _column_down(self, c: int, head: float) -> float:
        y = head - self._head_height(c)
        previous: Item | None = None
        for unit in self.columns[c]:
            for node in unit.before:
                y, previous = self._put(node, y, previous, 14.0 if previous else 0.0)
            if unit.box is None:
                for node in unit.inside:
                    y, previous = self._put(node, y, previous, self._between(previous, node))
            else:
                y = self._box_down(unit, y + ((20.0 if unit.before else 26.0) if previous else 0.0))
                previous = self.items[unit.inside[-1].id] if unit.inside else previous
                y += 4
            for node in unit.after:
                if node.id != self.gutter_node.get(c):
                    y, previous = self._put(node, y, previous, 14.0)
        return y

    def _between(self, previous: Item | None, node: Node) -> float:
        return self._gap(previous, self.items[node.id]) if previous else 0.0

    def _put(self, node: Node, y: float, previous: Item | None, gap: float) -> tuple[float, Item]:
        item = self.items[node.id]
        y += max(gap, self._gap(previous, item) if previous and gap else 0.0)
        item.y = y + item.height / 2
        return y + item.height, item

    def _box_down(self, unit: Unit, top: float) -> float:
        """A box and what stands in it; boxes in it open above their first node and close under their last."""
        assert unit.box is not None
        y, opened = self._open(unit.box.id, top), [unit.box.id]
        above: Item | None = None
        for node in unit.inside:
            item, way = self.items[node.id], self.diagram.around(node.box)
            while opened[-1] not in way:
                y = self._close(opened.pop(), y, above)
            y += self._gap(above, item) if above else 0.0
            for box in way[len(opened) :]:
                opened.append(box)
                y = self._open(box, y)
            item.y = y + item.height / 2
            y, above = y + item.height, item
        for box in reversed(opened):
            y = self._close(box, y, above)
        return y

    def _open(self, box: str, top: float) -> float:
        self.box_span[box] = top, top
        return top + TITLE

    def _close(self, box: str, y: float, above: Item | None) -> float:
        """Under the last node: room for its loop, then boxes with nothing in them, the notes, the border."""
        if above and above.node.box == box:
            under = [r for r in self.routes.values() if r.line.target == above.node.id]
            loops = [self._label_height(r.line) for r in under if r.kind == "loop below"]
            jumps = [self._label_height(r.line) for r in under if r.kind == "border below"]
            y += 22 + max(loops) if loops else 0.0
            y += 6 + max(6.0, *jumps) if jumps else 0.0
        for empty in (b.id for b in self.diagram.boxes if b.inside == box and b.id not in self.box_span):
            y = self._close(empty, self._open(empty, y + GAP), None)
        lines = self.notes.get(box, ())
        self.note_top[box] = y + 8
        y += (8 + 9.4 * len(lines)) if lines else 0.0
        self.box_span[box] = self.box_span[box][0], y + FOOT
        return y + FOOT

    def _tail_items(self, tops: list[float]) -> None:
        """Hubs and "from any step" rows, under the column with most room."""
        for line in self.rows:
            self.row_tops[line.id] = tops[self.last] + 20
            tops[self.last] += 22 + text_size(jump_words(line))[1] + 8
        for hub in (n for n in self.diagram.nodes if n.kind == "hub"):
            column = tops.index(min(tops))
            sample = self.diagram.node(f"{hub.id}?")
            lines = wrap(sample.title, self.widths[column] - 20, 9.0) if sample else ()
            said = tuple(Words(line, 9.0, True, "extra") for line in lines)
            place = HubPlace(hub, sample, said, column, tops[column] + 20)
            self.hubs.append(place)
            tops[column] = place.top + place.reach + HUB + 4
        self.bottom = max(tops)
