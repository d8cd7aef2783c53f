"""Lanes: which line runs where in a channel between cards, so that lines nest and cross as little
as possible.

All pictures share this router. In a channel that runs down, a lane has a height at each end and
gets its place across; in a channel that runs across it is the other way round.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Literal, TypeAlias, TypeVar

Side = Literal["left", "right"]
Key = TypeVar("Key", bound=Hashable)
End: TypeAlias = tuple[str, Literal["start", "end"]]
"""An end of a line, by the line's id."""

PITCH = 12.0
_MOST_PERMUTED = 6
_END_CLEARANCE = 3.0  # an end this near to another lane counts as crossing it
_SAME_HEIGHT = 4.0  # ends nearer than this would be drawn on top of each other

# What an order of lanes costs. The small weights decide between orders with the same crossings.
_CROSSING, _OVERLAP, _MISPLACED = 1.0, 5.0, 50.0
_PER_PLACE, _PER_LENGTH = 1e-3, 1e-6


@dataclass(frozen=True, slots=True)
class Lane:
    """A stretch of a line in a channel, from `start` to `end`; at its ends the line goes off to a
    side each.

    `keep_left` lanes stand left of all others: they end at a diamond on another lane.
    `room` is kept free beside the lane, for its label: on its right when both ends go left.
    """

    start: float
    end: float
    side1: Side
    side2: Side
    keep_left: bool = False
    room: float = 0.0

    @property
    def low(self) -> float:
        """The smaller of the two ends."""
        return min(self.start, self.end)

    @property
    def high(self) -> float:
        """The larger of the two ends."""
        return max(self.start, self.end)

    @property
    def length(self) -> float:
        """From one end to the other."""
        return self.high - self.low

    def ends(self, side: Side) -> tuple[float, ...]:
        """Where it leaves the channel on that side."""
        return tuple(
            at for at, s in ((self.start, self.side1), (self.end, self.side2)) if s == side
        )


def spread(lanes: Mapping[Key, Lane], left: float) -> tuple[dict[Key, float], float]:
    """Give each lane its place, from `left` on; also returns where the last one and its label end
    (or `left`).

    Lanes that do not overlap can share a place.
    """
    places: dict[Key, float] = {}
    ends: dict[Key, float] = {}
    for key in _in_order(lanes):
        lane = lanes[key]
        start = max(
            (end + PITCH for other, end in ends.items() if _overlap(lane, lanes[other])),
            default=left,
        )
        label_right = not lane.ends("right")
        places[key] = start + (0.0 if label_right else lane.room)
        ends[key] = places[key] + (lane.room if label_right else 0.0)
    return places, max(ends.values(), default=left)


def _in_order(lanes: Mapping[Key, Lane]) -> list[Key]:
    """The lanes from left to right, in the best order; beyond a handful, in the order of their
    lengths.
    """
    keys, count = list(lanes), len(lanes)
    if count > _MOST_PERMUTED:
        return sorted(keys, key=lambda key: (not lanes[key].keep_left, lanes[key].length))
    found = list(lanes.values())
    pairs = [[_cost_of_pair(a, b) for b in found] for a in found]
    ends = [(len(lane.ends("left")), len(lane.ends("right")), lane.length) for lane in found]

    def cost(order: tuple[int, ...]) -> float:
        total = sum(pairs[i][j] for n, i in enumerate(order) for j in order[n + 1 :])
        for n, i in enumerate(order):
            left, right, length = ends[i]
            nesting = 0.0 if right else length * (count - n) * _PER_LENGTH
            total += (n * left + (count - n) * right) * _PER_PLACE + nesting
        return total

    return [keys[i] for i in min(permutations(range(count)), key=cost)]


def _cost_of_pair(a: Lane, b: Lane) -> float:
    """How often two lanes cross, `a` left of `b`; lines on top of each other count most."""
    rights, lefts = a.ends("right"), b.ends("left")
    total = sum(_crossing(at, b) for at in rights) + sum(_crossing(at, a) for at in lefts)
    total += sum(_OVERLAP for r in rights for left in lefts if abs(r - left) < _SAME_HEIGHT)
    return total + _MISPLACED * (b.keep_left and not a.keep_left)


def _crossing(at: float, lane: Lane) -> float:
    return _CROSSING if lane.low - _END_CLEARANCE < at < lane.high + _END_CLEARANCE else 0.0


def _overlap(a: Lane, b: Lane) -> bool:
    return a.low < b.high + PITCH and b.low < a.high + PITCH
