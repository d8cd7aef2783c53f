"""Placing a stage view: a row for each step, ways between the rows, and a free place for every label."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise, product

from fsm.views.drawing.diagram import Box, Diagram, Line
from fsm.views.drawing.labels import Board, around, beside
from fsm.views.drawing.measures import BOX_NAME, BOX_NAME_TOP, CARD_CLEARANCE, CITATION, LABEL, LABEL_WIDTH, PAGE_WIDTH
from fsm.views.drawing.metrics import clip, text_width, wrap
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedLine, PlacedNode, Rect, Text, Words, text_size
from fsm.views.drawing.stages.cells import PAD, SLIM, WIDE, columns, grid, line_between, stage_text
from fsm.views.drawing.stages.channels import Channels
from fsm.views.drawing.stages.ends import disc_text, place_ends, place_starts
from fsm.views.drawing.stages.routes import Routes
from fsm.views.drawing.texts import cited, guard_lines, label_words

ROUNDS = 10
_MOST_IN_ROW = (4, 3, 2)
_TITLE_SIZE, _NAME_WIDTH, _RULE_WIDTH, _RULE_SIZE = 16.0, 300.0, 120.0, 8.0
_NEIGHBOUR_ROOM = 15.0  # beside the label of a line between two neighbours
_NOTE_WIDTH, _MOST_NOTE_LINES, _NOTE_FOOT, _NOTE_LESS = 420.0, 6, 7.0, 300.0
_STEP = 8  # between the places that are tried for a text of a box
_WIDE_LABEL, _ONE_LINE, _LABEL_WIDTHS = 128.0, 260.0, (200.0, 128.0, LABEL_WIDTH, SLIM)

# How much room is added at a time.
_FOR_NAME, _FOR_NOTES, _NARROWER, _FOR_BORDER, _FOR_END = 40.0, 70.0, 60.0, 30.0, 40.0
_FOR_GAP, _FOR_LANE, _FOR_TRACK = 10.0, 8.0, 2.0


def place_rows(diagram: Diagram) -> Placed:
    """Place the diagram of a stage view, no wider than a page where that is possible."""
    tried: list[Placed] = []
    for most, inside in product(_MOST_IN_ROW, (False, True)):
        tried.append(_with_room(diagram, most, inside))
        if tried[-1].size[0] <= PAGE_WIDTH:
            return tried[-1]
    return min(tried, key=lambda placed: placed.size[0])


def _with_room(diagram: Diagram, most: int, inside: bool) -> Placed:
    """Place it, give room where a label found none, and try again. `inside`: no label stands beside the boxes."""
    rooms: dict[str, float] = {"inside": float(inside)}
    best: tuple[int, Placed] | None = None
    rooms.update({o.id: text_size(_first(o))[1] + 1 for o in diagram.lines if o.words})
    for left in reversed(range(ROUNDS)):
        sheet = _Sheet(diagram, most, rooms, anywhere=not left)
        placed = sheet.place()
        wrong = len(sheet.homeless) + len(sheet.crowded) + sheet.narrow
        if best is None or wrong < best[0]:
            best = wrong, placed
        if not wrong:
            break
        sheet.more_room()
    assert best is not None
    return best[1]


class _Sheet:
    def __init__(self, diagram: Diagram, most: int, rooms: dict[str, float], anywhere: bool) -> None:
        self.diagram = diagram
        self.anywhere = anywhere
        self.rooms = rooms
        self.homeless: list[Line] = []
        self.crowded: list[str] = []
        self.narrow = False
        self.grid = grid(diagram, most)
        self.routes = Routes(diagram, self.grid)
        self.notes = {b.id: self._noted(b) for b in diagram.boxes}

    def place(self) -> Placed:
        between = line_between(self.diagram, self.grid)
        columns(
            self.grid,
            self.diagram,
            {k: text_size(label_words(o, SLIM))[0] + _NEIGHBOUR_ROOM for k, o in between.items() if o.words or o.rule},
        )
        left, right = 0.0, self._right()
        place_starts(self.grid, self.routes)
        place_ends(self.grid, self.routes, right, self.rooms)
        self.routes.ports({b.id: right for b in self.diagram.boxes})
        self.channels = Channels(self.diagram, self.grid, self.routes, self.rooms, self.notes)
        self.channels.tracks()
        self.channels.down()
        self.borders = {b: self.channels.box_area(b, left, right) for b in self.channels.boxes}
        outer = self.borders.values()
        self.channels.across(min((a.left for a in outer), default=left), max((a.right for a in outer), default=right))
        return self._finish()

    def _right(self) -> float:
        """The right border of the boxes."""
        cells = [c for c in self.grid.cells.values() if c.node.box or c.node.kind not in ("start", "final")]
        widest = max((c.area.right for c in cells), default=0.0) + PAD + self.rooms.get("right", 0.0)
        titles = max((text_size(_titled(b))[0] for b in self.diagram.boxes), default=0.0)
        notes = max((text_size(n)[0] for n in self.notes.values()), default=0.0)
        headline = text_width(self.diagram.title, _TITLE_SIZE, True)
        return max(widest, titles + WIDE + 3 * PAD, notes + 2 * PAD, min(headline, PAGE_WIDTH))

    def _noted(self, box: Box) -> list[Words]:
        width = _NOTE_WIDTH - self.rooms.get(f"{box.id} notes", 0.0)
        return [
            Words(w, CITATION, ink=n.layer) for n in box.notes for w in wrap(n.words, width, CITATION, _MOST_NOTE_LINES)
        ]

    # texts -------------------------------------------------------------------------------------------------

    def _finish(self) -> Placed:
        self.board = Board()
        cells = self.grid.cells.values()
        for cell in cells:
            self.board.add_area(cell.area.grown(CARD_CLEARANCE))
        for area in self.borders.values():
            self.board.add_frame(area)
        self.points = {id: self.channels.points(r, self.borders) for id, r in self.routes.found.items()}
        for id, points in self.points.items():
            self.board.add_line(id, points)
        nodes = [PlacedNode(c.node, c.area, self._text(c.node.id)) for c in cells]
        for node in nodes:
            if node.node.kind in ("start", "final") and node.text:
                self.board.add_text(node.text)
        boxes = [self._box(b.id) for b in self.diagram.boxes if b.id in self.borders]
        kept = [o for o in self.diagram.lines if o.id in self.points]
        lines = {o.id: self._labelled(o) for o in sorted(kept, key=lambda o: -text_size(label_words(o))[0])}
        return framed(self.diagram, nodes, boxes, [lines[o.id] for o in kept])

    def _text(self, id: str) -> Text | None:
        cell = self.grid.cells[id]
        if not cell.small:
            return stage_text(cell)
        return disc_text(cell, self.routes) if cell.node.title else None

    def _box(self, id: str) -> PlacedBox:
        box = next(b for b in self.diagram.boxes if b.id == id)
        area, words = self.borders[id], tuple(_titled(box))
        width, height = text_size(words)
        right = area.right - PAD + 2
        spots = [
            Text(
                words,
                Rect(right - s - width, area.top + BOX_NAME_TOP, right - s, area.top + BOX_NAME_TOP + height),
                "end",
            )
            for s in range(0, max(1, int(right - PAD - width - area.left)), _STEP)
        ]
        title, free = self.board.stand(spots)
        self.narrow |= not free
        notes = tuple(self.notes[id])
        if not notes:
            return PlacedBox(box, area, title)
        wide, high = text_size(notes)
        top = area.bottom - _NOTE_FOOT - high
        places = [
            Text.at(notes, x, top)
            for x in range(int(area.left + PAD), max(int(area.left + PAD) + 1, int(area.right - PAD - wide)), _STEP)
        ]
        said, free = self.board.stand(places)
        if not free:
            self.crowded.append(id)
        return PlacedBox(box, area, title, said)

    def _labelled(self, line: Line) -> PlacedLine:
        points = self.points[line.id]
        if not line.words and not line.rule:
            return PlacedLine(line, points)
        text = self.board.settle(chain.from_iterable(self._spots(line, words) for words in _shapes(line)))
        if text is None:
            self.homeless.append(line)
        return PlacedLine(line, points, text)

    def _spots(self, line: Line, words: list[Words]) -> Iterator[Text]:
        """Places for a label: above its track in the gap first, if it has one."""
        points, route = self.points[line.id], self.routes.found[line.id]
        across = [part for part in pairwise(points) if part[0][1] == part[1][1]]
        if self.rooms["inside"] and route.kind in ("right", "left"):
            outer = self.borders.values()
            left, right = min((a.left for a in outer), default=0.0), max((a.right for a in outer), default=0.0)
            spots = chain.from_iterable(beside(words, part) for part in across)
            yield from (t for t in spots if left < t.area.left and t.area.right < right)
        elif route.kind == "drop" and (route.into == "level" or not self.channels.direct(route)):
            for part in across:
                yield from beside(words, part)
        yield from beside(words, points)
        if self.anywhere:
            yield from around(words, points)

    def more_room(self) -> None:
        """Widen what each homeless label stands at; make crowded notes narrower, and then their box wider."""
        if self.narrow:
            self.rooms["right"] = self.rooms.get("right", 0.0) + _FOR_NAME
        for box in self.crowded:
            if self.rooms.get(f"{box} notes") == _NOTE_LESS:
                self.rooms["right"] = self.rooms.get("right", 0.0) + _FOR_NOTES
            self.rooms[f"{box} notes"] = min(_NOTE_LESS, self.rooms.get(f"{box} notes", 0.0) + _NARROWER)
        for line in self.homeless:
            route = self.routes.found[line.id]
            width, height = text_size(label_words(line, _WIDE_LABEL))
            if route.out == "border" and route.kind == "drop":
                key, more = "right", self.rooms.get("right", 0.0) + _FOR_BORDER
            elif route.kind == "drop" and self.grid.cells[line.target].node.kind == "final" and route.x2 > route.x1 + 1:
                key, more = line.target, self.rooms.get(line.target, 0.0) + _FOR_END
            elif route.kind == "drop" and self.channels.direct(route):
                key, more = f"gap{route.gap1}", height + _FOR_GAP + self.rooms.get(f"gap{route.gap1}", 0) / 2
            elif route.kind in ("right", "left") and route.gap1 is None:
                key, more = f"{line.id} lane", width + _FOR_LANE
            else:
                key, more = line.id, self.rooms.get(line.id, 0.0) + height + _FOR_TRACK
            self.rooms[key] = more


def _first(line: Line) -> list[Words]:
    return next(_shapes(line))


def _shapes(line: Line) -> Iterator[list[Words]]:
    """A label in one line, or in more and shorter ones."""
    ink = "ink" if line.layer == "core" else line.layer
    whole = "\u00a0\u00a0\u00a0".join(line.words)
    if len(line.words) > 1 and text_width(whole, LABEL) < _ONE_LINE:
        yield [Words(whole, LABEL, ink=ink), *cited(line, _WIDE_LABEL)]
    for most in _LABEL_WIDTHS:
        yield guard_lines(line, most) + cited(line, most)


def _titled(box: Box) -> list[Words]:
    """A box's title and its citation, longer than in the view of a turn."""
    title, rule = clip(box.title, _NAME_WIDTH, BOX_NAME, True), clip(box.rule, _RULE_WIDTH, _RULE_SIZE)
    return [Words(f"{title}  {rule}".rstrip(), BOX_NAME, True, "title")]
