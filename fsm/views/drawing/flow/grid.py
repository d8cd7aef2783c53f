"""Which state of a flat model stands in which row, on the spine or left of it, and how its lines
run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from fsm.views.drawing.diagram import Box, Diagram, Line, Node
from fsm.views.drawing.flow.spine import UnsuitableDiagram
from fsm.views.drawing.measures import CARD_HEIGHT, LABEL, LEADING
from fsm.views.drawing.metrics import text_width, wrap
from fsm.views.drawing.placed import Words, text_size
from fsm.views.drawing.texts import SIZES, name_width, note_words, said_in, title_text, word_size

LineKind = Literal["straight", "across", "corner", "lane", "box"]
"""Down to the next row, level to the left, round a corner, by a lane, and by a lane from the border
of a box.
"""

CARD_WIDEST, _CARD_NARROWEST = 190.0, 120.0
_LINE_PADDING, _NAME_PADDING, TEXT_PADDING = 18.0, 24.0, 10.0
_ABOVE_LINES, _ABOVE_LANES, _LANE_PITCH = 24.0, 12.0, 11.0
_LARGER_CHOICE = 8.0  # for each further lane at a diamond
_NOTE_BESIDE, _NOTE_ON_SPINE, _MOST_NOTE_LINES = 300.0, 140.0, 5
_BOX_PADDING = 24.0


@dataclass(frozen=True, slots=True)
class FlowCell:
    """A node with its row and its size; `left` says that it stands left of the spine."""

    node: Node
    row: int
    left: bool
    width: float
    height: float

    @property
    def small(self) -> bool:
        """Is it a diamond or a disc?"""
        return self.node.kind in SIZES


@dataclass(frozen=True, slots=True)
class FlowGrid:
    """The cells by node, how the lines run, and the notes of the boxes."""

    diagram: Diagram
    spine: Sequence[str]
    cells: Mapping[str, FlowCell]
    kinds: Mapping[str, LineKind]
    notes: Mapping[str, tuple[Words, ...]]

    def in_lane(self, line: Line) -> bool:
        """Does this line run in a lane?"""
        return self.kinds[line.id] in ("lane", "box")

    def lines_of(self, *kinds: LineKind) -> list[Line]:
        """The lines that run in one of these ways."""
        return [line for line in self.diagram.lines if self.kinds[line.id] in kinds]

    def within(self, box: str) -> list[FlowCell]:
        """The cells of a box."""
        return _within(self.cells, box)

    def is_left(self, box: str) -> bool:
        """Does all of a box stand left of the spine?"""
        return all(cell.left for cell in self.within(box))

    def box_width(self, box: Box) -> float:
        """How wide a box must be for its name and its notes."""
        return (
            max(text_size(words)[0] for words in (title_text(box), self.notes[box.id]))
            + _BOX_PADDING
        )


def grid_of(diagram: Diagram, spine: Sequence[str]) -> FlowGrid:
    """Put the nodes into rows. Raises UnsuitableDiagram if two of them would stand in the same
    place.
    """
    nodes = {node.id: node for node in diagram.nodes}
    cells = {id: _cell(nodes[id], row, left=False) for row, id in enumerate(spine)}
    taken: set[int] = set()
    for node in diagram.nodes:
        if node.id not in cells:
            row = _row_beside(diagram, spine, node.id)
            if row in taken:
                raise UnsuitableDiagram
            taken.add(row)
            cells[node.id] = _cell(node, row, left=True)
    kinds = {line.id: _kind(diagram, cells, line) for line in diagram.lines}
    laned = [line for line in diagram.lines if kinds[line.id] in ("lane", "box")]
    cells = {id: _with_height(cell, laned) for id, cell in cells.items()}
    notes = {box.id: _notes(box, _within(cells, box.id)) for box in diagram.boxes}
    return FlowGrid(diagram, spine, cells, kinds, notes)


def _within(cells: Mapping[str, FlowCell], box: str) -> list[FlowCell]:
    return [cell for cell in cells.values() if cell.node.box == box]


def _row_beside(diagram: Diagram, spine: Sequence[str], id: str) -> int:
    """The row of what leads to this node from the spine, else of what it leads to there."""
    feeders = [line.source for line in diagram.lines if line.target == id and line.source in spine]
    feeders = feeders or [
        line.target for line in diagram.lines if line.source == id and line.target in spine
    ]
    if not feeders:
        raise UnsuitableDiagram
    return max(map(spine.index, feeders))


def _cell(node: Node, row: int, left: bool) -> FlowCell:
    """A cell; the height of a card is not known before the lines at it are."""
    if node.kind in SIZES:
        return FlowCell(node, row, left, SIZES[node.kind], SIZES[node.kind])
    if node.kind == "word":
        return FlowCell(node, row, left, *word_size(node))
    lines = wrap(said_in(node), CARD_WIDEST - _LINE_PADDING, LABEL)
    widths = [text_width(line, LABEL) + _LINE_PADDING for line in lines]
    width = min(CARD_WIDEST, max([_CARD_NARROWEST, name_width(node) + _NAME_PADDING, *widths]))
    return FlowCell(node, row, left, width, 0.0)


def _with_height(cell: FlowCell, laned: Sequence[Line]) -> FlowCell:
    """The cell with room for the lanes at its side, and a card for its lines of text."""
    ends = sum((line.source == cell.node.id) + (line.target == cell.node.id) for line in laned)
    if cell.node.kind == "choice" and ends > 1:
        size = cell.width + _LARGER_CHOICE * (ends - 1)
        return replace(cell, width=size, height=size)
    if cell.small or cell.node.kind == "word":
        return cell
    lines = len(wrap(said_in(cell.node), cell.width - TEXT_PADDING, LABEL))
    height = max(
        CARD_HEIGHT, _ABOVE_LINES + LEADING[LABEL] * lines, _ABOVE_LANES + _LANE_PITCH * ends
    )
    return replace(cell, height=height)


def _kind(diagram: Diagram, cells: Mapping[str, FlowCell], line: Line) -> LineKind:
    a, b = cells.get(line.source), cells.get(line.target)
    if a is None or b is None:
        return "box"
    if a.left and b.left:
        raise UnsuitableDiagram
    first = (
        next(o for o in diagram.lines if (o.source, o.target) == (line.source, line.target)) is line
    )
    if not a.left and not b.left:
        return "straight" if b.row == a.row + 1 and first else "lane"
    return "across" if a.row == b.row and not a.left and first else "corner"


def _notes(box: Box, inside: Sequence[FlowCell]) -> tuple[Words, ...]:
    """The notes of a box; they stand left of the spine if something of the box does."""
    if all(cell.left for cell in inside):
        width = CARD_WIDEST
    else:
        width = _NOTE_BESIDE if any(cell.left for cell in inside) else _NOTE_ON_SPINE
    return note_words(box, width, _MOST_NOTE_LINES)
