"""The fifth stage of the layout: which tracks there are over and under each row, and in the gaps
between rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, TypeAlias

from fsm.views.drawing.lanes import End, Lane, Side
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.stages.across import Across, right_of
from fsm.views.drawing.stages.grid import StageGrid
from fsm.views.drawing.stages.ports import FAR
from fsm.views.drawing.stages.routes import Routes, StageRoute

Zone: TypeAlias = tuple[Literal["over", "under", "gap"], int]
"""Where tracks run: over or under a row, or in the gap below it."""

_UP: Side = "right"
_DOWN: Side = "left"
_SIDES = {
    "arc": (_UP, _UP),
    "dip": (_DOWN, _DOWN),
    "drop": (_DOWN, _UP),
}  # where the ends of a track go off
_PAST_SOURCE = 10.0  # a line that leaves at the side goes so far before it turns down
_STRAIGHT = 1.0  # places nearer to each other are the same


def tracks_of(
    grid: StageGrid, routes: Routes, across: Across, slack: Slack, inside: bool
) -> dict[Zone, dict[End, Lane]]:
    """The tracks of each zone. `inside`: the labels of lines by lanes stand at their tracks, not at
    their lanes.
    """
    found: dict[Zone, dict[End, Lane]] = {}
    for id, route in routes.items():
        for zone, end, lane in _tracks(grid, route, across, slack.room("track", id), inside):
            found.setdefault(zone, {})[end] = lane
    return found


def _tracks(
    grid: StageGrid, route: StageRoute, across: Across, room: float, inside: bool
) -> Iterator[tuple[Zone, End, Lane]]:
    start: End = (route.line.id, "start")
    end: End = (route.line.id, "end")
    x1, x2 = route.x1, route.x2
    if route.kind in _SIDES and not (route.kind == "drop" and is_direct(grid, route, across.x)):
        yield zone_of(grid, route), start, Lane(x1, x2, *_SIDES[route.kind], room=room)
    elif route.kind in ("right", "left"):
        down = route.kind == "right"
        far = FAR if down else -FAR
        if route.gap1 is not None:
            yield (
                ("gap", route.gap1),
                start,
                Lane(x1, far, "left", "right" if down else "left", room=room),
            )
        if route.into not in ("level", "under"):
            room = room if inside and route.gap1 is None else 0.0
            yield (
                ("gap", route.gap2),
                end,
                Lane(far, x2, "left" if down else "right", "right", room=room),
            )


def zone_of(grid: StageGrid, route: StageRoute) -> Zone:
    """Where the track of a line that has only one is."""
    if route.kind == "drop":
        return "gap", route.gap2
    return "over" if route.kind == "arc" else "under", grid.cells[route.line.source].row


def is_direct(grid: StageGrid, route: StageRoute, x: Mapping[str, float]) -> bool:
    """Does a line come down without a track: straight, or beside its source onto its target?"""
    if route.into == "level":
        return True
    if route.out == "right":
        return route.x2 > right_of(grid.cells[route.line.source], x) + _PAST_SOURCE
    return abs(route.x1 - route.x2) < _STRAIGHT
