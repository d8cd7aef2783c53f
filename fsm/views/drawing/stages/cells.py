"""The grid of a stage view: which node stands in which row, how large it is, and where it stands across."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fsm.views.drawing.diagram import Diagram, Line, Node
from fsm.views.drawing.measures import CARD_HEIGHT, CARD_NAME, CITATION, LABEL
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import Rect, Text, Words, text_size
from fsm.views.drawing.texts import MARKS, SIZES

WIDE, GAP, TIGHT, PAD = 128.0, 36.0, 24.0, 16.0
SLIM, BESIDE = 64.0, 16.0
_BOLD = 1.08
_TEXT_PADDING = 12.0


@dataclass(slots=True)
class Cell:
    """A node in its row; `x` and `y` are its middle."""

    node: Node
    row: int
    place: int
    width: float
    height: float
    x: float = 0.0
    y: float = 0.0

    @property
    def area(self) -> Rect:
        """Where it is."""
        return Rect.around(self.x, self.y, self.width, self.height)

    @property
    def small(self) -> bool:
        """Is it a diamond or a disc?"""
        return self.node.kind in SIZES


@dataclass(slots=True)
class Grid:
    """The cells by node, and the rows: entries first, then the stages, then the ends."""

    cells: dict[str, Cell] = field(default_factory=dict)
    rows: list[list[Cell]] = field(default_factory=list)

    def boxes_at(self, diagram: Diagram, row: int) -> tuple[str, ...]:
        """The boxes around a row, outermost first."""
        boxes = {c.node.box for c in self.rows[row]} if 0 <= row < len(self.rows) else set()
        return diagram.around(next(iter(boxes), ""))

    def last(self, cell: Cell) -> bool:
        """Is nothing right of it in its row?"""
        return self.rows[cell.row][-1] is cell

    def next(self, a: Cell, b: Cell) -> bool:
        """Does `b` stand right beside `a`?"""
        return a.row == b.row and b.place == a.place + 1


def stage_words(node: Node) -> list[Words]:
    """What stands in a stage: its name in bold, what is done in it, its rule."""
    mark = f"{MARKS[node.mark]} " if node.mark else ""
    names = wrap(mark + node.title, (WIDE - _TEXT_PADDING) / _BOLD, CARD_NAME, 3)
    said = [part for line in node.lines for part in wrap(line, WIDE - _TEXT_PADDING, LABEL, 3)]
    rule = [Words(part, CITATION, ink="muted") for part in wrap(node.rule, WIDE - _TEXT_PADDING, CITATION, 2)]
    return [*(Words(n, CARD_NAME, True) for n in names), *(Words(s, LABEL, ink="muted") for s in said), *rule]


def stage_text(cell: Cell) -> Text:
    """The words of a stage in its middle."""
    return Text.inside(stage_words(cell.node), cell.area)


def grid(diagram: Diagram, most: int) -> Grid:
    """The rows of a diagram, with at most so many stages in each."""
    made = Grid()
    starts = [n for n in diagram.nodes if n.kind == "start"]
    ends = [n for n in diagram.nodes if n.kind == "final" and not n.box]
    bands = [starts, *_bands(diagram, [n for n in diagram.nodes if n not in starts and n not in ends], most), ends]
    for band in bands:
        row = [_cell(node, len(made.rows), i) for i, node in enumerate(band)]
        made.rows.append(row)
        made.cells.update({c.node.id: c for c in row})
    for row in made.rows:
        tallest = max((c.height for c in row if not c.small), default=0.0)
        for cell in row:
            cell.height = cell.height if cell.small else tallest
    return made


def _bands(diagram: Diagram, nodes: Iterable[Node], most: int) -> list[list[Node]]:
    """The nodes of each box in rows of about the same length."""
    groups: list[list[Node]] = []
    for node in nodes:
        if groups and groups[-1][0].box == node.box:
            groups[-1].append(node)
        else:
            groups.append([node])
    return [row for group in groups for row in _best(diagram, group, most)]


def _best(diagram: Diagram, group: Sequence[Node], most: int) -> list[list[Node]]:
    """In few rows, about equally long, and with few ways back up."""
    stages = sum(n.kind not in SIZES for n in group)
    least = max(1, -(-stages // most))
    splits = [_split(group, max(1, -(-stages // count))) for count in (least, least + 1)]
    return min(splits if least > 1 else splits[:1], key=lambda rows: 3 * _upward(diagram, rows) + len(rows))


def _upward(diagram: Diagram, rows: Sequence[Sequence[Node]]) -> int:
    where = {node.id: r for r, row in enumerate(rows) for node in row}
    return sum(where.get(o.source, -1) > where.get(o.target, 99) for o in diagram.lines)


def _split(group: Sequence[Node], each: int) -> list[list[Node]]:
    rows: list[list[Node]] = [[]]
    for node in group:
        if node.kind not in SIZES and sum(n.kind not in SIZES for n in rows[-1]) == each:
            rows.append([])
        rows[-1].append(node)
    return rows


def _cell(node: Node, row: int, place: int) -> Cell:
    if node.kind in SIZES:
        return Cell(node, row, place, SIZES[node.kind], SIZES[node.kind])
    return Cell(node, row, place, WIDE, max(CARD_HEIGHT, text_size(stage_words(node))[1] + _TEXT_PADDING))


def columns(grid: Grid, diagram: Diagram, room: Mapping[tuple[str, str], float]) -> None:
    """Give every stage its x: the same for all rows; diamonds stand between them.

    `room` is what the label of a line between two neighbours needs.
    """
    rows = [row for row in grid.rows if row and row[0].node.kind != "start" and not _ends(row)]
    lead = max((_reach(row, 0, room)[0] + BESIDE for row in rows if _stages(row) and row[0].small), default=0.0)
    x, k = PAD + lead, 0
    lefts = [x]
    while any(_stages(row) > k + 1 for row in rows):
        x += WIDE + max(_between(row, k, room) for row in rows if _stages(row) > k + 1)
        lefts.append(x)
        k += 1
    for row in rows:
        _across(row, lefts, room)


def _ends(row: Sequence[Cell]) -> bool:
    return bool(row) and all(c.node.kind == "final" and not c.node.box for c in row)


def _stages(row: Sequence[Cell]) -> int:
    return sum(not c.small for c in row)


def _gap(a: Cell, b: Cell, room: Mapping[tuple[str, str], float]) -> float:
    least = GAP if not (a.small or b.small) else TIGHT
    return max(least, room.get((a.node.id, b.node.id), 0.0))


def _reach(row: Sequence[Cell], start: int, room: Mapping[tuple[str, str], float]) -> tuple[float, int]:
    """How much the small cells from here on need before the next stage."""
    total, i = 0.0, start
    while i < len(row) and row[i].small:
        total += row[i].width + (_gap(row[i], row[i + 1], room) if i + 1 < len(row) else 0.0)
        i += 1
    return total, i


def _between(row: Sequence[Cell], k: int, room: Mapping[tuple[str, str], float]) -> float:
    """The room between stage k and the next."""
    here = [i for i, c in enumerate(row) if not c.small][k]
    return _gap(row[here], row[here + 1], room) + _reach(row, here + 1, room)[0]


def _across(row: Sequence[Cell], lefts: Sequence[float], room: Mapping[tuple[str, str], float]) -> None:
    leading = next((i for i, c in enumerate(row) if not c.small), 0)
    if row[leading].small:
        row[0].x = lefts[0] + WIDE / 2
    k = 0
    for i, cell in enumerate(row[leading:], leading):
        if not cell.small:
            cell.x = lefts[k] + WIDE / 2
            k += 1
        elif i:
            cell.x = row[i - 1].area.right + _gap(row[i - 1], cell, room) + cell.width / 2
    for i in range(leading - 1, -1, -1):
        row[i].x = row[i + 1].area.left - _gap(row[i], row[i + 1], room) - row[i].width / 2


def line_between(diagram: Diagram, grid: Grid) -> dict[tuple[str, str], Line]:
    """The line that runs straight from each cell to its right neighbour: the first one there is."""
    found: dict[tuple[str, str], Line] = {}
    for line in diagram.lines:
        a, b = grid.cells.get(line.source), grid.cells.get(line.target)
        if a and b and grid.next(a, b):
            found.setdefault((line.source, line.target), line)
    return found
