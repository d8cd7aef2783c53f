"""The sixth stage of the layout: how far right everything stands. Lanes get their places, columns
their widths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fsm.views.drawing.lanes import Lane, spread
from fsm.views.drawing.measures import BOX_NAME_LEFT
from fsm.views.drawing.placed import text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import label_words, title_text
from fsm.views.drawing.turn.channels import NO_LINE, Channels, depth_of_column
from fsm.views.drawing.turn.grid import Grid
from fsm.views.drawing.turn.heights import Heights
from fsm.views.drawing.turn.routes import Routes, into_gutter

# Gutters between columns.
_GUTTER_PAD, _FIRST_GUTTER_END, _GUTTER_END, _LAST_GUTTER_END = 13.0, 13.0, 15.0, 8.0
_GUTTER_WIDTH = 40.0  # at the least

# From the cards of a column to the borders of its boxes.
_BORDER_PAD = 10.0
_LEFT_LANE, _LEFT_LANE_END = 10.0, 12.0
_RIGHT_LANE, _RIGHT_LANE_END = 12.0, 10.0
_FIRST_RIGHT_LANE = 14.0
_LABEL_LEFT, _LABEL_RIGHT = 7.0, 8.0  # beside a label on a line straight down

# The line that runs down beside the names of boxes.
_BESIDE_SPINE, _AFTER_BOX_NAME, _BEFORE_CARD_EDGE = 30.0, 9.0, 12.0
_BOX_NAME_RIGHT = 10.0


@dataclass(frozen=True, slots=True)
class Column:
    """The places of one column: its left and right end, the middle of its cards, and the line
    beside box names.

    `borders` are the left and right borders of its boxes, by how many boxes are around them.
    """

    left: float
    right: float
    spine: float
    beside: float
    borders: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Across:
    """The middle of each node, the place of each lane by its line, the columns, and where the last
    gutter ends.
    """

    nodes: Mapping[str, float]
    lanes: Mapping[str, float]
    columns: Sequence[Column]
    end: float


def across_of(
    grid: Grid, routes: Routes, heights: Heights, channels: Channels, slack: Slack
) -> Across:
    """Place gutters and columns from left to right."""
    x = 0.0
    nodes: dict[str, float] = {}
    lanes: dict[str, float] = {}
    columns: list[Column] = []
    for c in range(len(grid.columns) + 1):
        x, places, diamond = _gutter(grid, routes, channels, slack, c, x)
        lanes |= places
        nodes |= diamond
        if c < len(grid.columns):
            column, places = _column(grid, routes, heights, channels, c, x)
            lanes |= places
            columns.append(column)
            x = column.right
    for id, item in grid.nodes.items():
        if not grid.in_gutter(id):
            nodes[id] = columns[item.column].beside if item.beside else columns[item.column].spine
    return Across(nodes, lanes, columns, x)


def _gutter(
    grid: Grid, routes: Routes, channels: Channels, slack: Slack, c: int, left: float
) -> tuple[float, dict[str, float], dict[str, float]]:
    """Where the gutter left of a column ends, with its lanes and its diamond; the last one is right
    of all columns.
    """
    lanes, more = channels.lanes[("gutter", c), 0], slack.room("gutter", c)
    places, end = spread(lanes, left + _GUTTER_PAD + more) if lanes else ({}, left)
    diamond: dict[str, float] = {}
    if node := grid.gutters.get(c - 1):
        into = into_gutter(routes, node)
        diamond[node] = places.get(into.line.id if into else NO_LINE, left + _GUTTER_PAD)
    if c == 0:
        end += _FIRST_GUTTER_END if lanes else 0.0
    elif c > grid.last:
        end += _LAST_GUTTER_END if lanes else 0.0
    else:
        end = max(end + _GUTTER_END, left + _GUTTER_WIDTH + more)
    return end, places, diamond


def _column(
    grid: Grid, routes: Routes, heights: Heights, channels: Channels, c: int, left: float
) -> tuple[Column, dict[str, float]]:
    """A column and its lanes."""
    reach, lefts, rights = _reach(grid, routes, heights, channels, c)
    card_left = left + reach[0][0]
    card_right = card_left + grid.widths[c]
    borders = [(card_left - before, card_right + after) for before, after in reach]
    lanes = {id: card_left - x for id, x in lefts.items()} | {
        id: x + card_right for id, x in rights.items()
    }
    boxes = [box for box in grid.boxes_in(c) if not grid.filled(box.id)]
    name_ends = [
        borders[grid.depth(b.id)][0] + BOX_NAME_LEFT + text_size(title_text(b))[0] for b in boxes
    ]
    right = max([borders[0][1], *(end + _BOX_NAME_RIGHT for end in name_ends)])
    spine = (card_left + card_right) / 2
    free = max((end + _AFTER_BOX_NAME for end in name_ends), default=0.0)
    looped = any(
        r.kind == "loop below" and grid.column_of(r.line.source) == c for r in routes.values()
    )
    beside = spine
    if boxes or looped:
        beside = min(max(spine + _BESIDE_SPINE, free), card_right - _BEFORE_CARD_EDGE)
    return Column(left, right, spine, beside, borders), lanes


def _reach(
    grid: Grid, routes: Routes, heights: Heights, channels: Channels, c: int
) -> tuple[list[tuple[float, float]], dict[str, float], dict[str, float]]:
    """How far the borders at each depth stand left and right of the cards, and the lanes in
    between.
    """
    pad = _BORDER_PAD if any(not grid.filled(box.id) for box in grid.boxes_in(c)) else 0.0
    left = right = 0.0
    reach: list[tuple[float, float]] = []
    left_places: dict[str, float] = {}
    right_places: dict[str, float] = {}
    for depth in reversed(range(depth_of_column(grid, c) + 1)):
        lefts, rights = channels.lanes[("left", c), depth], channels.lanes[("right", c), depth]
        places, end = spread(lefts, left + _LEFT_LANE)
        left_places |= places
        left = max(left + pad, end + _LEFT_LANE_END if lefts else 0.0)
        clear = _clear_of_labels(grid, routes, heights, c, rights)
        places, end = spread(rights, max(right + _RIGHT_LANE, clear))
        right_places |= places
        right = max(right + pad, end + _RIGHT_LANE_END if rights else 0.0)
        reach.insert(0, (left, right))
    return reach, left_places, right_places


def _clear_of_labels(
    grid: Grid, routes: Routes, heights: Heights, c: int, lanes: Mapping[str, Lane]
) -> float:
    """How far right of the cards the first lane runs, to miss the labels between the cards."""
    needed = _FIRST_RIGHT_LANE
    for route in routes.values():
        line = route.line
        if route.kind == "straight" and line.words and grid.nodes[line.source].column == c:
            top, bottom = heights.nodes[line.source], heights.nodes[line.target]
            if any(lane.low < bottom and lane.high > top for lane in lanes.values()):
                label = _LABEL_LEFT + text_size(label_words(line))[0] + _LABEL_RIGHT
                needed = max(needed, label - grid.widths[c] / 2)
    return needed
