"""Lanes: who runs where in a channel between cards, so that lines nest and cross as little as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


def crossings(ordered: Sequence[Lane]) -> float:
    """How often these lanes cross, from left to right; lines on top of each other count most."""
    total = 0.0
    for i, a in enumerate(ordered):
        for b in ordered[i + 1 :]:
            total += sum(_within(y, b) for y in a.ends("right")) + sum(_within(y, a) for y in b.ends("left"))
            total += sum(5.0 for y in a.ends("right") for z in b.ends("left") if abs(y - z) < 4)
            total += 50.0 * (b.keep_left and not a.keep_left)
    reach = sum(
        i * len(lane.ends("left")) + (len(ordered) - i) * len(lane.ends("right")) for i, lane in enumerate(ordered)
    )
    length = sum(
        (lane.bottom - lane.top) * (len(ordered) - i) for i, lane in enumerate(ordered) if not lane.ends("right")
    )
    return total + reach * 1e-3 + length * 1e-6


def _within(y: float, lane: Lane) -> float:
    return 1.0 if lane.top - 3 < y < lane.bottom + 3 else 0.0


def in_order(lanes: Iterable[Lane]) -> list[Lane]:
    """The lanes from left to right, in the best order; beyond a handful, in the order of their ends."""
    lanes = list(lanes)
    if len(lanes) > _MOST_TRIED:
        return sorted(lanes, key=lambda lane: (not lane.keep_left, lane.bottom - lane.top))
    return min(map(list, permutations(lanes)), key=crossings)


def spread(lanes: Iterable[Lane], left: float) -> float:
    """Give each lane its x, from `left` on; returns where the last one and its label end (or `left`)."""
    x, after = left, 0.0
    for i, lane in enumerate(in_order(lanes)):
        right = not lane.ends("right")
        x += (PITCH if i else 0.0) + after + (0.0 if right else lane.room)
        after = lane.room if right else 0.0
        lane.x = x
    return x + after
