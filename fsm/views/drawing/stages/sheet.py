"""What the stages have decided by the time lines are drawn, and the lanes at both sides of a stage
view.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.views.drawing.lanes import End, Lane, spread
from fsm.views.drawing.placed import Point, Rect
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.stages.across import Across
from fsm.views.drawing.stages.channels import Zone
from fsm.views.drawing.stages.grid import PAD, StageGrid
from fsm.views.drawing.stages.heights import Heights
from fsm.views.drawing.stages.routes import Routes, StageRoute

_OUTER = 12.0  # from a box to the one around it
_UNDER_DISC = 18.0  # from a disc to a lane that comes from below
_LANE_ROOM = 5.0  # between lanes that have no label, besides their pitch
_FROM_FOOT, _BORDER_PITCH = 9.0, 12.0  # where lines leave the side of a box, from its foot up


@dataclass(frozen=True, slots=True)
class StageSheet:
    """The results of the stages; `borders` are the areas of the boxes."""

    grid: StageGrid
    routes: Routes
    across: Across
    heights: Heights
    borders: Mapping[str, Rect]

    @property
    def left(self) -> float:
        """The left border of the outermost boxes."""
        return min((area.left for area in self.borders.values()), default=0.0)

    @property
    def right(self) -> float:
        """The right border of the outermost boxes."""
        return max((area.right for area in self.borders.values()), default=self.across.right)

    def y(self, id: str) -> float:
        """How far down the middle of a node is."""
        return self.heights.rows[self.grid.cells[id].row]

    def area(self, id: str) -> Rect:
        """Where a node is."""
        cell = self.grid.cells[id]
        return Rect.around(self.across.x[id], self.y(id), cell.width, cell.height)

    def track(self, zone: Zone, end: End) -> float:
        """How far down the track of a line is."""
        return self.heights.tracks[zone][end]

    def leaving(self, route: StageRoute) -> Point:
        """Where a line turns into its lane, or leaves its box."""
        id, source = route.line.id, route.line.source
        if route.gap1 is not None:
            return route.x1, self.track(("gap", route.gap1), (id, "start"))
        if source in self.grid.cells:
            return self.area(source).right, self.y(source)
        same = [
            id
            for id, r in self.routes.items()
            if (r.out, r.kind, r.box) == ("border", route.kind, route.box)
        ]
        return 0.0, self.heights.boxes[route.box][1] - _FROM_FOOT - _BORDER_PITCH * same.index(id)

    def arrival(self, route: StageRoute) -> float:
        """How far down a line leaves its lane."""
        target = route.line.target
        if route.into == "level":
            return self.y(target)
        if route.into == "under":
            return self.area(target).bottom + _UNDER_DISC
        return self.track(("gap", route.gap2), (route.line.id, "end"))


def sheet_of(grid: StageGrid, routes: Routes, across: Across, heights: Heights) -> StageSheet:
    """Put the results of the stages together; boxes within others are narrower."""
    around = {box.id: len(grid.diagram.around(box.id)) for box in grid.diagram.boxes}
    deepest = max(around.values(), default=1)
    borders: dict[str, Rect] = {}
    for box, (top, bottom) in heights.boxes.items():
        out = _OUTER * (deepest - around[box])
        borders[box] = Rect(-out, top, across.right + out, bottom)
    return StageSheet(grid, routes, across, heights, borders)


def lanes_of(sheet: StageSheet, slack: Slack) -> dict[str, float]:
    """Where the lanes right and left of the boxes run, by their lines."""
    right, left = (
        {
            id: Lane(
                sheet.leaving(r)[1],
                sheet.arrival(r),
                "left",
                "left",
                room=max(_LANE_ROOM, slack.room("beside lane", id)),
            )
            for id, r in sheet.routes.items()
            if r.kind == side
        }
        for side in ("right", "left")
    )
    rights, _ = spread(right, sheet.right + PAD)
    lefts, _ = spread(left, PAD - sheet.left)
    return rights | {id: -x for id, x in lefts.items()}
