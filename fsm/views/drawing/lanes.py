"""Lanes: who runs where in a channel between cards, so that lines nest and cross as little as possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import permutations
from typing import Literal

Side = Literal["left", "right"]
PITCH = 12.0
_MOST_TRIED = 6


@dataclass(slots=True)
class Lane:
    """A vertical stretch in a channel, from `y1` to `y2`; its ends go off to a side each.

    `keep_left` lanes stand left of all others: they end at a diamond on another lane.
    `room` is kept free beside the lane, for its label: on its right when both ends go left.
    """

    y1: float
    y2: float
    side1: Side
    side2: Side
    keep_left: bool = False
    room: float = 0.0
    x: float = 0.0

    @property
    def top(self) -> float:
        """The upper end."""
        return min(self.y1, self.y2)

    @property
    def bottom(self) -> float:
        """The lower end."""
        return max(self.y1, self.y2)

    def ends(self, side: Side) -> tuple[float, ...]:
        """Where it leaves the channel on that side."""
        return tuple(y for y, s in ((self.y1, self.side1), (self.y2, self.side2)) if s == side)


def _pair(a: Lane, b: Lane) -> float:
    """How often two lanes cross, `a` left of `b`; lines on top of each other count most."""
    rights, lefts = a.ends("right"), b.ends("left")
    total = sum(_within(y, b) for y in rights) + sum(_within(y, a) for y in lefts)
    total += sum(5.0 for y in rights for z in lefts if abs(y - z) < 4)
    return total + 50.0 * (b.keep_left and not a.keep_left)


def _within(y: float, lane: Lane) -> float:
    return 1.0 if lane.top - 3 < y < lane.bottom + 3 else 0.0


def in_order(lanes: Iterable[Lane]) -> list[Lane]:
    """The lanes from left to right, in the best order; beyond a handful, in the order of their ends."""
    lanes = list(lanes)
    if len(lanes) > _MOST_TRIED:
        return sorted(lanes, key=lambda lane: (not lane.keep_left, lane.bottom - lane.top))
    count = len(lanes)
    pairs = [[_pair(a, b) for b in lanes] for a in lanes]
    ends = [(len(lane.ends("left")), len(lane.ends("right")), lane.bottom - lane.top) for lane in lanes]

    def cost(order: tuple[int, ...]) -> float:
        total = sum(pairs[i][j] for n, i in enumerate(order) for j in order[n + 1 :])
        for n, i in enumerate(order):
            left, right, length = ends[i]
            total += (n * left + (count - n) * right) * 1e-3 + (0.0 if right else length * (count - n) * 1e-6)
        return total

    return [lanes[i] for i in min(permutations(range(count)), key=cost)]


def spread(lanes: Iterable[Lane], left: float) -> float:
    """Give each lane its x, from `left` on; returns where the last one and its label end (or `left`).

    Lanes one under the other share a place.
    """
    done: list[tuple[Lane, float]] = []
    for lane in in_order(lanes):
        start = max((end + PITCH for other, end in done if _beside(lane, other)), default=left)
        right = not lane.ends("right")
        lane.x = start + (0.0 if right else lane.room)
        done.append((lane, lane.x + (lane.room if right else 0.0)))
    return max((end for _, end in done), default=left)


def _beside(a: Lane, b: Lane) -> bool:
    return a.top < b.bottom + PITCH and b.top < a.bottom + PITCH
