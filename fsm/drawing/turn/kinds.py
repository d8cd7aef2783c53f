"""Which way each line takes: straight down, by a lane, from a border, or as a stub."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.drawing.columns import Unit
from fsm.drawing.diagram import Line, Node
from fsm.drawing.metrics import text_width, wrap
from fsm.drawing.placed import Words, text_size
from fsm.drawing.texts import (
    SIZES,
    said_in,
    title_text,
)
from fsm.drawing.turn.sheet import CARD_LEAST, CARD_MOST, Item, Route, Sheet


class Kinds(Sheet):
    """Which way each line takes: straight down, by a lane, from a border, or as a stub."""

    def _items(self) -> None:
        for c, column in enumerate(self.columns):
            nodes = [(n, u) for u in column for n in u.nodes]
            width = max(self._card_width([n for n, _ in nodes]), self._title_width(column))
            items = [self._item(n, c, u, width) for n, u in nodes]
            tail = items[-1] if items else None
            if tail and tail.node.place == "after" and (c < self.last or self._leaves_for_margin(tail.node)):
                self.gutter_node[c] = items.pop().node.id
            self.order.append(items)
            for unit in column:
                if unit.box:
                    self.box_column[unit.box.id] = c
                    self.notes[unit.box.id] = tuple(
                        Words(w, 7.5, ink=note.layer)
                        for note in unit.box.notes
                        for w in wrap(note.words, width + 12 if unit is column[-1] else width / 2 + 14, 7.5, 9)
                    )
        self.widths = [
            max([i.width for i in items if i.node.kind == "card"], default=CARD_LEAST) for items in self.order
        ]

    def _leaves_for_margin(self, node: Node) -> bool:
        ends = [line.target for line in self.diagram.lines if line.source == node.id]
        return any(self._final(end) for end in ends)

    def _card_width(self, nodes: Sequence[Node]) -> float:
        widest = CARD_LEAST
        for n in nodes:
            if n.kind == "card":
                mark = 12 if n.mark else 0
                widest = max(widest, text_width(n.title, 11, True) + 17 + mark)
        return min(widest, CARD_MOST)

    def _title_width(self, units: Sequence[Unit]) -> float:
        """A box is wide enough for its title and, right of it, the line that comes in from above."""
        return max((text_size(title_text(u.box))[0] + 25 for u in units if u.box), default=0.0)

    def _item(self, node: Node, column: int, unit: Unit | None, width: float) -> Item:
        if node.kind in SIZES:
            size = SIZES[node.kind]
            item = Item(node, column, unit, size, size, cross=bool(node.place) or node.kind == "start" or not node.box)
        else:
            lines = wrap(said_in(node), width - 14, 8.5)
            item = Item(node, column, unit, width, max(34.0, 21.0 + 10.2 * len(lines) + (3 if lines else 0)))
        self.items[node.id] = item
        return item

    def _classify(self, line: Line) -> Route:
        source, target = self.items.get(line.source), self.items.get(line.target)
        if source is None:
            return self._from_outside(line, target)
        if line.source == line.target:
            alone = self.order[source.column][-1:] == [source] or (
                source.unit and source.unit.nodes[-1].id == line.source
            )
            last = bool(source.unit and source.unit.inside and source.unit.inside[-1] is source.node)
            below = any(o.source == line.source and self._consecutive(o.source, o.target) for o in self.diagram.lines)
            return (
                Route(line, "loop below")
                if (alone or last) and not below
                else Route(line, "lane", ("R", source.column))
            )
        if target is None:
            return self._to_margin(line, source)
        gutter = self.gutter_node.get(source.column)
        if line.target == gutter:
            items = self.order[source.column]
            main = items and items[-1] is source and self._first_into(line, gutter)
            return Route(line, "into gutter" if main else "beside gutter", ("G", source.column + 1), "left", "right")
        if line.source == gutter:
            first = next(o for o in self.diagram.lines if o.source == gutter)
            if first is line and target.column == source.column + 1 and line.target not in self.gutter_node.values():
                return Route(line, "out of gutter", ("G", source.column + 1), "left", "right")
            return Route(line, "connector")
        if line.target in self.gutter_node.values():
            return Route(line, "connector")
        if self._consecutive(line.source, line.target):
            return Route(line, "straight")
        if target.column == source.column:
            return self._same_column(line, source, target)
        if target.column == source.column + 1:
            return Route(line, "lane", ("G", target.column), "left", "right")
        return Route(line, "connector")

    def _first_into(self, line: Line, gutter: str) -> bool:
        return next(o for o in self.diagram.lines if o.source == line.source and o.target == gutter) is line

    def _same_column(self, line: Line, source: Item, target: Item) -> Route:
        inside = source.unit is target.unit and source.unit is not None and source.unit.box is not None
        if inside and line.layer == "core" and not source.cross and not target.cross:
            return Route(line, "lane", ("L", source.column), "right", "right")
        near = inside and not target.cross and not source.cross
        return Route(line, "lane", ("R" if near else "G", source.column + (0 if near else 1)), "left", "left")

    def _to_margin(self, line: Line, source: Item) -> Route:
        if source.column == self.last and self._final(line.target):
            gutter = self.gutter_node.get(self.last)
            if line.source == gutter:
                return Route(line, "gutter to margin")
            if source.node.kind not in ("start",) and not source.cross:
                return Route(line, "margin", ("G", self.last + 1), "left", "right")
        if line.target in {n.id for n in self.diagram.nodes if n.kind == "hub"}:
            return Route(line, "hub")
        return Route(line, "connector")

    def _from_outside(self, line: Line, target: Item | None) -> Route:
        if self.diagram.node(line.source) is not None and line.source not in self.boxes:
            return Route(line, "hub")
        if line.source in self.boxes:
            column = self.box_column[line.source]
            if target is None:
                return Route(line, "border connector")
            if self.gutter_node.get(column) == line.target:
                return Route(line, "border", ("G", column + 1), "left", "right")
            if target.column == column:
                return Route(line, "border", ("G", column + 1), "left", "left")
            if target.column == column + 1 and line.target not in self.gutter_node.values():
                return Route(line, "border", ("G", column + 1), "left", "right")
            return Route(line, "border connector")
        if target is not None and target.column == self.last and line.target not in self.gutter_node.values():
            return Route(line, "word", ("G", self.last + 1), "left", "right")
        self.rows.append(line)
        return Route(line, "row")
