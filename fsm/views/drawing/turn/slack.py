"""Room that is added to the layout of a turn after a try in which a label found none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_WIDEST = 160.0


@dataclass(frozen=True, slots=True)
class Slack:
    """Room added so far, in points.

    `below` and `above` are heights, by the node above or below which the room is. `beside_lane` and `gutter` are
    widths, by the line of the lane and by the number of the gutter.
    """

    below: Mapping[str, float] = field(default_factory=dict)
    above: Mapping[str, float] = field(default_factory=dict)
    beside_lane: Mapping[str, float] = field(default_factory=dict)
    gutter: Mapping[int, float] = field(default_factory=dict)

    def widened(self, gutter: int, by: float) -> Slack:
        """With more room in a gutter, but not without end."""
        width = min(_WIDEST, self.gutter.get(gutter, 0.0) + by)
        return replace(self, gutter={**self.gutter, gutter: width})

    def lowered(self, id: str, by: float) -> Slack:
        """With more room below a node."""
        return replace(self, below={**self.below, id: self.below.get(id, 0.0) + by})

    def raised(self, id: str, height: float) -> Slack:
        """With room of this height above a node."""
        return replace(self, above={**self.above, id: height})

    def beside(self, line: str, width: float) -> Slack:
        """With room of this width beside the lane of a line."""
        return replace(self, beside_lane={**self.beside_lane, line: width})
