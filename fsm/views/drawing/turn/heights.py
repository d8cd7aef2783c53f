"""The third stage of the layout: how far down every node and box of a turn stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fsm.views.drawing.columns import Unit
from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.measures import CITATION, LABEL, LEADING, ORIGIN
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import Words, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import final_words, jump_words, label_words, note_words
from fsm.views.drawing.turn.frame import entries_of, frame_of, frame_size
from fsm.views.drawing.turn.grid import Grid
from fsm.views.drawing.turn.routes import Routes

HUB_HEIGHT = 32.0

# Inside a box.
_BOX_HEAD, _BOX_FOOT = 25.0, 12.0
_NOTE_GAP, _MOST_NOTE_LINES = 8.0, 9
_LOOP_DEPTH, _JUMP_GAP, _JUMP_DEPTH = 22.0, 6.0, 6.0
_JOIN_DEPTH, JOIN_RISE = (
    12.0,
    11.0,
)  # for a line that joins the one out of the box, and how far above the border
_NOTE_OVERHANG, _INNER_NOTE_OVERHANG = 6.0, 4.0  # how much wider than the cards a note may be
_HALF_NOTE_OVERHANG = 14.0  # the same for one left of a line down the middle
_BORDER_LINE = 28.0  # what a line that leaves the lower border takes away

# Between nodes.
_GAP, _GAP_TO_DIAMOND, _GAP_BESIDE = 14.0, 12.0, 9.0
_LABEL_GAP, _DIAMOND_LABEL_GAP, _BETWEEN_DIAMONDS = 7.0, 5.0, 22.0

# Between boxes and other things.
_GAP_TO_BOX, _GAP_TO_FIRST_BOX, _BELOW_BOX = 12.0, 14.0, 1.0

# Under the columns.
_ROW_TOP, _ROW_GAP, _HUB_TOP, _HUB_GAP = 20.0, 30.0, 10.0, 4.0
_ROW_RISE, ROW_LINE_TOP = 16.0, 6.0
_FRAME_TOP, _WORD_TOP = 18.0, 22.0
_SAMPLE_PADDING, _SAMPLE_HEIGHT = 2.0, 14.0


@dataclass(frozen=True, slots=True)
class HubPlace:
    """The card of a hub, the diamond above it with its words, and where they stand."""

    card: Node
    sample: Node | None
    said: tuple[Words, ...]
    column: int
    top: float

    @property
    def card_top(self) -> float:
        """Where the card begins, under the diamond."""
        return self.top + _SAMPLE_HEIGHT + text_size(self.said)[1]


@dataclass(frozen=True, slots=True)
class Heights:
    """The middle of each node, the top and bottom of each box, its notes, and the tops of rows.

    A diamond in a gutter has no height yet: it depends on the lines at it.
    """

    nodes: Mapping[str, float]
    boxes: Mapping[str, tuple[float, float]]
    notes: Mapping[str, tuple[Words, ...]]
    note_tops: Mapping[str, float]
    rows: Mapping[str, float]
    hubs: Sequence[HubPlace]


def heights_of(grid: Grid, routes: Routes, slack: Slack) -> Heights:
    """Stack the nodes of each column; the first boxes of all columns begin at the same height."""
    notes = _notes(grid, routes)
    columns = [_Stack(grid, routes, slack, notes, c) for c in range(len(grid.columns))]
    firsts = [column[0].box for column in grid.columns if column]
    framed = any(box is not None and not grid.filled(box.id) for box in firsts)
    heads = [column.head_height(below_names=framed) for column in columns]
    highest = max(max(heads), 0.0)
    bottoms = [column.fill(highest - head) for column, head in zip(columns, heads, strict=True)]
    nodes = dict.fromkeys(grid.nodes, 0.0)
    boxes: dict[str, tuple[float, float]] = {}
    note_tops: dict[str, float] = {}
    for column in columns:
        nodes |= column.nodes
        boxes |= column.boxes
        note_tops |= column.note_tops
    rows = _rows(grid, routes, bottoms)
    return Heights(nodes, boxes, notes, note_tops, rows, _hubs(grid, bottoms))


def _notes(grid: Grid, routes: Routes) -> dict[str, tuple[Words, ...]]:
    """The notes of each box, in lines that miss what passes beside them."""
    left_below = {r.line.source for r in routes.values() if r.kind == "border below"}
    down = [(r.line.source, r.line.target) for r in routes.values() if r.kind == "straight"]
    boxes_around = {id: grid.diagram.around(item.node.box) for id, item in grid.nodes.items()}
    outside = {id: item.node.box for id, item in grid.nodes.items() if item.node.place == "after"}
    crossed = {
        box
        for here, there in down
        for box in set(boxes_around[here]) - set(boxes_around[there]) | {outside.get(there, "")}
    }
    found: dict[str, tuple[Words, ...]] = {}
    for c, column in enumerate(grid.columns):
        for box in grid.boxes_in(c):
            alone = box.id not in crossed and (bool(box.inside) or box is column[-1].box)
            width = grid.widths[c] / 2 + _HALF_NOTE_OVERHANG
            if alone:
                width = grid.widths[c] + (_INNER_NOTE_OVERHANG if box.inside else _NOTE_OVERHANG)
            width -= _BORDER_LINE if box.id in left_below else 0
            found[box.id] = note_words(box, width, _MOST_NOTE_LINES)
    return found


@dataclass(frozen=True, slots=True)
class _Stack:
    """Fills one column from top to bottom."""

    grid: Grid
    routes: Routes
    slack: Slack
    notes: Mapping[str, tuple[Words, ...]]
    column: int
    nodes: dict[str, float] = field(default_factory=dict)
    boxes: dict[str, tuple[float, float]] = field(default_factory=dict)
    note_tops: dict[str, float] = field(default_factory=dict)

    def head_height(self, *, below_names: bool) -> float:
        """How much stands above the first box; less than nothing for a card that stands beside
        those in boxes.
        """
        units = self.grid.columns[self.column]
        if (
            below_names
            and units
            and not units[0].before
            and units[0].box
            and self.grid.filled(units[0].box.id)
        ):
            return -_BOX_HEAD
        above = (
            [n.id for n in units[0].before if n.id in self.grid.order[self.column]] if units else []
        )
        total, previous = 0.0, ""
        for id in above:
            total += (self._gap(previous, id) if previous else 0.0) + self.grid.nodes[id].height
            previous = id
        return total + (_GAP_TO_FIRST_BOX if previous else 0.0)

    def fill(self, y: float) -> float:
        """Place everything from `y` down; returns where it ends."""
        previous = ""
        for unit in self.grid.columns[self.column]:
            for node in unit.before:
                y = self._put(node.id, y, previous, _GAP_BESIDE if previous else 0.0)
                previous = node.id
            if unit.box is None:
                for node in unit.inside:
                    y = self._put(
                        node.id, y, previous, self._gap(previous, node.id) if previous else 0.0
                    )
                    previous = node.id
            else:
                gap = _GAP_TO_FIRST_BOX if unit.before else _GAP_TO_BOX
                y = self._box(unit, unit.box.id, y + (gap if previous else 0.0)) + _BELOW_BOX
                previous = unit.inside[-1].id if unit.inside else previous
            for node in unit.after:
                if node.id != self.grid.gutters.get(self.column):
                    y = self._put(node.id, y, previous, _GAP_BESIDE)
                    previous = node.id
        return y

    def _put(self, id: str, y: float, previous: str, gap: float) -> float:
        """Place a node below `y`; returns where it ends."""
        height = self.grid.nodes[id].height
        y += max(gap, self._gap(previous, id) if previous and gap else 0.0)
        self.nodes[id] = y + height / 2
        return y + height

    def _gap(self, above: str, below: str) -> float:
        """The gap between two nodes: enough for the labels of the lines straight down."""
        upper, lower = self.grid.nodes[above], self.grid.nodes[below]
        ends = above, below
        between = [
            r.line
            for r in self.routes.values()
            if r.kind == "straight" and (r.line.source, r.line.target) == ends
        ]
        tallest = max(map(_label_height, between), default=0.0)
        gap = _GAP_TO_DIAMOND if lower.node.kind in ("choice", "lookup") else _GAP
        if upper.node.kind == lower.node.kind == "choice":
            gap += _BETWEEN_DIAMONDS
        if upper.node.kind in ("choice", "lookup"):
            gap = max(gap, tallest + _DIAMOND_LABEL_GAP - upper.height / 4)
        elif tallest:
            gap = max(gap, tallest + _LABEL_GAP)
        return max(gap, self.slack.room("above", below)) + self.slack.room("below", above)

    def _box(self, unit: Unit, box: str, top: float) -> float:
        """A box and what stands in it; boxes in it open above their first node and close under
        their last.
        """
        y, opened = self._open(box, top), [box]
        above: Node | None = None
        for node in unit.inside:
            around = self.grid.diagram.around(node.box)
            while opened[-1] not in around:
                y = self._close(opened.pop(), y, above)
            y += self._gap(above.id, node.id) if above else 0.0
            for inner in around[len(opened) :]:
                opened.append(inner)
                y = self._open(inner, y)
            y, above = self._put(node.id, y, "", 0.0), node
        for inner in reversed(opened):
            y = self._close(inner, y, above)
        return y

    def _open(self, box: str, top: float) -> float:
        self.boxes[box] = top, top
        return top + (0.0 if self.grid.filled(box) else _BOX_HEAD)

    def _close(self, box: str, y: float, above: Node | None) -> float:
        """Under the last node: room for its loop, then boxes with nothing in them, the notes, the
        border.
        """
        if above and above.box == box:
            under = [r for r in self.routes.values() if r.line.target == above.id]
            loops = [_label_height(r.line) for r in under if r.kind == "loop below"]
            jumps = [_label_height(r.line) for r in under if r.kind == "border below"]
            y += _LOOP_DEPTH + max(loops) if loops else 0.0
            y += _JUMP_GAP + max(_JUMP_DEPTH, *jumps) if jumps else 0.0
            joined = any(
                r.kind == "join" and self.grid.nodes[r.line.source].node.box == box
                for r in self.routes.values()
            )
            y += _JOIN_DEPTH if joined else 0.0
        if self.grid.filled(box) and above:
            self.boxes[box] = (
                self.boxes[box][0],
                self.nodes[above.id] + self.grid.nodes[above.id].height / 2,
            )
            return y
        for empty in (
            b.id for b in self.grid.diagram.boxes if b.inside == box and b.id not in self.boxes
        ):
            y = self._close(empty, self._open(empty, y + _GAP), None)
        lines = self.notes.get(box, ())
        self.note_tops[box] = y + _NOTE_GAP
        y += (_NOTE_GAP + LEADING[CITATION] * len(lines)) if lines else 0.0
        self.boxes[box] = self.boxes[box][0], y + _BOX_FOOT
        return y + _BOX_FOOT


def _label_height(line: Line) -> float:
    return text_size(label_words(line))[1] if line.words else 0.0


def _rows(grid: Grid, routes: Routes, bottoms: list[float]) -> dict[str, float]:
    """The tops of the rows under the last column, by line; moves the bottom of that column down."""
    tops: dict[str, float] = {}
    if frame := frame_of(grid.diagram):
        lines = [r.line for r in routes.values() if r.kind == "row"]
        tops[frame.id] = bottoms[grid.last] + _FRAME_TOP
        bottoms[grid.last] += _FRAME_TOP + frame_size(frame, entries_of(grid.diagram, lines))[1]
        return tops
    for route in routes.values():
        if route.kind == "word":
            tops[route.line.id] = bottoms[grid.last] + _WORD_TOP
            bottoms[grid.last] += _WORD_TOP + text_size(jump_words(route.line))[1]
        if route.kind == "row":
            words, goal = text_size(jump_words(route.line))[1], _goal_height(grid, route.line)
            rise = max(0.0, goal / 2 - ROW_LINE_TOP - _ROW_RISE)
            tops[route.line.id] = bottoms[grid.last] + _ROW_TOP + rise
            bottoms[grid.last] += rise + max(words, ROW_LINE_TOP + goal / 2) + _ROW_GAP
    return tops


def _goal_height(grid: Grid, line: Line) -> float:
    """The height of the words at the end of a row. They stand around its line, so that they can
    rise above its top.
    """
    goal = grid.diagram.node(line.target)
    return text_size(final_words(goal))[1] if goal is not None and goal.kind == "final" else 0.0


def _hubs(grid: Grid, bottoms: list[float]) -> list[HubPlace]:
    """The hubs, each under the column with most room; moves the bottom of that column down."""
    found = []
    for hub in (n for n in grid.diagram.nodes if n.kind == "hub"):
        column = bottoms.index(min(bottoms))
        sample = grid.diagram.node(f"{hub.id}?")
        room = grid.widths[column] - _SAMPLE_PADDING
        said = (
            tuple(Words(line, ORIGIN, True, "extra") for line in wrap(sample.title, room, ORIGIN))
            if sample
            else ()
        )
        lines = (
            [line for text in sample.lines for line in wrap(text, room, LABEL)] if sample else []
        )
        said += tuple(Words(line, LABEL, ink="extra") for line in lines)
        found.append(HubPlace(hub, sample, said, column, bottoms[column] + _HUB_TOP))
        bottoms[column] = found[-1].card_top + HUB_HEIGHT + _HUB_GAP
    return found
