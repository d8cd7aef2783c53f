"""The first stage of the layout: which node of a turn stands in which column, under which, and how
large it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from fsm.views.drawing.columns import Unit, columns
from fsm.views.drawing.diagram import Box, Diagram, Node
from fsm.views.drawing.measures import LABEL, LEADING
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import text_size
from fsm.views.drawing.texts import SIZES, name_width, said_in, said_lines, title_text

CARD_WIDEST, CARD_NARROWEST = 178.0, 104.0
_MOST_LINES, _WIDER = 2, 4.0
_NAME_PADDING, _LINE_PADDING = 17.0, 10.0
_LOWEST, _NAME_HEIGHT, _BELOW_LINES = 29.0, 19.5, 2.0
_BESIDE_BOX_NAME = 25.0  # room right of a box's name for the line that comes in from above


@dataclass(frozen=True, slots=True, eq=False)
class TurnNode:
    """A node with its column, the unit it is part of, and its size.

    `beside` says that it does not stand on the spine of its column but on the line that runs beside
    the names of boxes.
    """

    node: Node
    column: int
    unit: Unit
    width: float
    height: float
    beside: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """The columns of a turn.

    `order` has the nodes of each column from top to bottom. `gutters` has the diamond that stands
    right of a column instead of below it, and `widths` how wide the cards of each column are.
    """

    diagram: Diagram
    columns: Sequence[Sequence[Unit]]
    nodes: Mapping[str, TurnNode]
    order: Sequence[Sequence[str]]
    gutters: Mapping[int, str]
    widths: Sequence[float]
    box_columns: Mapping[str, int]

    @property
    def last(self) -> int:
        """The number of the last column."""
        return len(self.columns) - 1

    def filled(self, box: str) -> bool:
        """Is this box nothing but its one card?"""
        return any(node.fills and node.box == box for node in self.diagram.nodes)

    def in_gutter(self, id: str) -> bool:
        """Does this node stand between two columns?"""
        return id in self.gutters.values()

    def consecutive(self, source: str, target: str) -> bool:
        """Does `target` stand right below `source`?"""
        a, b = self.nodes[source], self.nodes.get(target)
        if b is None or a.column != b.column:
            return False
        ids = self.order[a.column]
        return source in ids and target in ids and ids.index(target) == ids.index(source) + 1

    def goes_down(self, id: str) -> bool:
        """Does a line leave this node straight down?"""
        return any(
            line.source == id and self.consecutive(id, line.target) for line in self.diagram.lines
        )

    def goes_down_in_box(self, id: str) -> bool:
        """Does a line leave this node straight down, and not out of its box beside the spine?"""
        box, ids = self.nodes[id].node.box, self.order[self.nodes[id].column]
        if not self.goes_down(id) or not box:
            return self.goes_down(id)
        return (
            self.nodes[ids[ids.index(id) + 1]].node.box == box
            and not self.nodes[ids[ids.index(id) + 1]].beside
        )

    def last_in_box(self, item: TurnNode) -> bool:
        """Does nothing else stand under it in its box, nor a box?"""
        box, unit = item.node.box, item.unit
        if item.node not in unit.inside:
            return False
        following = unit.inside[unit.inside.index(item.node) + 1 :]
        filled = {b for node in unit.inside for b in self.diagram.around(node.box)}
        empty = any(b.inside == box and b.id not in filled for b in unit.inner)
        return not empty and not any(box in self.diagram.around(node.box) for node in following)

    def boxes_in(self, column: int) -> Iterator[Box]:
        """The boxes of a column, each before those inside it."""
        for unit in self.columns[column]:
            yield from boxes_of(unit)

    def depth(self, box: str) -> int:
        """How many boxes stand around this one."""
        return max(0, len(self.diagram.around(box)) - 1)

    def common_depth(self, *boxes: str) -> int:
        """The depth of the innermost box around all of these."""
        ways = [self.diagram.around(box) for box in boxes]
        return max(0, sum(len(set(level)) == 1 for level in zip(*ways, strict=False)) - 1)

    def column_of(self, id: str) -> int:
        """The column of a node or box."""
        return self.nodes[id].column if id in self.nodes else self.box_columns.get(id, 0)


def boxes_of(unit: Unit) -> tuple[Box, ...]:
    """The box of a unit and those inside it."""
    return (unit.box, *unit.inner) if unit.box else ()


def grid_of(diagram: Diagram) -> Grid:
    """Distribute a diagram over columns."""
    split = columns(diagram)
    nodes: dict[str, TurnNode] = {}
    order: list[list[str]] = []
    gutters: dict[int, str] = {}
    for c, column in enumerate(split):
        width = _width_of(column)
        found = [_sized(node, c, unit, width) for unit in column for node in unit.nodes]
        nodes.update((item.node.id, item) for item in found)
        tail = found[-1].node if found else None
        if tail and tail.place == "after" and c < len(split) - 1:
            gutters[c] = found.pop().node.id
        order.append([item.node.id for item in found])
    cards = [[nodes[id].width for id in ids if nodes[id].node.kind == "card"] for ids in order]
    widths = [max(found, default=CARD_NARROWEST) for found in cards]
    box_columns = {
        box.id: c for c, column in enumerate(split) for unit in column for box in boxes_of(unit)
    }
    return Grid(diagram, split, nodes, order, gutters, widths, box_columns)


def _width_of(column: Sequence[Unit]) -> float:
    """How wide the cards of a column are: enough for their names and for those of the boxes."""
    cards = [node for unit in column for node in unit.nodes if node.kind == "card"]
    filled = {node.box for node in cards if node.fills}
    names = [name_width(node) + _NAME_PADDING for node in cards]
    lines = [_width_for(said_in(node)) for node in cards]
    boxes = [box for unit in column for box in boxes_of(unit) if box.id not in filled]
    titles = [text_size(title_text(box))[0] + _BESIDE_BOX_NAME for box in boxes]
    return max(min(max([CARD_NARROWEST, *names, *lines]), CARD_WIDEST), max(titles, default=0.0))


def _width_for(said: str) -> float:
    """How wide a card is at the least, so that what it says has few lines, if that can be."""
    width = CARD_NARROWEST
    while width < CARD_WIDEST and len(wrap(said, width - _LINE_PADDING, LABEL)) > _MOST_LINES:
        width += _WIDER
    return width


def _sized(node: Node, column: int, unit: Unit, width: float) -> TurnNode:
    if node.kind in SIZES:
        beside = bool(node.place) or node.kind == "start" or not node.box
        return TurnNode(node, column, unit, SIZES[node.kind], SIZES[node.kind], beside)
    lines = len(said_lines(node, width - _LINE_PADDING))
    height = _NAME_HEIGHT + LEADING[LABEL] * lines + (_BELOW_LINES if lines else 0)
    return TurnNode(node, column, unit, width, max(_LOWEST, height))
