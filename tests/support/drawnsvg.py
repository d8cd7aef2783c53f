"""Reading a drawn picture back from its SVG: where its texts, lines, boxes and cards are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from math import hypot
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
Point = tuple[float, float]
Area = tuple[float, float, float, float]
_ROUNDING = 1.5
"""A corner of a line is round, and the head of an arrow is no part of its line."""
_LEVEL, _ONE_TEXT = 3.0, 14.0
_CLOSE = 5.0
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_MOVED = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")


@dataclass(frozen=True)
class Label:
    """The texts and the lines of one arrow, by their numbers in the picture."""

    texts: range
    lines: range


@dataclass
class Picture:
    """The visible parts of an SVG, in points from its upper left corner."""

    size: Point
    pixels: float = 1.0
    """How many pixels a point has."""
    texts: list[tuple[str, Area]] = field(default_factory=list)
    lines: list[list[Point]] = field(default_factory=list)
    boxes: list[Area] = field(default_factory=list)
    shapes: list[Area] = field(default_factory=list)
    tooltips: list[str] = field(default_factory=list)
    groups: dict[str, list[str]] = field(default_factory=dict)
    marks: dict[int, str] = field(default_factory=dict)
    """The dot before a text, by the text's number: "●" or, if hollow, "○"."""
    labels: list[Label] = field(default_factory=list)
    free: list[int] = field(default_factory=list)
    """The numbers of the texts that stand in no card, box or legend: labels, and words beside a
    disc.
    """

    @property
    def words(self) -> list[str]:
        """The texts, each with its mark."""
        return [self.marks.get(i, "") + text for i, (text, _) in enumerate(self.texts)]

    def says(self, part: str) -> bool:
        return any(part in text for text in self.words)


def read(svg: str) -> Picture:
    root = ET.fromstring(svg)
    _, _, width, height = map(float, root.get("viewBox", "0 0 0 0").split())
    found = Picture((width, height), pixels=float(root.get("width", "0")) / (width or 1.0))
    _walk(root, 0.0, 0.0, "", found)
    return found


def _walk(element: ET.Element, dx: float, dy: float, group: str, found: Picture) -> None:
    moved = _MOVED.match(element.get("transform", ""))
    if moved:
        dx, dy = dx + float(moved[1]), dy + float(moved[2])
    tag = element.tag.removeprefix(SVG)
    if tag == "g":
        group = element.get("class", "")
        title = element.find(f"{SVG}title")
        found.groups.setdefault(group, []).append(title.text or "" if title is not None else "")
        if title is not None:
            found.tooltips.append(title.text or "")
    if tag == "circle" and element.get("class") == "mark" and group.startswith("node"):
        found.marks[len(found.texts)] = "○" if element.get("fill") == "none" else "●"
    elif tag == "text":
        _say(found, group, _text(element, dx, dy))
    elif tag == "path" and "layer-" in group:
        found.lines.append([(x + dx, y + dy) for x, y in _curve(_points(element.get("d", "")))])
    elif tag in ("rect", "polygon") and group.startswith(("node", "cluster")):
        left, top, right, bottom = _area(element)
        area = (
            round(left + dx, 3),
            round(top + dy, 3),
            round(right + dx, 3),
            round(bottom + dy, 3),
        )
        (found.boxes if group.split()[-1] == "phase" else found.shapes).append(area)
    texts, lines = len(found.texts), len(found.lines)
    for child in element:
        _walk(child, dx, dy, group, found)
    if tag == "g" and group.startswith("edge"):
        found.labels.append(Label(range(texts, len(found.texts)), range(lines, len(found.lines))))
    if tag == "g" and (group.startswith("edge") or group.endswith("words")):
        found.free += range(texts, len(found.texts))


def _say(found: Picture, group: str, said: tuple[str, Area]) -> None:
    """Add a text. A line on a node or box may be written in parts of several sizes, side by side:
    they are one.
    """
    (words, area), last = said, found.texts[-1] if found.texts else ("", (0.0, 0.0, 0.0, 0.0))
    beside = 0 < area[0] - last[1][2] < 7 and last[1][1] < area[3] and area[1] < last[1][3]
    if beside and group.startswith(("node", "cluster")):
        found.texts[-1] = (
            last[0] + words,
            (last[1][0], min(last[1][1], area[1]), area[2], max(last[1][3], area[3])),
        )
    else:
        found.texts.append((words, area))


def _text(element: ET.Element, dx: float, dy: float) -> tuple[str, Area]:
    text, size = "".join(element.itertext()), float(element.get("font-size", "11"))
    width = float(element.get("textLength", "0"))
    x, y = float(element.get("x", "0")) + dx, float(element.get("y", "0")) + dy
    left = {"start": x, "middle": x - width / 2, "end": x - width}[
        element.get("text-anchor", "start")
    ]
    return text, (left, y - size * 0.72, left + width, y + size * 0.2)


def _area(element: ET.Element) -> Area:
    if element.tag.endswith("rect"):
        x, y, width, height = (
            float(element.get(name, "0")) for name in ("x", "y", "width", "height")
        )
        return x, y, x + width, y + height
    xs, ys = zip(*_points(element.get("points", "")), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _points(path: str) -> list[Point]:
    numbers = [float(n) for n in _NUMBER.findall(path)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _curve(points: list[Point]) -> list[Point]:
    """A path of cubic parts as short straight ones."""
    found = points[:1]
    for i in range(1, len(points) - 2, 3):
        start, *rest = found[-1], *points[i : i + 3]
        for step in (0.25, 0.5, 0.75, 1.0):
            weights = (1 - step) ** 3, 3 * (1 - step) ** 2 * step, 3 * (1 - step) * step**2, step**3
            corners = [start, *rest]
            found.append(
                (
                    sum(w * x for w, (x, _) in zip(weights, corners, strict=True)),
                    sum(w * y for w, (_, y) in zip(weights, corners, strict=True)),
                )
            )
    return found


def collisions(picture: Picture) -> list[str]:
    """Every pair of texts that meet, every text that meets a line or a border, or leaves the
    picture.
    """
    return list(_collisions(picture))


def _collisions(picture: Picture) -> Iterator[str]:
    borders = [side for box in picture.boxes for side in _sides(box)]
    for i, (text, area) in enumerate(picture.texts):
        if (
            area[0] < -0.5
            or area[1] < -0.5
            or area[2] > picture.size[0] + 0.5
            or area[3] > picture.size[1] + 0.5
        ):
            yield f"{text!r} leaves the picture"
        for other, there in picture.texts[i + 1 :]:
            if _meet(area, there):
                yield f"{text!r} meets {other!r}"
        if any(_crosses(a, b, area) for line in picture.lines for a, b in pairwise(line)):
            yield f"{text!r} meets a line"
        if any(_crosses(a, b, area) for a, b in borders):
            yield f"{text!r} meets a border"


def astray(picture: Picture, *, whole: bool = False) -> list[str]:
    """Every text of a label that is nearer to the line of another arrow than to its own.

    `whole`: than the label as a whole is to its own, unless the text is close to the other line.
    """
    found = []
    for label in picture.labels:
        areas, lines = (
            [picture.texts[i][1] for i in label.texts],
            [picture.lines[i] for i in label.lines],
        )
        others = [line for i, line in enumerate(picture.lines) if i not in label.lines]
        nearest = min((_distance(area, line) for area in areas for line in lines), default=0.0)
        for text, area in (picture.texts[i] for i in label.texts):
            own = min(map(partial(_distance, area), lines), default=0.0)
            near = min(map(partial(_distance, area), others), default=own)
            if near < (nearest if whole and near > _CLOSE else own) - _ROUNDING:
                found.append(f"{text!r} is {near:.1f} from another line and {own:.1f} from its own")
    return found


def read_as_one(picture: Picture) -> list[str]:
    """Every two texts of different arrows or discs that stand in one row and so near that they read
    as one text.
    """
    holder = {i: label for label in picture.labels for i in label.texts}
    found = []
    for number, i in enumerate(picture.free):
        (text, a) = picture.texts[i]
        for other, b in (
            picture.texts[j] for j in picture.free[number + 1 :] if holder.get(i) != holder.get(j)
        ):
            level = min(a[3], b[3]) - max(a[1], b[1])
            if level > _LEVEL and max(b[0] - a[2], a[0] - b[2]) < _ONE_TEXT:
                found.append(f"{text!r} reads on in {other!r}")
    return found


def cut_off(picture: Picture) -> list[str]:
    """Every text that is cut off with an ellipsis."""
    return [text for text, _ in picture.texts if "\N{HORIZONTAL ELLIPSIS}" in text]


def _distance(area: Area, line: list[Point]) -> float:
    """How far an area is from a line of short straight parts."""
    return min(_apart(area, a, b) for a, b in pairwise(line))


def _apart(area: Area, a: Point, b: Point) -> float:
    """How far an area is from a straight line: measured at points no further apart than a point."""
    steps = max(1, int(max(abs(b[0] - a[0]), abs(b[1] - a[1]))))
    places = (
        (a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps)
        for i in range(steps + 1)
    )
    return min(
        hypot(max(area[0] - x, x - area[2], 0.0), max(area[1] - y, y - area[3], 0.0))
        for x, y in places
    )


def _sides(area: Area) -> list[tuple[Point, Point]]:
    left, top, right, bottom = area
    corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)]
    return list(pairwise(corners))


def _meet(a: Area, b: Area) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _crosses(start: Point, end: Point, area: Area) -> bool:
    """Does the straight line run through the area? (Liang and Barsky's clipping)"""
    (x, y), dx, dy = start, end[0] - start[0], end[1] - start[1]
    low, high = 0.0, 1.0
    for p, q in ((-dx, x - area[0]), (dx, area[2] - x), (-dy, y - area[1]), (dy, area[3] - y)):
        if p == 0:
            if q < 0:
                return False
        elif p < 0:
            low = max(low, q / p)
        else:
            high = min(high, q / p)
    return low <= high
