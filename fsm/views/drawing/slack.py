"""Room that is added to a layout after an attempt in which a text found none, and the attempts
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from fsm.views.drawing.placed import Placed

Where = Literal[
    "below",
    "above",
    "beside lane",
    "gutter",
    "track",
    "gap",
    "before end",
    "right",
    "note",
    "between",
]
"""Below or above a node, beside the lane of a line, in a gutter between columns, at the track of a
line, in the gap below a row, left of an end, at the right border, what a note of a box is narrower,
and between two neighbours."""


@dataclass(frozen=True, slots=True)
class Slack:
    """Room added so far, in points, by where it is and the id or number of what it is for."""

    rooms: Mapping[tuple[Where, str | int], float] = field(default_factory=dict)

    def room(self, where: Where, key: str | int = "") -> float:
        """The room added there."""
        return self.rooms.get((where, key), 0.0)

    def has(self, where: Where, key: str | int) -> bool:
        """Was any room asked for there?"""
        return (where, key) in self.rooms

    def with_room(self, where: Where, key: str | int, room: float) -> Slack:
        """With so much room there instead."""
        return Slack({**self.rooms, (where, key): room})

    def more(self, where: Where, key: str | int, by: float) -> Slack:
        """With so much more room there."""
        return self.with_room(where, key, self.room(where, key) + by)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A layout, how many texts found no good place in it, and the room that the next attempt should
    have.
    """

    placed: Placed
    missing: int
    slack: Slack


def attempts(place: Callable[[Slack], Attempt], slack: Slack, most: int) -> list[Attempt]:
    """Place it, give room where a text found none, and try again, until one is complete: that is
    the last one then.
    """
    found = [place(slack)]
    while found[-1].missing and len(found) < most:
        found.append(place(found[-1].slack))
    return found
