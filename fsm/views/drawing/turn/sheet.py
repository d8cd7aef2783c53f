"""What the stages of the turn's layout share: items, routes, room, and what is known so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from fsm.views.drawing.columns import Unit, columns
from fsm.views.drawing.diagram import Diagram, Line, Node
from fsm.views.drawing.labels import Board
from fsm.views.drawing.lanes import Lane, Side
from fsm.views.drawing.placed import PlacedNode, Point, Rect, Words

HUB = 34.0
GAP, TITLE, FOOT, SIDE = 15.0, 25.0, 12.0, 10.0
CARD_MOST, CARD_LEAST = 178.0, 112.0
WIDEST = 160.0
NONE = -13.0


@dataclass(slots=True)
class Slack:
    """Room added after a first try, where a label found none."""

    gap: dict[str, float] = field(default_factory=dict)
    above: dict[str, float] = field(default_factory=dict)
    room: dict[str, float] = field(default_factory=dict)
    gutter: dict[int, float] = field(default_factory=dict)

    def widen(self, gutter: int, by: float) -> None:
        """More room between two columns, but not without end."""
        self.gutter[gutter] = min(WIDEST, self.gutter.get(gutter, 0.0) + by)


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
        """Where it is, once that is known."""
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


@dataclass(slots=True)
class HubPlace:
    """A hub's card, the diamond above it with its words, and where they stand."""

    card: Node
    sample: Node | None
    said: tuple[Words, ...]
    column: int
    top: float

    @property
    def reach(self) -> float:
        """From the diamond's top to the card."""
        return 36.0 + 11.0 * len(self.said)


class Sheet:
    """The layout of one turn while it is being made; each stage adds what it decides."""

    def __init__(self, diagram: Diagram, slack: Slack, last: bool = False) -> None:
        self.diagram = diagram
        self.final_try = last
        self.footnotes: list[str] = []
        self.slack = slack
        self.homeless = 0
        self.widened: set[tuple[str, int]] = set()
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
        self.board = Board()
        self.routes: dict[str, Route] = {}
        self.widths: list[float] = []
        self.left: list[float] = []
        self.right: list[float] = []
        self.spine: list[float] = []
        self.cross: list[float] = []
        self.sides: dict[tuple[int, int], tuple[float, float]] = {}
        self._placed_lanes: dict[tuple[str, int, int], list[Lane]] = {}
        self.edge = 0.0
        self.bottom = 0.0
        self.lone: dict[str, Lane] = {}
        self.row_tops: dict[str, float] = {}
        self.hubs: list[HubPlace] = []
        self.finals: dict[str, PlacedNode] = {}

    def _final(self, id: str) -> bool:
        node = self.diagram.node(id)
        return node is not None and node.kind == "final"

    def _consecutive(self, source: str, target: str) -> bool:
        a, b = self.items[source], self.items.get(target)
        if b is None or a.column != b.column:
            return False
        items = self.order[a.column]
        return a in items and b in items and items.index(b) == items.index(a) + 1

    def _depth(self, box: str) -> int:
        """How many boxes stand around this one."""
        return max(0, len(self.diagram.around(box)) - 1)

    def _common_depth(self, *boxes: str) -> int:
        """The depth of the innermost box around all of these."""
        ways = [self.diagram.around(box) for box in boxes]
        return max(0, sum(len(set(level)) == 1 for level in zip(*ways, strict=False)) - 1)

    def _box_sides(self, box: str) -> tuple[float, float]:
        """The left and right border of a box, once that is known."""
        c, depth = self.box_column[box], self._depth(box)
        return self.sides[c, depth] if depth else (self.left[c], self.right[c])

    def _column_of(self, id: str) -> int:
        return self.items[id].column if id in self.items else self.box_column.get(id, 0)
