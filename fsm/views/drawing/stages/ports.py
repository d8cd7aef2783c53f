"""The fourth stage of the layout: where on the sides of cells lines leave and arrive, across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fsm.views.drawing.stages.across import BESIDE_SMALL, Across
from fsm.views.drawing.stages.grid import StageCell, StageGrid
from fsm.views.drawing.stages.routes import Port, Routes, StageRoute

FAR = 10_000.0  # where the end of a lane at the side is, for what is nearer
_BORDER_PITCH = 26.0  # between lines from the lower border of a box
_PITCH, _CORNER = 34.0, 12.0  # between lines at a stage, and from its corner
_BESIDE_DISC, _BESIDE_PITCH = 4.0, 14.0  # from a disc to the lines that come down beside it
_ON_SLOPE = 6.0  # from the upper corner of a diamond to a second line from above
_APART = 3 * BESIDE_SMALL  # a line must come from further off to arrive level with a disc
_MANY = 2  # where more lines than that end, one comes from below

End = tuple[StageRoute, bool]
"""A line at a side of a cell, and whether it leaves there."""


def ports_of(grid: StageGrid, routes: Routes, across: Across) -> dict[str, StageRoute]:
    """The routes with their ends at the cells decided."""
    found = dict(routes)
    leaving: dict[str, int] = {}
    for id, route in routes.items():
        if route.out == "border" and route.kind == "drop":
            leaving[route.box] = leaving.get(route.box, 0) + 1
            right = across.right if route.box else 0.0
            found[id] = replace(route, x1=right - _BORDER_PITCH * leaving[route.box])
    for cell in grid.cells.values():
        found |= _spread(grid, found, across.x, cell, "top")
        found |= _spread(grid, found, across.x, cell, "bottom")
    return found


def _spread(
    grid: StageGrid, routes: Routes, x: Mapping[str, float], cell: StageCell, port: Port
) -> dict[str, StageRoute]:
    """The lines at one side of a cell, from left to right; the straightest ordinary one in the
    middle.
    """
    id, middle = cell.node.id, x[cell.node.id]
    here = [(r, True) for r in routes.values() if r.line.source == id and r.out == port]
    here += [(r, False) for r in routes.values() if r.line.target == id and r.into == port]
    here.sort(key=lambda end: _toward(x, id, *end))
    core = [
        i
        for i, (r, _) in enumerate(here)
        if r.line.layer == "core" and r.kind in ("drop", "left", "right")
    ]
    main = min(core, key=lambda i: abs(_toward(x, id, *here[i])), default=(len(here) - 1) // 2)
    if cell.small:
        return _spread_small(
            grid, routes, x, cell, [*here[main : main + 1], *here[:main], *here[main + 1 :]]
        )
    most = max(main, len(here) - 1 - main)
    pitch = min(_PITCH, (cell.width / 2 - _CORNER) / most) if most else 0.0
    found: dict[str, StageRoute] = {}
    for i, (route, leaves) in enumerate(here):
        at = middle + (i - main) * pitch
        route = found.get(route.line.id, route)
        found[route.line.id] = replace(route, x1=at) if leaves else replace(route, x2=at)
    return found


def _toward(x: Mapping[str, float], here: str, route: StageRoute, leaves: bool) -> float:
    """How far right the other end is; lines over or under the row come outside all others."""
    if route.kind in ("right", "left"):
        return FAR if route.kind == "right" else -FAR
    other = route.line.target if leaves else route.line.source
    if route.kind == "dip" and other == here:
        return 1.0 if leaves else -1.0
    away = x.get(other, route.x1) - x[here]
    if route.kind in ("arc", "dip") and other in x:
        return (2 * FAR - abs(away)) * (1 if away > 0 else -1)
    return away


def _spread_small(
    grid: StageGrid, routes: Routes, x: Mapping[str, float], cell: StageCell, here: Sequence[End]
) -> dict[str, StageRoute]:
    """On a diamond or disc there is one place at each side: what comes second comes from beside."""
    found: dict[str, StageRoute] = {}
    taken = any(route.kind == "arc" and leaves for route, leaves in here)
    free = _free_sides(grid, routes, x, cell)
    for route, leaves in here:
        route = found.get(route.line.id, route)
        moved = replace(route, x1=x[cell.node.id]) if leaves else replace(route, x2=x[cell.node.id])
        if not leaves and taken and route.into == "top":
            many = sum(r.line.target == cell.node.id for r in routes.values()) > _MANY
            beside = sum(r.into == "side" for r in found.values())
            used, moved = _aside(cell, moved, free, beside, many)
            free.discard(used)
        found[route.line.id] = moved
        taken = taken or not leaves
    return found


def _free_sides(
    grid: StageGrid, routes: Routes, x: Mapping[str, float], cell: StageCell
) -> set[Port]:
    """The sides of a disc that lines can come to level with it, and all the places beside it."""
    id = cell.node.id
    if cell.node.kind != "final":
        taken = any(
            route.kind == "straight" and route.line.target == id for route in routes.values()
        )
        return set() if taken else {"left"}
    others = [x[other.node.id] for other in grid.rows[cell.row] if other is not cell]
    left: set[Port] = set() if any(other < x[id] for other in others) else {"left"}
    return left if any(other > x[id] for other in others) else {*left, "right", "under"}


def _aside(
    cell: StageCell, route: StageRoute, free: set[Port], beside: int, many: bool
) -> tuple[Port, StageRoute]:
    """The place that a line to a diamond or disc takes up, and the line: level with it if nothing
    is in the way.
    """
    x, half = route.x2, cell.width / 2
    if cell.node.kind != "final":
        if "left" in free:
            return "left", replace(route, into="side", x2=x - half - BESIDE_SMALL)
        return "right", replace(route, x2=x + _ON_SLOPE)
    laned = route.kind == "right"
    if laned and many and "under" in free:
        return "under", replace(route, into="under")
    side: Port = "right" if laned or route.x1 > x else "left"
    apart = abs(route.x1 - x) > _APART and route.out in ("bottom", "border")
    if side in free and (laned or apart):
        return side, replace(route, into="level", x2=x + half if side == "right" else x - half)
    return "side", replace(
        route, into="side", x2=x + half + _BESIDE_DISC + _BESIDE_PITCH * (beside + 1)
    )
