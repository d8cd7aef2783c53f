"""Reading a drawn picture back from its SVG, and finding what is drawn badly in it.

Nothing here knows who drew it: texts, lines and closed shapes are all there is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise, product
from math import hypot
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Area = tuple[float, float, float, float]
SMALLEST = 7.4
"""Pixels of the smallest letters that anybody is asked to read."""
SLACK = 0.5
"""How far, in points, two things may meet before anybody sees it."""
HEAD = 12.0
"""Arrow heads and dots are smaller than this; boxes are larger."""
MOVED = re.compile(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)")
COMMAND = re.compile(r"([MLHCQZ])([^A-Za-z]*)")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
INERT = {"svg", "g", "a", "title", "desc", "style", "text", "tspan"}
SHAPES = {"path", "rect", "circle", "polygon"}


@dataclass(frozen=True)
class Text:
    """A text, its place in the order of painting, and its area."""

    words: str
    order: int
    area: Area
    size: float


@dataclass(frozen=True)
class Shape:
    """A line, or a closed shape, which hides what was painted before it where it is filled."""

    points: list[Point]
    order: int
    filled: bool
    area: Area

    def crosses(self, area: Area) -> bool:
        near = _meet(self.area, area, -SLACK)
        return near and any(_crosses(a, b, area) for a, b in pairwise(self.points))

    def is_nearest(self, labels: list[Text], others: list[Shape]) -> bool:
        """Whether no other line is nearer to some labels."""
        lefts, tops, rights, bottoms = zip(*(label.area for label in labels), strict=True)
        area = min(lefts), min(tops), max(rights), max(bottoms)
        least = min((other.distance(area) for other in others), default=1e9)
        return self.distance(area) <= least + 1

    def distance(self, area: Area) -> float:
        """How far the line is from an area."""
        (left, top, right, bottom), parts = area, [part / 8 for part in range(9)]
        ends = product(pairwise(self.points), parts)
        points = [(x + (u - x) * part, y + (v - y) * part) for ((x, y), (u, v)), part in ends]
        return min(
            hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) for x, y in points
        )

    def holds(self, text: Text) -> bool:
        return self.order < text.order and _within(text.area, self.area)


@dataclass
class Picture:
    """The visible parts of an SVG, in points from its upper left corner."""

    area: Area
    pixels: float
    """How many pixels a point has."""
    title: str
    description: str
    texts: list[Text] = field(default_factory=list)
    lines: list[Shape] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    tooltips: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return [text.words for text in self.texts]

    def says(self, part: str) -> bool:
        """Whether these words stand in it, in the order of painting, on however many lines."""
        return part in " ".join(" ".join(self.words).split())

    @property
    def boxes(self) -> list[Shape]:
        """The boxes with other boxes in them."""
        cards = self.cards
        return [shape for shape in self.shapes if _is_box(shape) and shape not in cards]

    @property
    def cards(self) -> list[Shape]:
        """The boxes with no other box in them."""
        boxes = list(filter(_is_box, self.shapes))
        return [b for b in boxes if not any(_within(o.area, b.area) for o in boxes if o is not b)]


def read(svg: str) -> Picture:
    root = ET.fromstring(svg)
    left, top, width, height = map(float, root.get("viewBox", "0 0 0 0").split())
    title, description = (root.findtext(f"{SVG}{name}") or "" for name in ("title", "desc"))
    area = (left, top, left + width, top + height)
    picture = Picture(area, float(root.get("width", "0")) / width, title, description)
    for child in root:
        _walk(child, 0.0, 0.0, picture)
    return picture


def labelled(svg: str) -> Iterator[tuple[list[str], Shape, list[Text]]]:
    """Each line of a plain machine's picture: its transitions, the line, and its labels. Labels are
    painted last, in the order of their lines; parallel transitions that say the same have one.
    """
    root = ET.fromstring(svg)
    texts = [_text(one, 0, 0, 0) for one in root.iterfind(f"{SVG}g[@paint-order]/{SVG}text")]
    for way in root.iterfind(f"{SVG}g[@data-via]"):
        via = way.get("data-via", "").split("; ")
        wanted, own = len({id.partition(" on ")[2] for id in via}), []
        while texts and (wanted > 0 or texts[0].words.startswith("if ")):
            own.append(texts.pop(0))
            wanted -= 0 if own[-1].words.startswith("if ") else len(own[-1].words.split(" | "))
        [path] = way.iterfind(f"{SVG}path")
        points = _path(path.get("d", ""))
        yield via, Shape(points, 0, False, _around(points)), own


def _walk(element: ET.Element, dx: float, dy: float, picture: Picture) -> None:
    if moved := MOVED.match(element.get("transform", "")):
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
    tag, order = element.tag.removeprefix(SVG), len(picture.texts) + len(picture.shapes)
    order += len(picture.lines) + 1
    if tag == "g" and (title := element.findtext(f"{SVG}title")):
        picture.tooltips.append(title)
    elif tag == "text":
        picture.texts.append(_text(element, dx, dy, order))
    elif tag in SHAPES and element.get("width") != "100%":
        points = [(x + dx, y + dy) for x, y in _points(tag, element)]
        filled = element.get("fill") != "none"
        is_line = tag == "path" and not filled
        shape = Shape(points if is_line else [*points, points[0]], order, filled, _around(points))
        (picture.lines if is_line else picture.shapes).append(shape)
    for child in element:
        _walk(child, dx, dy, picture)


def _around(points: list[Point]) -> Area:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _numbers(element: ET.Element, *names: str) -> list[float]:
    return [float(element.get(name, "0")) for name in names]


def _text(element: ET.Element, dx: float, dy: float, order: int) -> Text:
    x, y, size, width = _numbers(element, "x", "y", "font-size", "textLength")
    shift = {"start": 0.0, "middle": width / 2, "end": width}[element.get("text-anchor", "start")]
    left, foot = x + dx - shift, y + dy
    area = (left, foot - size * 0.72, left + width, foot + size * 0.15)
    return Text("".join(element.itertext()), order, area, size)


def _points(tag: str, element: ET.Element) -> list[Point]:
    if tag == "rect":
        x, y, width, height = _numbers(element, "x", "y", "width", "height")
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    if tag == "circle":
        x, y, r = _numbers(element, "cx", "cy", "r")
        return [(x, y - r), (x + r, y), (x, y + r), (x - r, y)]
    if tag == "polygon":
        return _pairs(element.get("points", ""))
    return _path(element.get("d", ""))


def _path(d: str) -> list[Point]:
    """The points of a path, whose curves become short straight parts."""
    points: list[Point] = []
    for command, rest in COMMAND.findall(d):
        if command == "H":
            points.append((float(rest), points[-1][1]))
        elif command in "CQ":
            pairs, degree = _pairs(rest), 3 if command == "C" else 2
            for i in range(0, len(pairs), degree):
                points += _curve([points[-1], *pairs[i : i + degree]])
        else:
            points += _pairs(rest)
    return points


def _pairs(text: str) -> list[Point]:
    numbers = [float(n) for n in NUMBER.findall(text)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _curve(points: list[Point]) -> Iterator[Point]:
    """Four points of a Bezier curve, by de Casteljau's construction."""
    for share in (0.25, 0.5, 0.75, 1.0):
        left = points
        while len(left) > 1:
            left = [
                (a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share)
                for a, b in pairwise(left)
            ]
        yield left[0]


# what is drawn badly ------------------------------------------------------------------------------


def faults(svg: str) -> list[str]:
    """What is wrong in a picture, of all that every picture promises."""
    picture = read(svg)
    return [*activity(svg), *leaving(picture), *collisions(picture), *strays(picture)]


def activity(svg: str) -> Iterator[str]:
    """What in a picture could do something, or ask for something from elsewhere."""
    for element in ET.fromstring(svg).iter():
        tag = element.tag.removeprefix(SVG)
        if tag not in INERT | SHAPES or _asks(element.text or "" if tag == "style" else ""):
            yield f"element {tag}"
        for name, value in element.attrib.items():
            is_link = tag == "a" and value.startswith("https://example.org/")
            inert = is_link or name.startswith("data-")
            if name.startswith("on") or (_asks(value) and not inert):
                yield f"{tag} {name}={value!r}"


def _asks(value: str) -> bool:
    return bool(re.search(r"url\(|@import|javascript:|https?:|data:", value))


def leaving(picture: Picture) -> Iterator[str]:
    """What reaches over the edge of the picture, and what is too small to read."""
    left, top, right, bottom = picture.area
    whole = (left - SLACK, top - SLACK, right + SLACK, bottom + SLACK)
    for text in picture.texts:
        if not _within(text.area, whole):
            yield f"{text.words!r} leaves the picture"
        if text.size * picture.pixels < SMALLEST:
            yield f"{text.words!r} is too small"
    for shape in (*picture.lines, *picture.shapes):
        if not _within(shape.area, whole):
            yield f"a line or box leaves the picture at {shape.points[0]}"


def collisions(picture: Picture) -> list[str]:
    """Every text that meets another one, a line or the border of a box, or is hidden by a box."""
    return [said for text in picture.texts if text.words.strip() for said in _met(picture, text)]


def _met(picture: Picture, text: Text) -> Iterator[str]:
    ground = max((s.order for s in picture.shapes if s.filled and s.holds(text)), default=0)
    for other in picture.texts:
        if text.order < other.order and _meet(text.area, other.area):
            yield f"{text.words!r} meets {other.words!r}"
    for shape in (*picture.shapes, *picture.lines):
        if shape.order > ground and shape.crosses(text.area):
            yield f"{text.words!r} meets a {'border' if shape in picture.shapes else 'line'}"
        elif shape.order > text.order and shape.filled and _meet(shape.area, text.area):
            yield f"{text.words!r} is hidden by a box"


def strays(picture: Picture) -> Iterator[str]:
    """Every line that runs through a box with text in it."""
    for card in picture.cards:
        inside = [text.words for text in picture.texts if card.holds(text)]
        for line in picture.lines if inside else ():
            if line.crosses(_core(card)) and not _within(line.area, card.area):
                yield f"a line runs through {inside[0]!r}"


def _core(card: Shape) -> Area:
    """The inside of a box, where no foreign line may come; that of a slanted one is small."""
    left, top, right, bottom = card.area
    is_straight = card.points[0][1] == card.points[1][1]
    dx, dy = ((right - left) * 0.3, (bottom - top) * 0.3) if not is_straight else (2.0, 2.0)
    return left + dx, top + dy, right - dx, bottom - dy


def _is_box(shape: Shape) -> bool:
    left, top, right, bottom = shape.area
    return right - left > HEAD and bottom - top > HEAD


def _within(inner: Area, outer: Area) -> bool:
    starts = inner[0] >= outer[0] and inner[1] >= outer[1]
    return starts and inner[2] <= outer[2] and inner[3] <= outer[3]


def _meet(a: Area, b: Area, least: float = SLACK) -> bool:
    across = min(a[2], b[2]) - max(a[0], b[0])
    return across > least and min(a[3], b[3]) - max(a[1], b[1]) > least


def _crosses(start: Point, end: Point, area: Area) -> bool:
    """Does the straight line run through the area? Then not all corners lie on one side of it."""
    (x, y), (u, v) = start, end
    corners = product(area[::2], area[1::2])
    sides = [(left - x) * (v - y) - (top - y) * (u - x) for left, top in corners]
    return min(sides) <= 0 <= max(sides) and _meet(_around([start, end]), area, -1e-6)
