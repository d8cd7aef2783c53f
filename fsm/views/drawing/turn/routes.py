"""The second stage of the layout: which way each line takes, whether straight down, by a lane, or
as a stub.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from fsm.views.drawing.diagram import Line
from fsm.views.drawing.lanes import Side
from fsm.views.drawing.turn.frame import frame_of
from fsm.views.drawing.turn.grid import Grid, TurnNode

Kind = Literal[
    "straight",  # down to the next node
    "loop below",  # from a card back to itself, under it
    "lane",  # by a lane beside the cards of a column, or in a gutter
    "into gutter",  # the line that the diamond in a gutter stands on
    "beside gutter",  # another line to that diamond
    "out of gutter",  # from that diamond to the next column
    "gutter to margin",  # from the diamond behind the last column to an end
    "margin",  # from the last column to an end
    "join",  # past the last cards of a box, onto the line out of it
    "border",  # from the border of a box, by a lane
    "border below",  # from the lower border of a box up to its last card
    "hub",
    "connector",  # a stub with the name of where it leads
    "border connector",  # the same from the border of a box
    "word",  # from words in the margin to the last column
    "row",  # from words in a row below the last column
]
Channel: TypeAlias = tuple[Literal["left", "right", "gutter"], int]
"""Where lanes run: left or right of the cards of a column, or in the gutter left of that column."""


@dataclass(frozen=True, slots=True)
class TurnRoute:
    """The way of a line. `side1` and `side2` say where the ends of its lane go off."""

    line: Line
    kind: Kind
    channel: Channel | None = None
    side1: Side = "right"
    side2: Side = "right"

    def runs(self, place: Literal["left", "right", "gutter"]) -> bool:
        """Does its lane run there?"""
        return self.channel is not None and self.channel[0] == place


Routes: TypeAlias = Mapping[str, TurnRoute]
"""The routes by the ids of their lines, in the order of the diagram."""


def routes_of(grid: Grid) -> dict[str, TurnRoute]:
    """Decide on a way for each line."""
    found: dict[str, TurnRoute] = {}
    for line in grid.diagram.lines:
        found[line.id] = _route(grid, line, found)
    return found


def into_gutter(routes: Routes, node: str) -> TurnRoute | None:
    """The line that a diamond in a gutter stands on."""
    return next(
        (r for r in routes.values() if r.kind == "into gutter" and r.line.target == node), None
    )


def out_of_gutter(routes: Routes, node: str) -> TurnRoute | None:
    """The line from a diamond in a gutter to the next column."""
    return next(
        (r for r in routes.values() if r.kind == "out of gutter" and r.line.source == node), None
    )


def _route(grid: Grid, line: Line, known: Routes) -> TurnRoute:
    """The way of a line, given those of the lines before it."""
    source, target = grid.nodes.get(line.source), grid.nodes.get(line.target)
    if source is None:
        return _from_outside(grid, line, target, known)
    if line.source == line.target:
        return _to_itself(grid, line, source, known)
    if target is None:
        return _to_outside(grid, line, source)
    gutter = grid.gutters.get(source.column)
    if line.target == gutter:
        kind: Kind = "into gutter" if _line_into(grid, gutter) is line else "beside gutter"
        return TurnRoute(line, kind, ("gutter", source.column + 1), "left", "right")
    if line.source == gutter and _line_out_of(grid, gutter) is line:
        return TurnRoute(line, "out of gutter", ("gutter", source.column + 1), "left", "right")
    if line.source == gutter or grid.in_gutter(line.target):
        return TurnRoute(line, "connector")
    if grid.consecutive(line.source, line.target):
        return TurnRoute(line, "straight")
    if target.column == source.column:
        return _within_column(grid, line, source, target)
    if target.column == source.column + 1:
        return TurnRoute(line, "lane", ("gutter", target.column), "left", "right")
    return TurnRoute(line, "connector")


def _to_itself(grid: Grid, line: Line, source: TurnNode, known: Routes) -> TurnRoute:
    lowest = (
        list(grid.order[source.column][-1:]) == [line.source]
        or source.unit.nodes[-1].id == line.source
    )
    looped = any(r.kind == "loop below" and r.line.source == line.source for r in known.values())
    if (
        (lowest or grid.last_in_box(source))
        and not looped
        and not grid.goes_down_in_box(line.source)
    ):
        return TurnRoute(line, "loop below")
    return TurnRoute(line, "lane", ("right", source.column))


def _line_into(grid: Grid, gutter: str) -> Line | None:
    """The line that a diamond in a gutter stands on: a core one, from as far down as can be."""
    ids = grid.order[grid.nodes[gutter].column]
    into = [line for line in grid.diagram.lines if line.target == gutter and line.source in ids]
    return max(into, key=lambda line: (line.layer == "core", ids.index(line.source)), default=None)


def _line_out_of(grid: Grid, gutter: str) -> Line | None:
    """The line out of a diamond in a gutter that reaches the column right of it: the core one, if
    there is one.
    """
    right = grid.nodes[gutter].column + 1
    near = [
        line
        for line in grid.diagram.lines
        if line.source == gutter and line.target in grid.nodes and not grid.in_gutter(line.target)
        if grid.nodes[line.target].column == right
    ]
    return min(near, key=lambda line: line.layer != "core", default=None)


def _within_column(grid: Grid, line: Line, source: TurnNode, target: TurnNode) -> TurnRoute:
    column = source.column
    on_spine = not source.beside and not target.beside
    if (
        line.layer != "core"
        and not source.beside
        and target.node in source.unit.after[:1]
        and source.unit.box
    ):
        return TurnRoute(line, "join", ("right", column), "left", "left")
    same_box = source.unit is target.unit and source.unit.box is not None and on_spine
    if same_box and line.layer == "core":
        return TurnRoute(line, "lane", ("left", column), "right", "right")
    if same_box or _passes_by(grid, line, source, target):
        return TurnRoute(line, "lane", ("right", column), "left", "left")
    return TurnRoute(line, "lane", ("gutter", column + 1), "left", "left")


def _passes_by(grid: Grid, line: Line, source: TurnNode, target: TurnNode) -> bool:
    """Does it go on to what follows its box, past what else stands in there?"""
    if line.layer != "core" or source.beside:
        return False
    units = grid.columns[source.column]
    return (
        target.node in source.unit.after or target.unit in units[units.index(source.unit) + 1 :][:1]
    )


def _to_outside(grid: Grid, line: Line, source: TurnNode) -> TurnRoute:
    if source.column == grid.last and grid.diagram.is_final(line.target):
        if line.source == grid.gutters.get(grid.last):
            return TurnRoute(line, "gutter to margin")
        if source.node.kind != "start" and not source.beside:
            return TurnRoute(line, "margin", ("gutter", grid.last + 1), "left", "right")
    target = grid.diagram.node(line.target)
    return TurnRoute(line, "hub" if target and target.kind == "hub" else "connector")


def _from_outside(grid: Grid, line: Line, target: TurnNode | None, known: Routes) -> TurnRoute:
    """A line from a box, from the sample before a hub, or from any step."""
    if line.source in grid.box_columns:
        return _from_border(grid, line, target)
    if grid.diagram.node(line.source) is not None:
        return TurnRoute(line, "hub")
    if frame_of(grid.diagram):
        return TurnRoute(line, "row")
    near = target is not None and target.column == grid.last and not grid.in_gutter(line.target)
    if near and not any(r.kind == "word" for r in known.values()):
        return TurnRoute(line, "word", ("gutter", grid.last + 1), "left", "right")
    return TurnRoute(line, "row")


def _from_border(grid: Grid, line: Line, target: TurnNode | None) -> TurnRoute:
    if target is None:
        return TurnRoute(line, "border connector")
    box, column = line.source, grid.box_columns[line.source]
    if grid.gutters.get(column) == line.target:
        return TurnRoute(line, "border", ("gutter", column + 1), "left", "right")
    own_card = target.node.kind == "card" and target.node.box == box
    if own_card and grid.last_in_box(target) and not grid.goes_down(line.target):
        return TurnRoute(line, "border below")
    if target.column == column and grid.depth(box) and not target.beside:
        return TurnRoute(line, "border", ("right", column), "left", "left")
    if target.column == column:
        return TurnRoute(line, "border", ("gutter", column + 1), "left", "left")
    if target.column == column + 1 and not grid.in_gutter(line.target):
        return TurnRoute(line, "border", ("gutter", column + 1), "left", "right")
    return TurnRoute(line, "border connector")
