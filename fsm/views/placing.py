"""Places the labels of lines: beside their own line, where they cover nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from fsm.views.svg import Box, Point

_GAP = 5.0
_FAR = 14.0
"""How far from its line a label may stand, in pixels."""
_STEP, _PLACES = 8.0, 16


def points_of(path: str) -> list[Point]:
    """Return points along a path of curves, as the program `dot` writes it: "M0,0C1,1 2,2 3,3"."""
    numbers = [float(number) for number in re.findall(r"-?\d+\.?\d*", path)]
    corners = list(zip(numbers[::2], numbers[1::2], strict=False))
    points = corners[:1]
    for i in range(1, len(corners) - 2, 3):
        points += _curve(corners[i - 1], *corners[i : i + 3])
    return points


def _curve(a: Point, b: Point, c: Point, d: Point) -> Iterator[Point]:
    parts = 2 + int(max(abs(a[0] - d[0]), abs(a[1] - d[1])) / _STEP)
    for part in range(1, parts + 1):
        t = part / parts
        shares = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x = sum(share * point[0] for share, point in zip(shares, (a, b, c, d), strict=True))
        y = sum(share * point[1] for share, point in zip(shares, (a, b, c, d), strict=True))
        yield x, y


def place(wanted: Box, line: Sequence[Point], around: Surroundings) -> Box:
    """Return where a label stands: as wanted if that is beside its line and free, else wherever it
    covers least.
    """
    near = _distance(wanted, line) <= _FAR
    if near and not around.covered(wanted) and not around.crossed(wanted):
        return wanted
    free = [*([wanted] if near else []), *_beside(wanted, line)]
    best, least = wanted, inf
    for rank, box in enumerate(free):
        cost = around.covered(box) + rank / 20
        if cost < least:
            cost += around.crossed(box)
        if cost < least:
            best, least = box, cost
    return best


def _beside(box: Box, line: Sequence[Point]) -> Iterator[Box]:
    """Yield places at both sides of a line, from its middle to its ends."""
    middle = len(line) // 2
    some = range(0, len(line), len(line) // _PLACES + 1)
    for i in sorted(some, key=lambda i: abs(i - middle)):
        x, y = line[i]
        yield box._replace(x=x + _GAP, y=y - box.h / 2)
        yield box._replace(x=x - box.w - _GAP, y=y - box.h / 2)
        yield box._replace(x=x - box.w / 2, y=y - box.h - _GAP)
        yield box._replace(x=x - box.w / 2, y=y + _GAP)


@dataclass(slots=True)
class Surroundings:
    """What there is already: the whole picture, what no label may cover, and points of lines and
    borders, of which it should cover few.
    """

    whole: Box
    taken: list[Box] = field(default_factory=list)
    lines: list[Point] = field(default_factory=list)

    def covered(self, box: Box) -> float:
        """Return how much a label would cover, or stand outside of the picture. 0 is best."""
        outside = box.w * box.h - _shared(box, self.whole)
        return 2 * sum(_shared(box, other) for other in self.taken) + 9 * outside

    def crossed(self, box: Box) -> float:
        """Return how much of lines and borders a label would cover. 0 is best."""
        return 3.0 * sum(box.x < x < box.right and box.y < y < box.bottom for x, y in self.lines)


def _shared(a: Box, b: Box) -> float:
    """Return the area that two rectangles share."""
    across = min(a.right, b.right) - max(a.x, b.x)
    down = min(a.bottom, b.bottom) - max(a.y, b.y)
    return across * down if across > 0 and down > 0 else 0.0


def _distance(box: Box, line: Sequence[Point]) -> float:
    """Return how far a rectangle is from a line."""
    gaps = []
    for x, y in line:
        across = max(box.x - x, x - box.right, 0.0)
        down = max(box.y - y, y - box.bottom, 0.0)
        gaps.append(across + down)
    return min(gaps, default=0.0)
