"""A diagram with every place decided: what the layouts return and the DOT writer reads. Points, y
downwards.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fsm.views.drawing.diagram import Box, Diagram, Line, Node
from fsm.views.drawing.measures import LABEL, LEADING
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.palette import Tone

Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]
Shape = Literal["node", "box", "line"]
Ink = Literal["ink", "muted", "core", "skip", "extra", "jump", "title", "hue", "paper"]


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle: left, top, right, bottom."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """From left to right."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """From top to bottom."""
        return self.bottom - self.top

    @property
    def x(self) -> float:
        """The middle, across."""
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        """The middle, down."""
        return (self.top + self.bottom) / 2

    def grown(self, by: float) -> Rect:
        """The rectangle with a margin all round."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def meets(self, other: Rect) -> bool:
        """Do the two share any area?"""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )

    def distance(self, other: Rect) -> float:
        """How far apart the two are, at least; 0 if they meet."""
        across = max(other.left - self.right, self.left - other.right, 0.0)
        down = max(other.top - self.bottom, self.top - other.bottom, 0.0)
        return float((across**2 + down**2) ** 0.5)

    def edges(self) -> tuple[Rect, ...]:
        """The four sides, as rectangles without thickness."""
        a, b, c, d = self.left, self.top, self.right, self.bottom
        return Rect(a, b, c, b), Rect(a, d, c, d), Rect(a, b, a, d), Rect(c, b, c, d)

    @classmethod
    def around(cls, x: float, y: float, width: float, height: float) -> Rect:
        """The rectangle of this size around a point."""
        return cls(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


@dataclass(frozen=True, slots=True)
class Words:
    """One line of text: what it says, size in points, bold or not, and which ink."""

    text: str
    size: float = LABEL
    bold: bool = False
    ink: Ink = "ink"

    @property
    def width(self) -> float:
        """Its width in points."""
        return text_width(self.text, self.size, self.bold)

    @property
    def leading(self) -> float:
        """The height of its line."""
        return LEADING.get(self.size, self.size * 1.2)


@dataclass(frozen=True, slots=True)
class Text:
    """Lines of text, one under the other, in a rectangle; `anchor` says where they lean."""

    lines: tuple[Words, ...]
    area: Rect
    anchor: Anchor = "middle"

    @classmethod
    def at(cls, lines: Iterable[Words], left: float, top: float) -> Text:
        """The text with its upper left corner there."""
        lines = tuple(lines)
        width, height = text_size(lines)
        return cls(lines, Rect(left, top, left + width, top + height), "start")

    @classmethod
    def inside(cls, lines: Iterable[Words], area: Rect) -> Text:
        """The text in the middle of an area."""
        lines = tuple(lines)
        height = text_size(lines)[1]
        return cls(lines, Rect(area.left, area.y - height / 2, area.right, area.y + height / 2))

    @property
    def x(self) -> float:
        """Where the lines are anchored, across."""
        return {"start": self.area.left, "middle": self.area.x, "end": self.area.right}[self.anchor]

    def baselines(self) -> list[tuple[Words, float]]:
        """Each line with the y of its baseline."""
        found, y = [], self.area.top
        for line in self.lines:
            found.append((line, y + line.leading - line.size * 0.28))
            y += line.leading
        return found

    def rows(self) -> list[Rect]:
        """The area of each line, which is narrower than the whole text where the line is shorter."""
        found, y = [], self.area.top
        for line in self.lines:
            over = self.area.width - line.width
            left = self.area.left + {"start": 0.0, "middle": over / 2, "end": over}[self.anchor]
            found.append(Rect(left, y, left + line.width, y + line.leading))
            y += line.leading
        return found


def text_size(lines: Iterable[Words]) -> tuple[float, float]:
    """Width and height of lines of text."""
    lines = list(lines)
    return max((w.width for w in lines), default=0.0), sum(w.leading for w in lines)


@dataclass(frozen=True, slots=True)
class PlacedNode:
    """A node and where it is."""

    node: Node
    area: Rect
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class PlacedBox:
    """A box and where it is, its title and its notes."""

    box: Box
    area: Rect
    title: Text
    notes: Text | None = None


@dataclass(frozen=True, slots=True)
class PlacedLine:
    """A line, its corners, and its label.

    `head` is the id of the node it ends at: a connector's word when the target is far away. With
    `spline` the points are those of a Bezier curve that Graphviz made, and `tip` is where its head
    ends.
    """

    line: Line
    points: tuple[Point, ...]
    label: Text | None = None
    head: str = ""
    spline: bool = False
    tip: Point | None = None


@dataclass(frozen=True, slots=True)
class Pill:
    """The order numbers of a taken line."""

    line: str
    text: Text


@dataclass(frozen=True, slots=True)
class Paint:
    """How an overlay paints a node, box or line: its tone, and the width of its border or stroke; 0
    for its own.
    """

    tone: Tone
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is laid over a picture, by the ids of nodes, boxes and lines. The places never change.

    `others` is for the lines that are not named; `caption` is said under the title.
    """

    nodes: Mapping[str, Paint] = field(default_factory=dict)
    boxes: Mapping[str, Paint] = field(default_factory=dict)
    lines: Mapping[str, Paint] = field(default_factory=dict)
    others: Paint | None = None
    pills: tuple[Pill, ...] = ()
    caption: str = ""


@dataclass(frozen=True)
class Placed:
    """Everything with its place. `size` is that of the graph, without title, caption and legend."""

    diagram: Diagram
    nodes: tuple[PlacedNode, ...]
    boxes: tuple[PlacedBox, ...]
    lines: tuple[PlacedLine, ...]
    size: Point
    overlay: Overlay | None = None

    def paint(self, shape: Shape, id: str) -> Paint | None:
        """How the overlay paints what has this id, if it does."""
        if self.overlay is None:
            return None
        if shape == "line":
            return self.overlay.lines.get(id, self.overlay.others)
        return (self.overlay.nodes if shape == "node" else self.overlay.boxes).get(id)

    def all_texts(self) -> list[Text]:
        """Every text in the graph."""
        found = [n.text for n in self.nodes if n.text]
        for box in self.boxes:
            found += [box.title] + ([box.notes] if box.notes else [])
        found += [line.label for line in self.lines if line.label]
        return found + [p.text for p in (self.overlay.pills if self.overlay else ())]


def segments(points: Sequence[Point]) -> list[Rect]:
    """The straight parts of a line, as rectangles without thickness."""
    return [
        Rect(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1]))
        for a, b in itertools.pairwise(points)
    ]


def tidy(points: Iterable[Point]) -> tuple[Point, ...]:
    """The corners without repeated points and without points on a straight part."""
    found: list[Point] = []
    for point in points:
        if found and abs(found[-1][0] - point[0]) < 0.05 and abs(found[-1][1] - point[1]) < 0.05:
            continue
        if len(found) > 1 and _straight(found[-2], found[-1], point):
            found[-1] = point
        else:
            found.append(point)
    return tuple(found)


def _straight(a: Point, b: Point, c: Point) -> bool:
    across = abs(a[1] - b[1]) < 0.05 and abs(b[1] - c[1]) < 0.05
    down = abs(a[0] - b[0]) < 0.05 and abs(b[0] - c[0]) < 0.05
    return across or down
