"""Places the labels of lines: beside their own line, where they cover nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fsm.views.svg import Box, Point

_GAP = 5.0
"""How far from its line a label stands, in pixels."""
_NEAR = 24.0
_STEP, _PLACES = 8.0, 24


def points_of(curve: Sequence[Point]) -> list[Point]:
    """Return points along curves, which are given by their ends and by two points between them."""
    at = [complex(x, y) for x, y in curve]
    points = [at[0]]
    for i in range(0, len(at) - 3, 3):
        a, b, c, d = at[i : i + 4]
        parts = 2 + int(abs(a - d) / _STEP)
        for part in range(1, parts + 1):
            t = part / parts
            u = 1 - t
            points.append(u**3 * a + 3 * t * u**2 * b + 3 * t**2 * u * c + t**3 * d)
    return [(point.real, point.imag) for point in points]


@dataclass(slots=True)
class Surroundings:
    """What there is already: the whole picture, what no label may cover, and points of lines and
    borders, of which it should cover few.
    """

    whole: Box
    taken: list[Box] = field(default_factory=list)
    lines: list[Point] = field(default_factory=list)

    def add_border(self, box: Box) -> None:
        """Add the border of a frame."""
        ends = [(box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)]
        for a, b in pairwise([*ends, ends[0]]):
            self.lines += points_of([a, a, b, b])

    def place(self, wanted: Box, line: Sequence[Point]) -> Box:
        """Return where a label stands: as wanted if that is beside its line and free, else where it
        covers least. The place is taken then.
        """
        boxes = sorted(_beside(wanted, line), key=lambda box: _far(box, wanted))
        if _far(boxes[0], wanted) <= _NEAR:
            boxes.insert(0, wanted)
        covered = [self._covered(box) for box in boxes]
        best = [box for box, cost in zip(boxes, covered, strict=True) if cost == min(covered)]
        box = min(best, key=self._crossed)
        self.taken.append(box)
        return box

    def _covered(self, box: Box) -> float:
        """How much a label would cover, or stand outside of the picture. 0 is best."""
        outside = box.w * box.h - _shared(box, self.whole)
        return sum(_shared(box, other) for other in self.taken) + 9 * outside

    def _crossed(self, box: Box) -> int:
        """How much of lines and borders a label would cover. 0 is best."""
        return sum(box.x < x < box.right and box.y < y < box.bottom for x, y in self.lines)


def _beside(box: Box, line: Sequence[Point]) -> Iterator[Box]:
    """Yield places at all sides of a line."""
    for x, y in line[:: len(line) // _PLACES + 1]:
        yield box._replace(x=x + _GAP, y=y - box.h / 2)
        yield box._replace(x=x - box.w - _GAP, y=y - box.h / 2)
        yield box._replace(x=x - box.w / 2, y=y - box.h - _GAP)
        yield box._replace(x=x - box.w / 2, y=y + _GAP)


def _far(a: Box, b: Box) -> float:
    return abs(a.x - b.x) + abs(a.y - b.y)


def _shared(a: Box, b: Box) -> float:
    """Return the area that two rectangles share."""
    across = min(a.right, b.right) - max(a.x, b.x)
    down = min(a.bottom, b.bottom) - max(a.y, b.y)
    return max(across, 0) * max(down, 0)
