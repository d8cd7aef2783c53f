"""Placing the turn: columns of boxes, cards straight under each other, everything else by lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fsm.drawing.columns import Unit, columns
from fsm.drawing.diagram import Box, Diagram, Line, Node
from fsm.drawing.labels import Board, Spot, beside, block
from fsm.drawing.lanes import Lane, Side, spread
from fsm.drawing.metrics import text_width, wrap
from fsm.drawing.placed import (
    Placed,
    PlacedBox,
    PlacedLine,
    PlacedNode,
    Point,
    Rect,
    Text,
    Words,
    text_size,
    tidy,
)
from fsm.drawing.texts import card_text, said_in, title_text

GAP, TITLE, FOOT, SIDE = 15.0, 25.0, 12.0, 11.0
CHOICE, LOOKUP, START, FINAL = 16.0, 13.0, 11.0, 17.0
CARD_MOST, CARD_LEAST = 178.0, 112.0
SIZES = {"choice": CHOICE, "lookup": LOOKUP, "start": START, "final": FINAL}
ROUNDS = 8
LABEL_MOST, LABEL_SLIM = 84.0, 60.0


@dataclass(slots=True)
class Slack:
    """Room added after a first try, where a label found none."""

    gap: dict[str, float] = field(default_factory=dict)
    above: dict[str, float] = field(default_factory=dict)
    room: dict[str, float] = field(default_factory=dict)
    gutter: dict[int, float] = field(default_factory=dict)


@dataclass(slots=True)
class Item:
    """A node on its way to its place: column, size, and the middle of it."""

    node: Node
    column: int
    unit: Unit | None
    width: float
    height: float
    cross: bool = False
    x: float = 0.0
    y: float = 0.0

    @property
    def area(self) -> Rect:
        return Rect.around(self.x, self.y, self.width, self.height)


@dataclass(slots=True)
class Route:
    """How a line will run: its kind, its lane if it has one, and the y of its ends."""

    line: Line
    kind: str
    channel: tuple[str, int] = ("", 0)
    side1: Side = "right"
    side2: Side = "right"
    y1: float = 0.0
    y2: float = 0.0
    lane: Lane | None = None
    points: tuple[Point, ...] = ()
    head: str = ""


def place_turn(diagram: Diagram) -> Placed:
    """Place a turn's diagram: try, give room where a label found none, and try again."""
    slack = Slack()
    best: tuple[int, Placed] | None = None
    for _ in range(ROUNDS):
        layout = _Layout(diagram, slack)
        placed = layout.place()
        if best is None or layout.homeless < best[0]:
            best = layout.homeless, placed
        if not layout.homeless:
            break
    assert best is not None
    return best[1]


class _Layout:
    def __init__(self, diagram: Diagram, slack: Slack) -> None:
        self.diagram = diagram
        self.slack = slack
        self.homeless = 0
        self.columns = columns(diagram)
        self.last = len(self.columns) - 1
        self.boxes = {box.id: box for box in diagram.boxes}
        self.items: dict[str, Item] = {}
        self.order: list[list[Item]] = []
        self.box_column: dict[str, int] = {}
        self.box_span: dict[str, tuple[float, float]] = {}
        self.note_top: dict[str, float] = {}
        self.notes: dict[str, tuple[Words, ...]] = {}
        self.gutter_node: dict[int, str] = {}
        self.rows: list[Line] = []
        self.extra_nodes: list[PlacedNode] = []

    def place(self) -> Placed:
        self._items()
        self.routes = {line.id: self._classify(line) for line in self.diagram.lines}
        self._down()
        self._ports()
        self._across()
        self._draw()
        return self._finish()

    # items ------------------------------------------------------------------------------------------

    def _items(self) -> None:
        for c, column in enumerate(self.columns):
            nodes = [(n, u) for u in column for n in u.nodes]
            width = self._card_width([n for n, _ in nodes])
            items = [self._item(n, c, u, width) for n, u in nodes]
            tail = items[-1] if items else None
            if tail and tail.node.place == "after" and (c < self.last or self._leaves_for_margin(tail.node)):
                self.gutter_node[c] = items.pop().node.id
            self.order.append(items)
            for unit in column:
                if unit.box:
                    self.box_column[unit.box.id] = c
                    self.notes[unit.box.id] = tuple(
                        Words(w, 7.5, ink=note.layer) for note in unit.box.notes for w in wrap(note.words, width + 16, 7.5, 5)
                    )
        self.widths = [max([i.width for i in items if i.node.kind == "card"], default=CARD_LEAST) for items in self.order]

    def _leaves_for_margin(self, node: Node) -> bool:
        ends = [line.target for line in self.diagram.lines if line.source == node.id]
        return any(self._final(end) for end in ends)

    def _final(self, id: str) -> bool:
        node = self.diagram.node(id)
        return node is not None and node.kind == "final"

    def _card_width(self, nodes: Sequence[Node]) -> float:
        widest = CARD_LEAST
        for n in nodes:
            if n.kind == "card":
                mark = 12 if n.mark else 0
                widest = max(widest, text_width(n.title, 11, True) + 20 + mark)
        return min(widest, CARD_MOST)

    def _item(self, node: Node, column: int, unit: Unit | None, width: float) -> Item:
        if node.kind in SIZES:
            size = SIZES[node.kind]
            item = Item(node, column, unit, size, size, cross=bool(node.place) or node.kind == "start" or not node.box)
        else:
            lines = wrap(said_in(node), width - 14, 8.5)
            item = Item(node, column, unit, width, max(34.0, 21.0 + 10.2 * len(lines) + (3 if lines else 0)))
        self.items[node.id] = item
        return item

    # what kind of way each line takes ---------------------------------------------------------------

    def _classify(self, line: Line) -> Route:
        source, target = self.items.get(line.source), self.items.get(line.target)
        if source is None:
            return self._from_outside(line, target)
        if line.source == line.target:
            alone = self.order[source.column][-1:] == [source] or source.unit and source.unit.nodes[-1].id == line.source
            last = bool(source.unit and source.unit.inside and source.unit.inside[-1] is source.node)
            below = any(o.source == line.source and self._consecutive(o.source, o.target) for o in self.diagram.lines)
            return Route(line, "loop below") if (alone or last) and not below else Route(line, "lane", ("R", source.column))
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

    def _consecutive(self, source: str, target: str) -> bool:
        a, b = self.items[source], self.items.get(target)
        if b is None or a.column != b.column:
            return False
        items = self.order[a.column]
        return a in items and b in items and items.index(b) == items.index(a) + 1

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

    # down --------------------------------------------------------------------------------------------

    def _label_height(self, line: Line) -> float:
        return text_size(label_words(line))[1] if line.words else 0.0

    def _gap(self, above: Item, below: Item) -> float:
        between = [o for o in self.diagram.lines if self.routes[o.id].kind == "straight" and (o.source, o.target) == (above.node.id, below.node.id)]
        tallest = max((self._label_height(o) for o in between), default=0.0)
        slack = self.slack.gap.get(above.node.id, 0.0)
        base = 13.0 if below.node.kind in ("choice", "lookup") else GAP
        if above.node.kind in ("choice", "lookup"):
            base = max(base, tallest + 5 - above.height / 4)
        elif tallest:
            base = max(base, tallest + 7)
        return max(base, 13 + self.slack.above.get(below.node.id, -1.0)) + slack

    def _down(self) -> None:
        tops = [0.0] * len(self.columns)
        head = max((self._head_height(c) for c in range(len(self.columns))), default=0.0)
        for c in range(len(self.columns)):
            tops[c] = self._column_down(c, head)
        self._tail_items(tops)

    def _head_height(self, c: int) -> float:
        """How much stands above the first box of a column."""
        y, previous = 0.0, None
        for item in self.order[c]:
            if item.unit is None or item.node not in item.unit.before or item.unit is not self.columns[c][0]:
                break
            y += (self._gap(previous, item) if previous else 0.0) + item.height
            previous = item
        return y + (18.0 if previous else 0.0)

    def _column_down(self, c: int, head: float) -> float:
        y = head - self._head_height(c)
        previous: Item | None = None
        for u, unit in enumerate(self.columns[c]):
            for node in unit.before:
                y, previous = self._put(node, y, previous, 14.0 if previous else 0.0)
            if unit.box is None:
                for node in unit.inside:
                    y, previous = self._put(node, y, previous, self._between(previous, node))
            else:
                y = self._box_down(unit, y + ((18.0 if unit.before else 26.0) if previous else 0.0), previous)
                previous = self.items[unit.inside[-1].id] if unit.inside else previous
                y += 4
            for node in unit.after:
                if node.id != self.gutter_node.get(c):
                    y, previous = self._put(node, y, previous, 14.0)
            assert u >= 0
        return y

    def _between(self, previous: Item | None, node: Node) -> float:
        return self._gap(previous, self.items[node.id]) if previous else 0.0

    def _put(self, node: Node, y: float, previous: Item | None, gap: float) -> tuple[float, Item]:
        item = self.items[node.id]
        y += max(gap, self._gap(previous, item) if previous and gap else 0.0)
        item.y = y + item.height / 2
        return y + item.height, item

    def _box_down(self, unit: Unit, top: float, previous: Item | None) -> float:
        assert unit.box is not None
        y, above = top + TITLE, None
        for node in unit.inside:
            item = self.items[node.id]
            y += self._gap(above, item) if above else 0.0
            item.y = y + item.height / 2
            y, above = y + item.height, item
        loops = [r.line for r in self.routes.values() if r.kind == "loop below" and unit.inside and r.line.source == unit.inside[-1].id]
        if loops:
            y += 22 + self._label_height(loops[0])
        lines = self.notes.get(unit.box.id, ())
        self.note_top[unit.box.id] = y + 8
        y += (8 + 9.4 * len(lines)) if lines else 0.0
        self.box_span[unit.box.id] = top, y + FOOT
        return y + FOOT

    def _tail_items(self, tops: list[float]) -> None:
        """Hubs and "from any step" rows, under the column with most room."""
        self.row_tops: dict[str, float] = {}
        for line in self.rows:
            self.row_tops[line.id] = tops[self.last] + 20
            tops[self.last] += 22 + text_size(jump_words(line))[1] + 8
        self.hub_place: list[tuple[list[Node], int, float]] = []
        for hub in (n for n in self.diagram.nodes if n.kind == "hub"):
            nodes = [n for n in (self.diagram.node(f"{hub.id}?"), hub) if n]
            c = tops.index(min(tops))
            self.hub_place.append((nodes, c, tops[c] + 20))
            tops[c] += 20 + 85
        self.bottom = max(tops)

    # ports -------------------------------------------------------------------------------------------

    def _ports(self) -> None:
        ports: dict[tuple[str, Side], list[tuple[Route, int]]] = {}
        for route in self.routes.values():
            for end, node, side in ((1, route.line.source, self._leaves(route)), (2, route.line.target, self._arrives(route))):
                if side and node in self.items:
                    ports.setdefault((node, side), []).append((route, end))
        for (node, _), ends in ports.items():
            self._spread_ports(self.items[node], ends)
        for route in self.routes.values():
            self._gutter_y(route)

    def _leaves(self, route: Route) -> Side | None:
        if route.kind in ("lane", "margin", "into gutter", "beside gutter"):
            return "left" if route.channel[0] == "L" else "right"
        return "right" if route.kind == "connector" and self.items[route.line.source].node.kind == "card" else None

    def _arrives(self, route: Route) -> Side | None:
        if route.kind in ("lane", "out of gutter", "border"):
            return "left" if route.side2 == "right" else "right"
        return "right" if route.kind == "word" else None

    def _spread_ports(self, item: Item, ends: list[tuple[Route, int]]) -> None:
        if item.node.kind != "card":
            for route, end in ends:
                self._set_y(route, end, item.y)
            return
        ends.sort(key=lambda pair: self._port_key(item, *pair))
        pitch = min(15.0, (item.height - 14) / max(1, len(ends) - 1)) if len(ends) > 1 else 0.0
        for i, (route, end) in enumerate(ends):
            self._set_y(route, end, item.y + (i - (len(ends) - 1) / 2) * pitch)

    def _port_key(self, item: Item, route: Route, end: int) -> tuple[float, float]:
        if route.line.source == route.line.target:
            return (1.5, float(end))
        if route.kind in ("margin",):
            return (1.2, 0.0)
        if route.kind == "word":
            return (2.5, 0.0)
        other = self._other_y(route, end)
        return (1.0 if other < item.y else 2.0, -other)

    def _other_y(self, route: Route, end: int) -> float:
        other = route.line.target if end == 1 else route.line.source
        if other in self.gutter_node.values():
            out = next((o for o in self.diagram.lines if o.source == other and o.target in self.items), None)
            into = next((o for o in self.diagram.lines if o.target == other and o.source in self.items), None)
            back = (into.source if into else "") if end == 2 else (out.target if out else "")
            return self.items[back].y if back in self.items else 0.0
        if other in self.items:
            return self.items[other].y
        if other in self.box_span:
            return sum(self.box_span[other]) / 2
        return 1e4

    def _set_y(self, route: Route, end: int, y: float) -> None:
        if end == 1:
            route.y1 = y
        else:
            route.y2 = y

    def _gutter_y(self, route: Route) -> None:
        """A diamond in a gutter stands half way between where its line comes from and goes to."""
        if route.kind not in ("into gutter", "out of gutter", "gutter to margin"):
            return
        node = route.line.target if route.kind == "into gutter" else route.line.source
        into = next((r for r in self.routes.values() if r.kind == "into gutter" and r.line.target == node), None)
        out = next((r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == node), None)
        ys = [r_y for r_y in (into.y1 if into else None, out.y2 if out else None) if r_y is not None]
        self.items[node].y = sum(ys) / len(ys) if ys else self.order[self.items[node].column][-1].y

    # across -------------------------------------------------------------------------------------------

    def _lanes(self, kind: str, c: int) -> list[Lane]:
        found = []
        for route in self.routes.values():
            if route.channel != (kind, c) or route.kind in ("out of gutter", "gutter to margin"):
                continue
            if route.kind == "border" and route.line.target in self.gutter_node.values():
                continue
            if route.kind == "margin":
                continue
            route.lane = self._lane(route)
            found.append(route.lane)
        if kind == "G":
            found += self._lone_gutter_lane(c)
        return found

    def _lane(self, route: Route) -> Lane:
        room = self.slack.room.get(route.line.id, 0.0)
        if route.kind == "into gutter":
            out = next((r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == route.line.target), None)
            return Lane(route.y1, out.y2 if out else route.y1, "left", "right", room=room)
        if route.kind == "beside gutter":
            return Lane(route.y1, self.items[route.line.target].y, "left", "right", keep_left=True, room=room)
        if route.kind == "border":
            route.y1 = self._border_y(route)
        if route.kind == "word":
            return Lane(route.y2, route.y2 + 40, "left", "right", room=room)
        if route.line.source == route.line.target:
            item = self.items[route.line.source]
            route.y1, route.y2 = item.y + item.height / 2 - 7, item.y - item.height / 2 + 7
        return Lane(route.y1, route.y2, route.side1, route.side2, room=room)

    def _lone_gutter_lane(self, c: int) -> list[Lane]:
        """A diamond in a gutter whose way in is missing still needs its place."""
        node = self.gutter_node.get(c - 1)
        if node is None or any(r.kind == "into gutter" and r.line.target == node for r in self.routes.values()):
            return []
        out = next((r for r in self.routes.values() if r.kind == "out of gutter" and r.line.source == node), None)
        y = self.items[node].y
        lane = Lane(y, out.y2 if out else y, "right", "right")
        self._lone = {**getattr(self, "_lone", {}), node: lane}
        return [lane]

    def _border_y(self, route: Route) -> float:
        top, bottom = self.box_span[route.line.source]
        taken = [y for r in self.routes.values() for y in (r.y1, r.y2) if r is not route]
        ideal = (top + bottom) / 2 + 20
        tries = sorted((top + 16 + i * 6 for i in range(int(max(1, (bottom - top - 32) / 6)))), key=lambda y: abs(y - ideal))
        return next((y for y in tries if all(abs(y - t) > 9 for t in taken)), ideal)

    def _across(self) -> None:
        x = 0.0
        self.left: list[float] = []
        self.right: list[float] = []
        self.spine: list[float] = []
        self.cross: list[float] = []
        for c in range(len(self.columns)):
            x = self._gutter_across(c, x)
            x = self._column_across(c, x)
        self.edge = self._gutter_across(self.last + 1, x)
        for item in self.items.values():
            if item.node.id not in self.gutter_node.values():
                item.x = self.cross[item.column] if item.cross else self.spine[item.column]

    def _gutter_across(self, c: int, x: float) -> float:
        lanes = self._lanes("G", c)
        pad = 13.0
        end = spread(lanes, x + pad + self.slack.gutter.get(c, 0.0)) if lanes else x
        node = self.gutter_node.get(c - 1)
        if node is not None:
            route = next((r for r in self.routes.values() if r.kind == "into gutter" and r.line.target == node), None)
            lane = route.lane if route else getattr(self, "_lone", {}).get(node)
            self.items[node].x = lane.x if lane else x + pad
        if c == 0:
            return end + (pad if lanes else 0.0)
        if c > self.last:
            return end + (8 if lanes else 0.0)
        return max(end + 15, x + 40 + self.slack.gutter.get(c, 0.0))

    def _column_across(self, c: int, x: float) -> float:
        boxed = any(u.box for u in self.columns[c])
        width, margin = self.widths[c], (SIDE if boxed else 0.0)
        lefts, rights = self._lanes("L", c), self._lanes("R", c)
        inner = spread(lefts, 0.0) + 12 if lefts else 0.0
        end = max(margin, 10 + inner)
        for lane in lefts:
            lane.x = x + end - 10 - lane.x
        self.left.append(x)
        self.spine.append(x + end + width / 2)
        card_right = x + end + width
        right = card_right + margin
        if rights:
            right = spread(rights, card_right + self._clear_of_labels(c, rights, width)) + SIDE
        right = max([right, *(self.left[c] + 14 + text_size(title_text(u.box))[0] + 10 for u in self.columns[c] if u.box)])
        self.right.append(right)
        titles = [text_size(title_text(u.box))[0] for u in self.columns[c] if u.box]
        free = max((self.left[c] + 14 + t + 9 for t in titles), default=self.spine[c])
        self.cross.append(min(max(self.spine[c] + 30, free), card_right - 12) if titles else self.spine[c])
        return right

    def _clear_of_labels(self, c: int, lanes: Sequence[Lane], width: float) -> float:
        """How far right of the cards the first lane runs, to miss the labels between the cards."""
        needed = 14.0
        for route in self.routes.values():
            if route.kind != "straight" or not route.line.words:
                continue
            a, b = self.items[route.line.source], self.items[route.line.target]
            if a.column == c and any(lane.top < b.y and lane.bottom > a.y for lane in lanes):
                needed = max(needed, 7 + text_size(label_words(route.line))[0] + 8 - width / 2)
        return needed

    # lines ---------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        self.finals: dict[str, PlacedNode] = {}
        for route in self.routes.values():
            route.points = tidy(self._points(route))

    def _points(self, route: Route) -> Sequence[Point]:
        source, target = self.items.get(route.line.source), self.items.get(route.line.target)
        if route.kind == "straight" and source and target:
            return self._straight(source, target)
        if route.kind == "loop below" and source:
            y, half = source.y + source.height / 2, source.width / 4
            return [(source.x + half, y), (source.x + half, y + 20), (source.x - half, y + 20), (source.x - half, y)]
        if route.kind == "lane" and source and target and route.lane:
            return self._by_lane(route, source, target, route.lane)
        if route.kind == "into gutter" and source and target and route.lane:
            return [(self._edge(source, "right"), route.y1), (route.lane.x, route.y1), *self._to_gutter(target, route.y1)]
        if route.kind == "out of gutter" and source and target:
            end = (self._edge(target, "left"), route.y2)
            return [*reversed(self._to_gutter(source, route.y2)), (source.x, route.y2), end]
        if route.kind == "beside gutter" and source and target and route.lane:
            return [
                (self._edge(source, "right"), route.y1), (route.lane.x, route.y1),
                (route.lane.x, target.y), (target.x - target.width / 2, target.y),
            ]
        if route.kind == "border":
            return self._from_border(route, target)
        return ()

    def _to_gutter(self, node: Item, y: float) -> list[Point]:
        """The corner of a diamond in a gutter that faces this height."""
        if abs(y - node.y) < 2:
            return [(node.x - node.width / 2, node.y)]
        return [(node.x, node.y + (node.height / 2 if y > node.y else -node.height / 2))]

    def _edge(self, item: Item, side: Side) -> float:
        return item.x + (item.width / 2 if side == "right" else -item.width / 2)

    def _straight(self, a: Item, b: Item) -> list[Point]:
        top, bottom = a.y + a.height / 2, b.y - b.height / 2
        x = self._shared_x(a, b)
        if x is not None:
            return [(x, top), (x, bottom)]
        if a.node.kind != "card" and a.x != b.x and b.node.kind != "card":
            if b.cross:
                return [(self._edge(a, "right" if b.x > a.x else "left"), a.y), (b.x, a.y), (b.x, bottom)]
            return [(a.x, top), (a.x, b.y), (self._edge(b, "right" if a.x > b.x else "left"), b.y)]
        return [(a.x, top), (b.x, bottom)]

    def _shared_x(self, a: Item, b: Item) -> float | None:
        for x in (a.x if a.node.kind != "card" else b.x if b.node.kind != "card" else self._spine_between(a, b),):
            if a.area.left <= x <= a.area.right and b.area.left <= x <= b.area.right:
                return x
        return None

    def _spine_between(self, a: Item, b: Item) -> float:
        return self.spine[a.column] if a.unit is b.unit or not (b.unit and b.unit.box) else self.cross[a.column]

    def _by_lane(self, route: Route, source: Item, target: Item, lane: Lane) -> list[Point]:
        leave: Side = "left" if route.channel[0] == "L" else "right"
        arrive: Side = "left" if route.side2 == "right" and route.channel[0] != "R" else "right"
        if route.channel[0] == "L":
            arrive = "left"
        return [
            (self._edge(source, leave), route.y1), (lane.x, route.y1), (lane.x, route.y2), (self._edge(target, arrive), route.y2),
        ]

    def _from_border(self, route: Route, target: Item | None) -> list[Point]:
        assert target is not None
        column = self.box_column[route.line.source]
        x = self.right[column]
        if target.node.id in self.gutter_node.values():
            top, bottom = self.box_span[route.line.source]
            if top + 8 < target.y < bottom - 8:
                return [(x, target.y), (target.x - target.width / 2, target.y)]
            y = min(max(target.y, top + 14), bottom - 14)
            return [(x, y), (x + 10, y), (x + 10, target.y), (target.x - target.width / 2, target.y)]
        assert route.lane is not None
        arrive: Side = "left" if route.side2 == "right" else "right"
        return [(x, route.y1), (route.lane.x, route.y1), (route.lane.x, route.y2), (self._edge(target, arrive), route.y2)]

    # words and the rest -----------------------------------------------------------------------------------

    def _finish(self) -> Placed:
        board = self.board = Board()
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
        lines = [self._labelled(route) for route in sorted(self.routes.values(), key=self._label_order) if route.points]
        lines.sort(key=lambda placed: list(self.routes).index(placed.line.id))
        return self._moved([*nodes, *self.extra_nodes], boxes, lines)

    def _moved(self, nodes: list[PlacedNode], boxes: list[PlacedBox], lines: list[PlacedLine]) -> Placed:
        from fsm.drawing.moving import framed

        return framed(self.diagram, nodes, boxes, lines)

    def _node(self, item: Item) -> PlacedNode:
        return PlacedNode(item.node, item.area, card_text(item.node, item.area) if item.node.kind == "card" else None)

    def _box(self, box: Box) -> PlacedBox:
        c = self.box_column[box.id]
        area = Rect(self.left[c], self.box_span[box.id][0], self.right[c], self.box_span[box.id][1])
        words = title_text(box)
        width, height = text_size(words)
        title = Text(tuple(words), Rect(area.left + 14, area.top + 6, area.left + 14 + width, area.top + 6 + height), "start")
        notes = None
        if self.notes[box.id]:
            lines = self.notes[box.id]
            width, height = text_size(lines)
            top = self.note_top[box.id]
            notes = Text(lines, Rect(area.x - width / 2, top, area.x + width / 2, top + height))
        return PlacedBox(box, area, title, notes)

    def _hubs(self) -> list[PlacedNode]:
        found: list[PlacedNode] = []
        for nodes, c, top in self.hub_place:
            left, right = self.left[c] + 4, self.right[c] - 4
            width = min(self.widths[c], right - left)
            x, y = self.left[c] + 20, top + LOOKUP / 2
            if len(nodes) > 1:
                area = Rect.around(x, y, LOOKUP, LOOKUP)
                said = Words(nodes[0].title, 9.0, True, "extra")
                text = Text((said,), Rect(x + 14, y - 6, x + 14 + said.width, y + 5), "start")
                found.append(PlacedNode(nodes[0], area, text))
                self.board.add_text(text)
                self.board.add_area(area)
            card = Rect(left, top + 47, left + width, top + 47 + 34)
            found.append(PlacedNode(nodes[-1], card, card_text(nodes[-1], card)))
            self.board.add_area(card.grown(5))
            for route in self.routes.values():
                if route.kind == "hub" and route.line.target == nodes[-1].id and len(nodes) > 1:
                    route.points = ((x, y + LOOKUP / 2), (x, card.top - 4))
                    self.board.add_line(route.line.id, route.points)
        return found

    def _margin(self) -> list[PlacedNode]:
        """Discs right of everything: how the turn ends, and what jumps there from any step."""
        found: list[PlacedNode] = []
        x = self.edge + 50
        gutter = self.gutter_node.get(self.last)
        taken: list[float] = []
        for route in self.routes.values():
            if route.kind not in ("gutter to margin", "margin"):
                continue
            target = route.line.target
            source = self.items[route.line.source]
            y = source.y if route.line.source == gutter else route.y1
            if target not in self.finals:
                node = self.diagram.node(target)
                assert node is not None
                area = Rect.around(x, y, FINAL, FINAL)
                self.finals[target] = PlacedNode(node, area)
                self.board.add_area(area.grown(2))
                taken.append(y)
            area = self.finals[target].area
            start = self._edge(source, "right")
            if abs(area.y - y) < 2:
                route.points = ((start, y), (area.left, area.y))
            else:
                bend = area.left - 10
                route.points = tidy([(start, y), (bend, y), (bend, area.y), (area.left, area.y)])
            self.board.add_line(route.line.id, route.points)
        for id, placed in list(self.finals.items()):
            words = final_words(placed.node)
            spots = [*block(words, placed.area, gap=4)]
            text = self.board.settle(spots)
            self.finals[id] = PlacedNode(placed.node, placed.area, text)
            found.append(self.finals[id])
        self._words_in_margin(x, taken)
        return found

    def _words_in_margin(self, x: float, taken: list[float]) -> None:
        low = max([*taken, 0.0])
        for i, route in enumerate(r for r in self.routes.values() if r.kind == "word"):
            words = jump_words(route.line)
            width, height = text_size(words)
            target = self.items[route.line.target]
            y = max(route.y2 + 26, low + 26)
            centre = max(x, self.edge + 10 + width / 2)
            while not self.board.free(Rect(centre - width / 2, y + 8, centre + width / 2, y + 8 + height)) and y < low + 400:
                y += 8
            area = Rect(centre - width / 2, y + 8, centre + width / 2, y + 8 + height)
            text = Text(tuple(words), area)
            word = Node(f"{route.line.id}!", "word", "from any step", tooltip=route.line.tooltip)
            self.extra_nodes.append(PlacedNode(word, area, text))
            self.board.add_text(text)
            lane_x = route.lane.x if route.lane and i else centre
            points = [(centre, y), (lane_x, y), (lane_x, route.y2), (self._edge(target, "right"), route.y2)]
            if i:
                points = [(area.left - 4, area.top + 6), (lane_x, area.top + 6), *points[2:]]
            route.points = tidy(points)
            self.board.add_line(route.line.id, route.points)
            low = area.bottom

    def _rows(self) -> list[PlacedNode]:
        """Jumps from any step to the end of the game, or to somewhere far: a row of their own."""
        found: list[PlacedNode] = []
        for line in self.rows:
            words = jump_words(line)
            width, height = text_size(words)
            left, top = self.left[self.last] + 4, self.row_tops[line.id]
            area = Rect(left, top, left + width, top + height)
            text = Text(tuple(words), area)
            word = Node(f"{line.id}!", "word", "from any step", tooltip=line.tooltip)
            found.append(PlacedNode(word, area, text))
            self.board.add_text(text)
            start = (area.right + 8, top + 6)
            node = self.diagram.node(line.target)
            route = self.routes[line.id]
            if node is not None and node.kind == "final" and node.id not in self.finals:
                disc = Rect.around(start[0] + 50, start[1], FINAL, FINAL)
                said = final_words(node)
                w, h = text_size(said)
                label = Text(tuple(said), Rect(disc.right + 5, disc.y - h / 2, disc.right + 5 + w, disc.y + h / 2), "start")
                self.finals[node.id] = PlacedNode(node, disc, label)
                found.append(self.finals[node.id])
                self.board.add_area(disc)
                self.board.add_text(label)
                route.points = (start, (disc.left, disc.y))
            else:
                route.points = (start, (start[0] + 36, start[1]))
                self._head(route, [Words(self._called(line), 8.5, True, line.layer)], Rect(start[0] + 40, start[1] - 6, 0, 0))
            self.board.add_line(line.id, route.points)
        return found

    def _called(self, line: Line) -> str:
        node = self.diagram.node(line.target)
        return f"to {node.title}" if node and node.title else "to another place"

    def _head(self, route: Route, words: Sequence[Words], at: Rect) -> None:
        width, height = text_size(words)
        area = Rect(at.left, at.top, at.left + width, at.top + height)
        text = Text(tuple(words), area, "start")
        node = Node(f"{route.line.id}>", "word", words[0].text, tooltip=route.line.tooltip)
        self.extra_nodes.append(PlacedNode(node, area, text))
        self.board.add_text(text)
        route.head = node.id

    def _connectors(self) -> None:
        """A line to somewhere far is a stub with the name of where it leads."""
        for route in self.routes.values():
            if route.kind not in ("connector", "border connector"):
                continue
            words = [*guard_lines(route.line, 108.0), Words(self._called(route.line), 8.5, True, route.line.layer)]
            words += [Words(route.line.rule, 7.5, ink="muted")] if route.line.rule else []
            spots = self._stubs(route, words)
            text, stub = self.board.settle_stub(spots)
            if text is None:
                self.homeless += 1
                column = self._column_of(route.line.source)
                wide = self.slack.gutter.get(column + 1, 0.0)
                self.slack.gutter[column + 1] = wide + text_size(words)[0] + 20
                text, stub = spots[0]
                self.board.add_text(text)
            node = Node(f"{route.line.id}>", "word", self._called(route.line), tooltip=route.line.tooltip)
            self.extra_nodes.append(PlacedNode(node, text.area, text))
            route.points, route.head = stub, node.id
            self.board.add_line(route.line.id, stub)

    def _column_of(self, id: str) -> int:
        return self.items[id].column if id in self.items else self.box_column.get(id, 0)

    def _stubs(self, route: Route, words: Sequence[Words]) -> list[Spot]:
        width, height = text_size(words)
        found: list[Spot] = []
        if route.kind == "border connector":
            c = self.box_column[route.line.source]
            top, bottom = self.box_span[route.line.source]
            places = [(self.right[c], self.left[c], top + 20 + 10 * i) for i in range(int(max(1, (bottom - top - 40) / 10)))]
        else:
            item = self.items[route.line.source]
            y = route.y1 if item.node.kind == "card" and route.y1 else item.y
            places = [(self._edge(item, "right"), self._edge(item, "left"), y)]
        for right, left, y in places:
            for reach in (20.0, 30.0, 44.0, 60.0):
                for rise in (0.0, -height / 2 + 6, height / 2 - 6):
                    box = Rect(right + reach + 3, y - height / 2 + rise, right + reach + 3 + width, y + height / 2 + rise)
                    found.append((Text(tuple(words), box, "start"), ((right, y), (right + reach, y))))
                    box = Rect(left - reach - 3 - width, y - height / 2 + rise, left - reach - 3, y + height / 2 + rise)
                    found.append((Text(tuple(words), box, "end"), ((left, y), (left - reach, y))))
        return found

    def _label_order(self, route: Route) -> tuple[int, float]:
        kinds = {"straight": 0, "loop below": 0, "hub": 0, "gutter to margin": 1, "margin": 1}
        return kinds.get(route.kind, 2), -text_size(label_words(route.line))[0]

    def _labelled(self, route: Route) -> PlacedLine:
        line = route.line
        own = route.kind in ("connector", "border connector", "word", "row")
        if own or not line.words:
            return PlacedLine(line, route.points, None, route.head)
        slim = label_words(line, LABEL_SLIM)
        text = self.board.settle([*beside(label_words(line), route.points), *beside(slim, route.points)])
        if text is None:
            self._homeless(route, slim if route.lane else label_words(line))
        return PlacedLine(line, route.points, text, route.head)

    def _homeless(self, route: Route, words: Sequence[Words]) -> None:
        """Note where room is missing: above a diamond if that was not tried yet, else beside the lane."""
        self.homeless += 1
        width, height = text_size(words)
        source = self.items.get(route.line.source)
        if source and source.node.kind == "choice" and route.lane and source.node.id not in self.slack.above:
            self.slack.above[source.node.id] = height - 13
        elif route.kind == "straight":
            gap = self.slack.gap.get(route.line.source, 0.0)
            self.slack.gap[route.line.source] = gap + height
        elif route.lane is not None:
            self.slack.room[route.line.id] = self.slack.room.get(route.line.id, 0.0) + width + 10
        else:
            c = self._column_of(route.line.source) + 1
            self.slack.gutter[c] = self.slack.gutter.get(c, 0.0) + width + 10


def guard_lines(line: Line, most: float = LABEL_MOST) -> list[Words]:
    """The label without the citation, in the ink of its layer."""
    ink = "ink" if line.layer == "core" else line.layer
    return [Words(part, 8.5, ink=ink) for word in line.words for part in wrap(word, most, 8.5, 5)]


def label_words(line: Line, most: float = LABEL_MOST) -> list[Words]:
    """A label: event and guard, then the citation alone on the last line."""
    return guard_lines(line, most) + ([Words(line.rule, 7.5, ink="muted")] if line.rule else [])


def jump_words(line: Line) -> list[Words]:
    """A jump from the whole turn: where from in bold, then its label."""
    return [Words("from any step", 9.0, True, "jump"), *label_words(line)]


def final_words(node: Node) -> list[Words]:
    """What stands at a final disc."""
    said = [Words(node.title + ("," if node.lines else ""), 8.5), *(Words(line, 8.5) for line in node.lines)]
    return said + ([Words(node.rule, 7.5, ink="muted")] if node.rule else [])
