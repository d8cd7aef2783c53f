"""Placing a small flat model: its longest way straight down, what branches off at the left, all ways back in lanes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.views.drawing.diagram import ANYWHERE, Diagram, Line, Node
from fsm.views.drawing.labels import Board, beside, end_named
from fsm.views.drawing.lanes import Lane, spread
from fsm.views.drawing.metrics import text_width, wrap
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import (
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
from fsm.views.drawing.spine import UnsuitableDiagram, longest_way
from fsm.views.drawing.texts import SIZES, card_text, label_words, said_in, title_text, word_size, word_text

GAP, JUMP, WIDE, NARROW = 22.0, 36.0, 190.0, 120.0
LABEL = 128.0
ROUNDS = 8
_MOST_STATES, _MOST_PIECES = 16, 3


@dataclass(slots=True)
class _Cell:
    node: Node
    row: int
    left: bool
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0

    @property
    def area(self) -> Rect:
        return Rect.around(self.x, self.y, self.width, self.height)


def place_flat(diagram: Diagram) -> Placed:
    """Place a flat diagram on a spine where that is possible, else by Graphviz, which is loaded only then."""
    try:
        return place_flow(diagram)
    except UnsuitableDiagram:
        from fsm.views.drawing.throughgraphviz import place_by_dot

        return place_by_dot(diagram)


def place_flow(diagram: Diagram) -> Placed:
    """Place a flat diagram. Raises Unfit when it is too large or too tangled for this layout.

    What cannot be reached from the start (a hole in the model) goes on further down.
    """
    if len(diagram.nodes) > _MOST_STATES or any(box.inside for box in diagram.boxes):
        raise UnsuitableDiagram
    spine = longest_way(diagram, diagram.nodes[:1], ())
    for _ in range(_MOST_PIECES):
        try:
            return _with_room(diagram, spine)
        except UnsuitableDiagram:
            spine = spine + longest_way(diagram, diagram.nodes, spine)
    return _with_room(diagram, spine)


def _with_room(diagram: Diagram, spine: Sequence[str]) -> Placed:
    """Place it, give room where a label found none, and try again."""
    gaps: dict[str, float] = {}
    rooms: dict[str, float] = {}
    best: tuple[int, Placed] | None = None
    for _ in range(ROUNDS):
        layout = _Flow(diagram, spine, gaps, rooms)
        placed = layout.place()
        if best is None or layout.homeless < best[0]:
            best = layout.homeless, placed
        if not layout.homeless:
            return _without_spare_room(diagram, spine, gaps, rooms, placed)
    assert best is not None
    return best[1]


def _without_spare_room(
    diagram: Diagram, spine: Sequence[str], gaps: dict[str, float], rooms: dict[str, float], placed: Placed
) -> Placed:
    """Take back the room beside each lane whose label, now that all else has its place, stands without it."""
    for id in list(rooms):
        less = {line: room for line, room in rooms.items() if line != id}
        layout = _Flow(diagram, spine, dict(gaps), dict(less))
        tried = layout.place()
        if not layout.homeless and tried.size[0] < placed.size[0]:
            rooms, placed = less, tried
    return placed


class _Flow:
    def __init__(self, diagram: Diagram, spine: Sequence[str], gaps: dict[str, float], rooms: dict[str, float]) -> None:
        self.diagram = diagram
        self.spine = list(spine)
        self.gaps, self.rooms = gaps, rooms
        self.homeless = 0
        self.cells: dict[str, _Cell] = {}
        self.lanes: dict[str, Lane] = {}
        self.lane_x: dict[str, float] = {}
        self.points: dict[str, tuple[Point, ...]] = {}
        self.ports: dict[tuple[str, str], float] = {}

    def place(self) -> Placed:
        self._cells()
        self._heights()
        self._down()
        self._ports()
        self._across()
        return self._finish()

    # cells ---------------------------------------------------------------------------------------

    def _cells(self) -> None:
        for row, id in enumerate(self.spine):
            self._cell(id, row, left=False)
        taken: set[int] = set()
        for node in self.diagram.nodes:
            if node.id not in self.cells:
                row = self._row_for(node.id)
                if row in taken:
                    raise UnsuitableDiagram
                taken.add(row)
                self._cell(node.id, row, left=True)

    def _row_for(self, id: str) -> int:
        feeders = [self.cells[o.source].row for o in self.diagram.lines if o.target == id and o.source in self.spine]
        if not feeders:
            feeders = [
                self.cells[o.target].row for o in self.diagram.lines if o.source == id and o.target in self.spine
            ]
        if not feeders:
            raise UnsuitableDiagram
        return max(feeders)

    def _cell(self, id: str, row: int, left: bool) -> None:
        node = self.diagram.node(id)
        assert node is not None
        if node.kind in SIZES:
            self.cells[id] = _Cell(node, row, left, SIZES[node.kind], SIZES[node.kind])
            return
        if node.kind == "word":
            self.cells[id] = _Cell(node, row, left, *word_size(node))
            return
        mark = 12 if node.mark else 0
        lines = [text_width(w, 8.5) + 18 for w in wrap(said_in(node), WIDE - 18, 8.5)]
        width = min(WIDE, max([NARROW, text_width(node.title, 11, True) + 24 + mark, *lines]))
        self.cells[id] = _Cell(node, row, left, width, 0.0)

    def _heights(self) -> None:
        for id, cell in self.cells.items():
            if cell.node.kind not in SIZES and cell.node.kind != "word":
                lines = len(wrap(said_in(cell.node), cell.width - 10, 8.5))
                lanes = sum(self._in_lane(o) * ((o.source == id) + (o.target == id)) for o in self.diagram.lines)
                cell.height = max(34.0, 24 + 10.2 * lines, 12 + 11.0 * lanes)

    def _kind(self, line: Line) -> str:
        a, b = self.cells.get(line.source), self.cells.get(line.target)
        if a is None or b is None:
            return "box"
        if not a.left and not b.left:
            return "straight" if b.row == a.row + 1 and self._first(line) else "lane"
        if a.left and b.left:
            raise UnsuitableDiagram
        return "across" if a.row == b.row and not a.left and self._first(line) else "corner"

    def _first(self, line: Line) -> bool:
        return next(o for o in self.diagram.lines if (o.source, o.target) == (line.source, line.target)) is line

    def _in_lane(self, line: Line) -> bool:
        return self._kind(line) in ("lane", "box")

    # down ----------------------------------------------------------------------------------------

    def _down(self) -> None:
        boxed = {row: self._boxes_at(row) for row in range(-1, len(self.spine) + 1)}
        y = 0.0
        for row, id in enumerate(self.spine):
            cells = [c for c in self.cells.values() if c.row == row]
            height = max(c.height for c in cells)
            if row:
                y += self._gap(self.spine[row - 1], id)
            entering, leaving = boxed[row] - boxed[row - 1], boxed[row] - boxed[row + 1]
            y += 34.0 * bool(entering)
            for cell in cells:
                cell.y = y + height / 2
            y += height + sum(18 + 9.4 * len(self._notes(box)) for box in leaving)

    def _boxes_at(self, row: int) -> set[str]:
        return {c.node.box for c in self.cells.values() if c.row == row and c.node.box}

    def _gap(self, above: str, below: str) -> float:
        between = [
            o for o in self.diagram.lines if (o.source, o.target) == (above, below) and self._kind(o) == "straight"
        ]
        tallest = max((text_size(label_words(o, LABEL))[1] for o in between if o.words), default=0.0)
        least = JUMP if any(o.layer == "jump" for o in between) else GAP
        return max(least, tallest + 9) + self.gaps.get(above, 0.0)

    # ports and lanes ---------------------------------------------------------------------------------

    def _ports(self) -> None:
        """Where lanes leave and reach the right side of each cell: ways up above ways down."""
        for id, cell in self.cells.items():
            ends: list[tuple[float, str, str, int]] = []
            for n, line in enumerate(self.diagram.lines):
                if not self._in_lane(line):
                    continue
                for end, here, there in (("out", line.source, line.target), ("in", line.target, line.source)):
                    if here == id:
                        other = self.cells[there].y if there in self.cells else cell.y - 1
                        ends.append((other, line.id, end, n if end == "out" else -n))
            ends.sort(key=lambda e: (e[0] > cell.y, -e[0], e[3]))
            pitch = min(12.0, (cell.height - 14) / max(1, len(ends) - 1)) if cell.node.kind not in SIZES else 0.0
            if cell.node.kind == "choice":
                pitch = min(5.5, 11.0 / max(1, len(ends) - 1))
            for i, (_, line_id, end, _) in enumerate(ends):
                self.ports[line_id, end] = cell.y + (i - (len(ends) - 1) / 2) * pitch

    def _across(self) -> None:
        lefts = [c for c in self.cells.values() if c.left]
        aside = [self._wide(box.id) - 24 for box in self.diagram.boxes if self._aside(box.id)]
        left_width = max([c.width for c in lefts] + aside, default=0.0)
        spine_width = max(c.width for c in self.cells.values() if not c.left)
        across = [o for o in self.diagram.lines if self._kind(o) in ("across", "corner")]
        label = max((text_size(label_words(o, LABEL))[0] - self._beside(o, spine_width) for o in across), default=0.0)
        free = max(0.0, label + 26) if lefts else 0.0
        x = left_width + max(30.0, free) + spine_width / 2 + (0 if lefts else -30)
        inner = [self._wide(box.id) for box in self.diagram.boxes if not self._aside(box.id)] if aside else []
        x = max([x, *(left_width + 32 + max(wide, spine_width / 2 + 12) for wide in inner)])
        for cell in self.cells.values():
            cell.x = left_width / 2 if cell.left else x
        self.side = x + spine_width / 2
        for line in self.diagram.lines:
            if self._in_lane(line):
                y1 = self.ports.get((line.id, "out"), self._box_middle(line.source))
                lane = Lane(y1, self.ports.get((line.id, "in"), y1), "left", "left", room=self.rooms.get(line.id, 0.0))
                self.lanes[line.id] = lane
        self.lane_x, _ = spread(self.lanes, self.side + 26)

    def _beside(self, line: Line, spine_width: float) -> float:
        """How much of a label finds room beside the end that stands on the spine."""
        a, b = self.cells[line.source], self.cells[line.target]
        on_spine = b if a.left else a
        level = a.row == b.row and on_spine.node.kind not in SIZES
        return (spine_width - on_spine.width) / 2 if level else spine_width / 2

    def _box_middle(self, box: str) -> float:
        ys = [c.y for c in self.cells.values() if c.node.box == box or box == ANYWHERE.id]
        return (min(ys) + max(ys)) / 2 if ys else 0.0

    # lines ---------------------------------------------------------------------------------------------

    def _route(self, line: Line) -> Sequence[Point]:
        kind = self._kind(line)
        a, b = self.cells.get(line.source), self.cells.get(line.target)
        if kind in ("lane", "box"):
            lane, x = self.lanes[line.id], self.lane_x[line.id]
            start = _edge(a, lane.start) if a else self.side + 12
            end = _edge(b, lane.end) if b else self.side
            return [(start, lane.start), (x, lane.start), (x, lane.end), (end, lane.end)]
        assert a is not None and b is not None
        if kind == "straight":
            return [(a.x, a.area.bottom), (b.x, b.area.top)]
        if kind == "across":
            return [(a.area.left, a.y), (b.area.right, b.y)]
        return self._corner(a, b, line)

    def _corner(self, a: _Cell, b: _Cell, line: Line) -> Sequence[Point]:
        """From the spine to the left, then up or down; or from the left up or down, then to the spine."""
        cell, other = (a, b) if a.left else (b, a)
        rows = range(min(a.row, b.row), max(a.row, b.row) + 1)
        if any(c.left and c is not cell and c.row in rows for c in self.cells.values()):
            raise UnsuitableDiagram
        others = sum(
            1 for o in self.diagram.lines if self._kind(o) == "corner" and cell.node.id in (o.source, o.target)
        )
        x = cell.x + (0 if others < 2 else (10 if a.left else -10))
        if a.row == b.row:
            y = cell.y + cell.height / 4
            return [(cell.area.right, y), (other.area.left, y)]
        edge = cell.area.top if other.y < cell.y else cell.area.bottom
        way = [(x, edge), (x, other.y), (other.area.left, other.y)]
        return way if a.left else way[::-1]

    # texts ---------------------------------------------------------------------------------------------

    def _finish(self) -> Placed:
        board = Board()
        nodes = [PlacedNode(c.node, c.area, self._text(c)) for c in self.cells.values()]
        for node in nodes:
            board.add_area(node.area.grown(1.5))
        boxes = [b for b in (self._box(box.id) for box in self.diagram.boxes) if b]
        for box in boxes:
            board.add_frame(box.area)
            board.add_text(box.title)
            if box.notes:
                board.add_text(box.notes)
        for line in self.diagram.lines:
            self.points[line.id] = tidy(self._route(line))
            board.add_line(line.id, self.points[line.id])
        nodes = [end_named(n, board) for n in nodes]
        placed = [self._labelled(board, line) for line in sorted(self.diagram.lines, key=self._order)]
        placed.sort(key=lambda p: [o.id for o in self.diagram.lines].index(p.line.id))
        return framed(self.diagram, nodes, boxes, placed)

    def _text(self, cell: _Cell) -> Text | None:
        if cell.node.kind == "word":
            return word_text(cell.node, cell.area)
        return card_text(cell.node, cell.area) if cell.node.kind not in SIZES else None

    def _order(self, line: Line) -> tuple[int, float]:
        return ["straight", "across", "corner", "lane", "box"].index(self._kind(line)), -text_size(label_words(line))[0]

    def _labelled(self, board: Board, line: Line) -> PlacedLine:
        points = self.points[line.id]
        if not line.words and not line.rule:
            return PlacedLine(line, points)
        words = label_words(line, LABEL)
        slim = () if self._in_lane(line) and not self.rooms.get(line.id) else beside(label_words(line, 84.0), points)
        text = board.settle(chain(beside(words, points), slim))
        if text is None:
            self.homeless += 1
            width, height = text_size(words)
            if self._in_lane(line):
                self.rooms[line.id] = self.rooms.get(line.id, 0.0) + width + 10
            else:
                straight = self._kind(line) == "straight"
                above = line.source if straight else self.spine[max(0, self.cells[line.source].row - 1)]
                self.gaps[above] = self.gaps.get(above, 0.0) + height
        return PlacedLine(line, points, text)

    def _notes(self, box: str) -> tuple[Words, ...]:
        """The notes of a box; they stand left of the spine if something of the box does."""
        found = next((b for b in self.diagram.boxes if b.id == box), None)
        left = any(c.left and c.node.box == box for c in self.cells.values())
        width = WIDE if self._aside(box) else 300.0 if left else 140.0
        return tuple(
            Words(w, 7.5, ink=note.layer)
            for note in (found.notes if found else ())
            for w in wrap(note.words, width, 7.5, 5)
        )

    def _aside(self, box: str) -> bool:
        """Does all of a box stand left of the spine?"""
        return all(c.left for c in self.cells.values() if c.node.box == box)

    def _wide(self, box: str) -> float:
        """How wide a box must be for its title and its notes."""
        titles = (title_text(b) for b in self.diagram.boxes if b.id == box)
        return max(text_size(words)[0] for words in (*titles, self._notes(box))) + 24

    def _box(self, id: str) -> PlacedBox | None:
        """A box around its members, unless something else stands in between."""
        box = next(b for b in self.diagram.boxes if b.id == id)
        inside = [c.area for c in self.cells.values() if c.node.box == id]
        notes, words = self._notes(id), tuple(title_text(box))
        wide = self._wide(id)
        if self._aside(id):
            least, most = inside[0].x - wide / 2, inside[0].x + wide / 2
        else:
            spine = next((c.x for c in self.cells.values() if not c.left), 0.0)
            least, most = spine - wide, spine
        area = Rect(
            min([least, *(a.left - 12 for a in inside)]),
            min(a.top for a in inside) - 28,
            max([most, *(a.right + 12 for a in inside)]),
            max(a.bottom for a in inside) + 12 + 9.4 * len(notes) + 4 * bool(notes),
        )
        if any(area.meets(c.area) for c in self.cells.values() if c.node.box != id):
            return None
        title = Text.at(words, area.left + 14, area.top + 6)
        low = area.bottom - 8 - text_size(notes)[1]
        return PlacedBox(box, area, title, Text.at(notes, area.left + 14, low) if notes else None)


def _edge(cell: _Cell, y: float) -> float:
    """Where the right side of a cell is at this height: a diamond's is slanted."""
    return cell.area.right - (abs(y - cell.y) if cell.node.kind == "choice" else 0.0)
