"""Which way each line takes: straight down, by a lane, from a border, or as a stub."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.columns import Unit
from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.metrics import text_width, wrap
from fsm.views.drawing.placed import Words, text_size
from fsm.views.drawing.texts import (
    SIZES,
    said_in,
    title_text,
)
from fsm.views.drawing.turn.sheet import CARD_LEAST, CARD_MOST, Item, Route, Sheet


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
                for box in (unit.box, *unit.inner) if unit.box else ():
                    self.box_column[box.id] = c
        self.widths = [
            max([i.width for i in items if i.node.kind == "card"], default=CARD_LEAST) for items in self.order
        ]

    def _note_lines(self) -> None:
        """The notes of each box, in lines that miss what passes beside them."""
        below = {r.line.source for r in self.routes.values() if r.kind == "border below"}
        down = [
            (self.items[r.line.source].node.box, r.line.target) for r in self.routes.values() if r.kind == "straight"
        ]
        around = self.diagram.around
        crossed = {box for here, there in down for box in set(around(here)) - set(around(self.items[there].node.box))}
        for c, column in enumerate(self.columns):
            for unit in column:
                for box in (unit.box, *unit.inner) if unit.box else ():
                    alone = box.id not in crossed if box.inside else unit is column[-1]
                    wide = self.widths[c] + (4 if box.inside else 6) if alone else self.widths[c] / 2 + 14
                    wide -= 28 if box.id in below else 0
                    words = [(w, note.layer) for note in box.notes for w in wrap(note.words, wide, 7.5, 9)]
                    self.notes[box.id] = tuple(Words(w, 7.5, ink=layer) for w, layer in words)

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
        boxes = [box for u in units for box in (u.box, *u.inner) if box]
        return max((text_size(title_text(box))[0] + 25 for box in boxes), default=0.0)

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
            last = self._last_in_box(source)
            below = self._goes_down(source) or any(
                r.kind == "loop below" and r.line.source == line.source for r in self.routes.values()
            )
            return (
                Route(line, "loop below")
                if (alone or last) and not below
                else Route(line, "lane", ("R", source.column))
            )
        if target is None:
            return self._to_margin(line, source)
        gutter = self.gutter_node.get(source.column)
        if line.target == gutter:
            kind = "into gutter" if self._comes_in(gutter) is line else "beside gutter"
            return Route(line, kind, ("G", source.column + 1), "left", "right")
        if line.source == gutter:
            if self._goes_on(gutter) is line:
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

    def _goes_down(self, item: Item) -> bool:
        """Does a line leave it straight down?"""
        return any(o.source == item.node.id and self._consecutive(o.source, o.target) for o in self.diagram.lines)

    def _last_in_box(self, item: Item) -> bool:
        """Does nothing else stand under it in its box, nor a box?"""
        box, inside = item.node.box, item.unit.inside if item.unit else []
        if item.node not in inside:
            return False
        below = any(box in self.diagram.around(node.box) for node in inside[inside.index(item.node) + 1 :])
        filled = {b for node in inside for b in self.diagram.around(node.box)}
        empty = item.unit is not None and any(b.inside == box and b.id not in filled for b in item.unit.inner)
        return not below and not empty

    def _goes_on(self, gutter: str) -> Line | None:
        """The line out of a diamond in a gutter that reaches the column right of it: the core one, if there is one."""
        right = self.items[gutter].column + 1
        near = [
            o
            for o in self.diagram.lines
            if o.source == gutter and o.target in self.items and self.items[o.target].column == right
        ]
        near = [o for o in near if o.target not in self.gutter_node.values()]
        return min(near, key=lambda o: o.layer != "core", default=None)

    def _comes_in(self, gutter: str) -> Line | None:
        """The line that a diamond in a gutter stands on: a core one, from as far down as can be."""
        items = self.order[self.items[gutter].column]
        into = [o for o in self.diagram.lines if o.target == gutter and self.items.get(o.source) in items]
        return max(into, key=lambda o: (o.layer == "core", items.index(self.items[o.source])), default=None)

    def _same_column(self, line: Line, source: Item, target: Item) -> Route:
        inside = source.unit is target.unit and source.unit is not None and source.unit.box is not None
        if inside and line.layer == "core" and not source.cross and not target.cross:
            return Route(line, "lane", ("L", source.column), "right", "right")
        near = (inside and not target.cross and not source.cross) or self._passes_by(line, source, target)
        return Route(line, "lane", ("R" if near else "G", source.column + (0 if near else 1)), "left", "left")

    def _passes_by(self, line: Line, source: Item, target: Item) -> bool:
        """Does it go on to what follows its box, past what else stands in there?"""
        units, unit = self.columns[source.column], source.unit
        if line.layer != "core" or source.cross or unit is None or target.unit is None or unit not in units:
            return False
        return target.node in unit.after or target.unit in units[units.index(unit) + 1 :][:1]

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
            if (
                target.node.kind == "card"
                and target.node.box == line.source
                and self._last_in_box(target)
                and not (self._goes_down(target))
            ):
                return Route(line, "border below")
            if target.column == column and self._depth(line.source) and target.unit and not target.cross:
                return Route(line, "border", ("R", column), "left", "left")
            if target.column == column:
                return Route(line, "border", ("G", column + 1), "left", "left")
            if target.column == column + 1 and line.target not in self.gutter_node.values():
                return Route(line, "border", ("G", column + 1), "left", "right")
            return Route(line, "border connector")
        near = target is not None and target.column == self.last and line.target not in self.gutter_node.values()
        if near and not any(r.kind == "word" for r in self.routes.values()):
            return Route(line, "word", ("G", self.last + 1), "left", "right")
        self.rows.append(line)
        return Route(line, "row")
