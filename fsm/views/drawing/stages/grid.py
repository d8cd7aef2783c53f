"""The first stage of the layout: which node of a stage view stands in which row, and how large it
is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from fsm.views.drawing.diagram import Box, Diagram, Node
from fsm.views.drawing.measures import BOX_NAME, CARD_HEIGHT, CARD_NAME, CITATION, LABEL
from fsm.views.drawing.metrics import clip, wrap
from fsm.views.drawing.placed import Words, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import MARKS, SIZES, note_words

STAGE_WIDTH = 128.0
PAD = 16.0  # from the border of a box to what stands in it
_TEXT_PADDING = 12.0
_BOLD = 1.08  # how much wider bold letters are
_MOST_NAME_LINES, _MOST_LINES, _MOST_RULE_LINES = 4, 12, 4
_WAY_UP = 3  # a line up to an earlier row is as bad as so many rows more
_DISC_WIDTH, _MOST_DISC_LINES = 108.0, 3
_TITLE_WIDTH, _RULE_WIDTH = 300.0, 120.0  # longer than in the view of a turn
_NOTE_WIDTH, _MOST_NOTE_LINES = 420.0, 6


@dataclass(frozen=True, slots=True, eq=False)
class StageCell:
    """A node with its row, its place in that row, and its size."""

    node: Node
    row: int
    place: int
    width: float
    height: float

    @property
    def small(self) -> bool:
        """Is it a diamond or a disc?"""
        return self.node.kind in SIZES


@dataclass(frozen=True, slots=True)
class StageGrid:
    """The cells by node, the rows (entries first, then the stages, then the ends), and the notes of
    the boxes.
    """

    diagram: Diagram
    cells: Mapping[str, StageCell]
    rows: Sequence[Sequence[StageCell]]
    notes: Mapping[str, Sequence[Words]]

    def boxes_at(self, row: int) -> tuple[str, ...]:
        """The boxes around a row, outermost first."""
        boxes = {cell.node.box for cell in self.rows[row]} if 0 <= row < len(self.rows) else set()
        return self.diagram.around(next(iter(boxes), ""))

    def neighbours(self, source: str, target: str) -> bool:
        """Does `target` stand right beside `source`?"""
        a, b = self.cells.get(source), self.cells.get(target)
        return a is not None and b is not None and (b.row, b.place) == (a.row, a.place + 1)


def stage_words(node: Node) -> list[Words]:
    """What stands in a stage: its name in bold, what is done in it, its rule."""
    mark, width = f"{MARKS[node.mark]} " if node.mark else "", STAGE_WIDTH - _TEXT_PADDING
    names = wrap(mark + node.title, width / _BOLD, CARD_NAME, _MOST_NAME_LINES)
    said = [part for line in node.lines for part in wrap(line, width, LABEL, _MOST_LINES)]
    rule = wrap(node.rule, width, CITATION, _MOST_RULE_LINES)
    return [
        *(Words(name, CARD_NAME, True) for name in names),
        *(Words(line, LABEL, ink="muted") for line in said),
        *(Words(part, CITATION, ink="muted") for part in rule),
    ]


def disc_words(node: Node) -> list[Words]:
    """What stands at a disc."""
    return [Words(part, LABEL) for part in wrap(node.title, _DISC_WIDTH, LABEL, _MOST_DISC_LINES)]


def stage_title(box: Box) -> list[Words]:
    """The title of a box and its citation."""
    title, rule = (
        clip(box.title, _TITLE_WIDTH, BOX_NAME, True),
        clip(box.rule, _RULE_WIDTH, CITATION),
    )
    return [Words(f"{title}  {rule}".rstrip(), BOX_NAME, True, "title")]


def grid_of(diagram: Diagram, most: int, slack: Slack) -> StageGrid:
    """Put the nodes into rows, with at most so many stages in each."""
    starts = [n for n in diagram.nodes if n.kind == "start"]
    ends = [n for n in diagram.nodes if n.kind == "final" and not n.box]
    inside = [n for n in diagram.nodes if n not in starts and n not in ends]
    rows = [
        _row(nodes, number)
        for number, nodes in enumerate([starts, *_bands(diagram, inside, most), ends])
    ]
    cells = {cell.node.id: cell for row in rows for cell in row}
    notes = {
        box.id: note_words(box, _NOTE_WIDTH - slack.room("note", box.id), _MOST_NOTE_LINES)
        for box in diagram.boxes
    }
    return StageGrid(diagram, cells, rows, notes)


def _row(nodes: Sequence[Node], number: int) -> list[StageCell]:
    """The cells of a row; all its stages are as tall as the tallest."""
    stages = [node for node in nodes if node.kind not in SIZES]
    tallest = max((text_size(stage_words(node))[1] + _TEXT_PADDING for node in stages), default=0.0)
    height = max(CARD_HEIGHT, tallest)
    return [
        StageCell(
            node, number, place, SIZES.get(node.kind, STAGE_WIDTH), SIZES.get(node.kind, height)
        )
        for place, node in enumerate(nodes)
    ]


def _bands(diagram: Diagram, nodes: Iterable[Node], most: int) -> list[list[Node]]:
    """The nodes of each box in rows of about the same length."""
    groups = [list(group) for _, group in groupby(nodes, lambda node: node.box)]
    return [row for group in groups for row in _best(diagram, group, most)]


def _best(diagram: Diagram, group: Sequence[Node], most: int) -> list[list[Node]]:
    """In few rows, about equally long, and with few ways back up."""
    stages = sum(node.kind not in SIZES for node in group)
    least = max(1, -(-stages // most))
    splits = [_split(group, max(1, -(-stages // count))) for count in (least, least + 1)]
    return min(
        splits if least > 1 else splits[:1],
        key=lambda rows: _WAY_UP * _upward(diagram, rows) + len(rows),
    )


def _upward(diagram: Diagram, rows: Sequence[Sequence[Node]]) -> int:
    """How many lines lead up to an earlier row."""
    row_of = {node.id: number for number, row in enumerate(rows) for node in row}
    inside = [line for line in diagram.lines if line.source in row_of and line.target in row_of]
    return sum(row_of[line.source] > row_of[line.target] for line in inside)


def _split(group: Sequence[Node], each: int) -> list[list[Node]]:
    rows: list[list[Node]] = [[]]
    for node in group:
        if node.kind not in SIZES and sum(n.kind not in SIZES for n in rows[-1]) == each:
            rows.append([])
        rows[-1].append(node)
    return rows
