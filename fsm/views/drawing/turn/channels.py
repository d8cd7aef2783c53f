"""The fifth stage of the layout: which lanes there are in each channel of a turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from fsm.views.drawing.lanes import End, Lane
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.turn.grid import Grid
from fsm.views.drawing.turn.heights import JOIN_RISE, Heights
from fsm.views.drawing.turn.ports import Ports
from fsm.views.drawing.turn.routes import Channel, Routes, TurnRoute, into_gutter, out_of_gutter

NO_LINE = ""
"""The key of the lane of a diamond in a gutter that no line leads to."""
_LOOP_CORNER = 7.0
_WORD_LENGTH = 40.0

# A line leaves the border of a box near its middle, apart from all other lines.
_BELOW_MIDDLE, _FROM_CORNER, _BORDER_STEP, _BORDER_APART = 20.0, 16.0, 6.0, 9.0

DeepChannel: TypeAlias = tuple[Channel, int]
"""A channel and how many boxes are around it; a gutter is always outside all boxes."""


@dataclass(frozen=True, slots=True)
class Channels:
    """The lanes of each channel, by line, and the heights of the ends of all lines."""

    lanes: Mapping[DeepChannel, Mapping[str, Lane]]
    heights: Mapping[End, float]


def channels_of(
    grid: Grid, routes: Routes, heights: Heights, ports: Ports, slack: Slack
) -> Channels:
    """Make the lanes, from left to right; lines from the border of a box get their height with
    their lane.
    """
    found: dict[DeepChannel, dict[str, Lane]] = {}
    ends = dict(ports.heights)
    for channel, depth in _all_channels(grid):
        lanes = found[channel, depth] = {}
        for id, route in routes.items():
            if route.channel == channel and _has_lane(grid, route) and _depth(grid, route) == depth:
                ends |= _own_heights(grid, heights, route, ends)
                lanes[id] = _lane(routes, route, ports, ends, slack.room("beside lane", id))
        if channel[0] == "gutter":
            lanes |= _lane_without_line(grid, routes, ports, ends, channel[1])
    return Channels(found, ends)


def _all_channels(grid: Grid) -> Iterator[DeepChannel]:
    for c in range(len(grid.columns)):
        yield ("gutter", c), 0
        for depth in reversed(range(depth_of_column(grid, c) + 1)):
            yield ("left", c), depth
            yield ("right", c), depth
    yield ("gutter", len(grid.columns)), 0


def depth_of_column(grid: Grid, column: int) -> int:
    """How many boxes are around the innermost box of a column."""
    return max((grid.depth(box.id) for box in grid.boxes_in(column)), default=0)


def _has_lane(grid: Grid, route: TurnRoute) -> bool:
    to_gutter = route.kind == "border" and grid.in_gutter(route.line.target)
    return route.kind not in ("out of gutter", "margin") and not to_gutter


def _depth(grid: Grid, route: TurnRoute) -> int:
    """How deep in boxes a lane runs: in the innermost one around both its ends; a gutter is outside
    all of them.
    """
    if route.runs("gutter"):
        return 0
    source, target = grid.nodes.get(route.line.source), grid.nodes.get(route.line.target)
    boxes = {box.id: box for box in grid.diagram.boxes}
    start = source.node.box if source else boxes[route.line.source].inside
    return grid.common_depth(start, target.node.box if target else "")


def _own_heights(
    grid: Grid, heights: Heights, route: TurnRoute, ends: Mapping[End, float]
) -> dict[End, float]:
    """The heights of ends that do not stand at the ports of a node."""
    id, source = route.line.id, route.line.source
    if route.kind == "border":
        return {(id, "start"): _height_on_border(heights.boxes[source], ends, id)}
    if route.kind == "join":
        return {(id, "end"): heights.boxes[grid.nodes[source].node.box][1] - JOIN_RISE}
    if source == route.line.target:
        y, half = heights.nodes[source], grid.nodes[source].height / 2
        return {(id, "start"): y + half - _LOOP_CORNER, (id, "end"): y - half + _LOOP_CORNER}
    return {}


def _lane(
    routes: Routes, route: TurnRoute, ports: Ports, ends: Mapping[End, float], room: float
) -> Lane:
    line = route.line
    start, end = (ends.get((line.id, which), 0.0) for which in ("start", "end"))
    if route.kind == "into gutter":
        out = out_of_gutter(routes, line.target)
        return Lane(start, ends[out.line.id, "end"] if out else start, "left", "right", room=room)
    if route.kind == "beside gutter":
        return Lane(start, ports.gutters[line.target], "left", "right", keep_left=True, room=room)
    if route.kind == "word":
        return Lane(end, end + _WORD_LENGTH, "left", "right", room=room)
    return Lane(start, end, route.side1, route.side2, room=room)


def _lane_without_line(
    grid: Grid, routes: Routes, ports: Ports, ends: Mapping[End, float], gutter: int
) -> dict[str, Lane]:
    """A diamond in a gutter that no line leads to still needs its place."""
    node = grid.gutters.get(gutter - 1)
    if node is None or into_gutter(routes, node):
        return {}
    out, y = out_of_gutter(routes, node), ports.gutters.get(node, 0.0)
    return {NO_LINE: Lane(y, ends[out.line.id, "end"] if out else y, "right", "right")}


def _height_on_border(box: tuple[float, float], ends: Mapping[End, float], line: str) -> float:
    """Where a line leaves the border of a box."""
    top, bottom = box
    taken = [y for (id, _), y in ends.items() if id != line]
    ideal = (top + bottom) / 2 + _BELOW_MIDDLE
    count = int(max(1, (bottom - top - 2 * _FROM_CORNER) / _BORDER_STEP))
    tries = sorted(
        (top + _FROM_CORNER + i * _BORDER_STEP for i in range(count)), key=lambda y: abs(y - ideal)
    )
    return next((y for y in tries if all(abs(y - other) > _BORDER_APART for other in taken)), ideal)
