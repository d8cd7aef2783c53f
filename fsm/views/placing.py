"""Places the labels of lines: beside their own line, where they cover nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from fsm.views.svg import Box

_GAPS = (5.0, 18.0, 32.0)
"""How far from its line a label stands, in pixels, and where it has no room there."""
_NEAR = 24.0
_STEP = 8.0
_PLACES = 24


def points_of(curve: Sequence[complex]) -> list[complex]:
    """Return points along curves, which are given by their ends and by two points between them."""
    points = [curve[0]]
    for i in range(0, len(curve) - 3, 3):
        a, b, c, d = curve[i : i + 4]
        parts = 2 + int(abs(a - d) / _STEP)
        for part in range(1, parts + 1):
            t = part / parts
            u = 1 - t
            points.append(u**3 * a + 3 * t * u**2 * b + 3 * t**2 * u * c + t**3 * d)
    return points


@dataclass(slots=True)
class Surroundings:
    """What there is already: the whole picture, what no label may cover, and points of lines and
    borders, of which it should cover few.
    """

    whole: Box
    taken: list[Box] = field(default_factory=list)
    lines: list[complex] = field(default_factory=list)

    def add_border(self, box: Box) -> None:
        """Add the border of a frame."""
        start = complex(box.x, box.y)
        right = start + box.w
        down = start + 1j * box.h
        for a, b in pairwise([start, right, right + 1j * box.h, down, start]):
            self.lines += points_of([a, a, b, b])

    def place(self, wanted: Box, line: Sequence[complex]) -> Box:
        """Return where a label stands: as wanted if that is beside its line and free, else where it
        covers least. The place is taken then.
        """
        covered: dict[Box, float] = {}
        for gap in _GAPS:
            boxes = sorted(_beside(wanted, line, gap), key=lambda box: _far(box, wanted))
            if not covered and _far(boxes[0], wanted) <= _NEAR:
                boxes.insert(0, wanted)
            covered |= {box: self._covered(box) for box in boxes}
            if not all(covered.values()):
                break
        least = min(covered.values())
        best = [box for box in covered if covered[box] == least]
        box = min(best, key=self._crossed)
        self.taken.append(box)
        return box

    def _covered(self, box: Box) -> float:
        """How much a label would cover, or stand outside of the picture. 0 is best."""
        outside = box.w * box.h - _shared(box, self.whole)
        return sum(_shared(box, other) for other in self.taken) + 9 * outside

    def _crossed(self, box: Box) -> int:
        """How much of lines and borders a label would cover. 0 is best."""
        crossed = 0
        for at in self.lines:
            crossed += box.x < at.real < box.right and box.y < at.imag < box.bottom
        return crossed


def _beside(box: Box, line: Sequence[complex], gap: float) -> Iterator[Box]:
    """Yield places at all sides of a line."""
    w = box.w
    h = box.h
    for at in line[:: len(line) // _PLACES + 1]:
        x = at.real
        y = at.imag
        yield Box(x + gap, y - h / 2, w, h)
        yield Box(x - w - gap, y - h / 2, w, h)
        yield Box(x - w / 2, y - h - gap, w, h)
        yield Box(x - w / 2, y + gap, w, h)


def _far(a: Box, b: Box) -> float:
    return abs(a.x - b.x) + abs(a.y - b.y)


def _shared(a: Box, b: Box) -> float:
    """Return the area that two rectangles share."""
    across = min(a.right, b.right) - max(a.x, b.x)
    down = min(a.bottom, b.bottom) - max(a.y, b.y)
    return max(across, 0) * max(down, 0)
