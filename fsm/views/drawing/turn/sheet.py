"""What the stages have decided by the time lines are drawn: where every node, box and lane of a
turn stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.views.drawing.diagram import Node
from fsm.views.drawing.lanes import Side
from fsm.views.drawing.placed import Rect
from fsm.views.drawing.turn.across import Across, Column
from fsm.views.drawing.turn.channels import Channels
from fsm.views.drawing.turn.grid import Grid, TurnNode
from fsm.views.drawing.turn.heights import Heights
from fsm.views.drawing.turn.ports import Ports
from fsm.views.drawing.turn.routes import Routes


@dataclass(frozen=True, slots=True)
class StandingNode:
    """A node with its middle."""

    item: TurnNode
    x: float
    y: float

    @property
    def node(self) -> Node:
        """The node of the diagram."""
        return self.item.node

    @property
    def area(self) -> Rect:
        """Where it is."""
        return Rect.around(self.x, self.y, self.item.width, self.item.height)

    def edge(self, side: Side) -> float:
        """The x of its left or right side."""
        return self.x + (self.item.width / 2 if side == "right" else -self.item.width / 2)


@dataclass(frozen=True, slots=True)
class TurnSheet:
    """The results of the stages, and the nodes where they stand."""

    grid: Grid
    routes: Routes
    heights: Heights
    channels: Channels
    across: Across
    nodes: Mapping[str, StandingNode]

    def start(self, line: str) -> float:
        """How high a line starts."""
        return self.channels.heights.get((line, "start"), 0.0)

    def end(self, line: str) -> float:
        """How high a line ends."""
        return self.channels.heights.get((line, "end"), 0.0)

    def lane(self, line: str) -> float | None:
        """Where the lane of a line runs, if it has one."""
        return self.across.lanes.get(line)

    def column_of(self, id: str) -> Column:
        """The column of a node or box."""
        return self.across.columns[self.grid.column_of(id)]

    def box_area(self, box: str) -> Rect:
        """Where a box is."""
        left, right = self.across.columns[self.grid.box_columns[box]].borders[self.grid.depth(box)]
        if not self.grid.depth(box):
            left, right = self.column_of(box).left, self.column_of(box).right
        top, bottom = self.heights.boxes[box]
        if self.grid.filled(box):
            return next(
                node.area
                for node in self.nodes.values()
                if node.node.fills and node.node.box == box
            )
        return Rect(left, top, right, bottom)


def sheet_of(
    grid: Grid, routes: Routes, heights: Heights, ports: Ports, channels: Channels, across: Across
) -> TurnSheet:
    """Put the results of the stages together."""
    ys = {**heights.nodes, **ports.gutters}
    nodes = {id: StandingNode(item, across.nodes[id], ys[id]) for id, item in grid.nodes.items()}
    return TurnSheet(grid, routes, heights, channels, across, nodes)
