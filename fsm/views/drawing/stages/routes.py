"""How each line of a stage view runs: straight on, over or under its row, through the gap below, or by a lane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from fsm.views.drawing.diagram import Diagram, Line
from fsm.views.drawing.stages.cells import Cell, Grid

Kind = Literal["straight", "arc", "dip", "drop", "right", "left"]
Port = Literal["left", "right", "top", "bottom", "side", "level", "under", "border"]
FAR, SIDE = 10_000.0, 13.0
_RING_PITCH, _PORT_PITCH, _CORNER = 26.0, 34.0, 12.0
_BESIDE_DISC, _BESIDE_PITCH = 4.0, 14.0


@dataclass(slots=True)
class Route:
    """A line's way. `gap1` is the gap it leaves into and `gap2` the one it comes from, by the row above it.

    `x1` and `x2` are where it leaves and arrives, across.
    """

    line: Line
    kind: Kind
    out: Port
    into: Port
    gap1: int | None = None
    gap2: int | None = None
    x1: float = 0.0
    x2: float = 0.0


class Routes:
    """The ways of all lines, and where they touch their cells."""

    def __init__(self, diagram: Diagram, grid: Grid) -> None:
        self.diagram = diagram
        self.grid = grid
        self.spans = self._spans()
        self.found: dict[str, Route] = {}
        self.right_taken: set[str] = set()
        straight: set[tuple[str, str]] = set()
        for line in diagram.lines:
            a, b = self.cell(line.source), self.cell(line.target)
            if a and b and grid.next(a, b) and (line.source, line.target) not in straight:
                straight.add((line.source, line.target))
                self.right_taken.add(line.source)
                self.found[line.id] = Route(line, "straight", "right", "left")
        self.left_taken = {target for _, target in straight}
        for line in sorted(diagram.lines, key=lambda o: o.layer != "core"):
            if line.id not in self.found and self.cell(line.target):
                self.found[line.id] = self._route(line)

    def cell(self, id: str) -> Cell | None:
        """The cell of a node."""
        return self.grid.cells.get(id)

    def _spans(self) -> dict[str, tuple[int, int]]:
        """The first and last row of each box."""
        found: dict[str, tuple[int, int]] = {}
        for r in range(len(self.grid.rows)):
            for box in self.grid.boxes_at(self.diagram, r):
                found[box] = (found.get(box, (r, r))[0], r)
        return found

    def box_of_ring(self, line: Line) -> str:
        """The box whose border a jump leaves: its own, or the last one of the view that does not keep it from that."""
        if line.source in self.spans:
            return line.source
        prefix = f"{self.diagram.words.get('from any step', 'from any step')}: "
        said = [word.removeprefix(prefix) for word in line.words[:1]]
        own = {o.source for o in self.diagram.lines if o.ring and list(o.words[:1]) == said and o is not line}
        free = [b for b in self.spans if not own & set(self.diagram.around(b))]
        return max(free or self.spans, key=lambda b: self.spans[b][1], default="")

    def _route(self, line: Line) -> Route:
        a, b = self.cell(line.source), self.cell(line.target)
        assert b is not None
        if a is None:
            return self._from_box(line, b)
        if a.row == b.row:
            forward = b.place > a.place
            return Route(line, "arc", "top", "top") if forward else Route(line, "dip", "bottom", "bottom")
        if b.row < a.row:
            return Route(line, "left", "bottom", "top", a.row, b.row - 1)
        beside = self._right_free(a) and a.node.kind != "start"
        if a.node.kind == "start" and b.row > a.row + 1 and self._loose(a.row + 1, b.row):
            return Route(line, "drop", "bottom", "top", b.row - 1, b.row - 1)
        if b.row == a.row + 1:
            down = any(
                r.kind == "drop" and r.out == "bottom" and r.line.source == line.source for r in self.found.values()
            )
            if a.small and down and beside:
                self.right_taken.add(line.source)
                return Route(line, "drop", "right", "top", a.row, a.row)
            return Route(line, "drop", "bottom", "top", a.row, a.row)
        if beside:
            self.right_taken.add(line.source)
            return Route(line, "right", "right", "top", None, b.row - 1)
        return Route(line, "right", "bottom", "top", a.row, b.row - 1)

    def _loose(self, first: int, last: int) -> bool:
        """Are there only diamonds without a box in these rows, so that a line can pass them?"""
        return all(c.small and not c.node.box for row in self.grid.rows[first:last] for c in row)

    def _right_free(self, cell: Cell) -> bool:
        return self.grid.last(cell) and cell.node.id not in self.right_taken

    def _from_box(self, line: Line, b: Cell) -> Route:
        last = self.spans.get(self.box_of_ring(line), (b.row - 1, b.row - 1))[1]
        if b.row == last + 1:
            return Route(line, "drop", "border", "top", last, last)
        if b.row > last:
            return Route(line, "right", "border", "top", None, b.row - 1)
        return Route(line, "left", "border", "top", None, b.row - 1)

    # ports ---------------------------------------------------------------------------------------------

    def ports(self, borders: dict[str, float]) -> None:
        """Where each line leaves and arrives, across; `borders` are the right borders of the boxes."""
        rings: dict[str, int] = {}
        for route in self.found.values():
            if route.out == "border" and route.kind == "drop":
                box = self.box_of_ring(route.line)
                rings[box] = n = rings.get(box, 0) + 1
                route.x1 = borders.get(box, 0.0) - _RING_PITCH * n
        for cell in self.grid.cells.values():
            self._spread(cell, "top")
            self._spread(cell, "bottom")

    def _at(self, cell: Cell, port: Port) -> list[tuple[Route, bool]]:
        """The lines at this side of a cell, each with whether it leaves."""
        out = [(r, True) for r in self.found.values() if r.line.source == cell.node.id and r.out == port]
        into = [(r, False) for r in self.found.values() if r.line.target == cell.node.id and r.into == port]
        return out + into

    def _spread(self, cell: Cell, port: Port) -> None:
        here = self._at(cell, port)
        here.sort(key=lambda e: self._toward(cell, *e))
        core = [i for i, (r, _) in enumerate(here) if r.line.layer == "core" and r.kind in ("drop", "left", "right")]
        main = core[0] if core else (len(here) - 1) // 2
        if cell.small:
            return self._small(cell, here, main)
        most = max(main, len(here) - 1 - main)
        pitch = min(_PORT_PITCH, (cell.width / 2 - _CORNER) / most) if most else 0.0
        for i, (route, leaves) in enumerate(here):
            self._set(route, leaves, cell.x + (i - main) * pitch)
        return None

    def _small(self, cell: Cell, here: Sequence[tuple[Route, bool]], main: int) -> None:
        """On a diamond or disc there is one place at each side: what comes second comes from beside."""
        taken = any(r.kind == "arc" and leaves for r, leaves in here)
        free = self._sides(cell)
        for route, leaves in [*here[main : main + 1], *here[:main], *here[main + 1 :]]:
            x = cell.x
            if not leaves and taken and route.into == "top":
                x = self._aside(cell, route, free)
            taken = taken or not leaves
            self._set(route, leaves, x)

    def _sides(self, cell: Cell) -> list[Port]:
        """The sides of a disc that lines can come to level with it, and all the places beside it."""
        row = self.grid.rows[cell.row]
        if cell.node.kind != "final":
            return ["left"] if cell.node.id not in self.left_taken else []
        xs = [c.x for c in row if c is not cell]
        left: list[Port] = [] if any(x < cell.x for x in xs) else ["left"]
        return left + ([] if any(x > cell.x for x in xs) else ["right", "under"])

    def _many(self, cell: Cell) -> bool:
        """Do so many lines end here that one must come from below?"""
        return sum(r.line.target == cell.node.id for r in self.found.values()) > 2

    def _aside(self, cell: Cell, route: Route, free: list[Port]) -> float:
        """Where a line comes down beside a diamond or disc; level with it if nothing is in the way."""
        if cell.node.kind != "final":
            if "left" not in free:
                return cell.x
            free.remove("left")
            route.into = "side"
            return cell.area.left - SIDE
        right = route.kind == "right" or route.x1 > cell.x
        side: Port = "right" if right else "left"
        apart = abs(route.x1 - cell.x) > 3 * SIDE or route.kind == "right"
        if route.kind == "right" and "under" in free and self._many(cell):
            free.remove("under")
            route.into = "under"
            return cell.x
        if side in free and apart and (route.kind == "right" or route.out in ("bottom", "border")):
            free.remove(side)
            route.into = "level"
            return cell.area.right if right else cell.area.left
        route.into = "side"
        beside = sum(r.line.target == cell.node.id and r.into == "side" for r in self.found.values())
        return cell.area.right + _BESIDE_DISC + _BESIDE_PITCH * beside

    def _set(self, route: Route, leaves: bool, x: float) -> None:
        if leaves:
            route.x1 = x
        else:
            route.x2 = x

    def _toward(self, cell: Cell, route: Route, leaves: bool) -> float:
        if route.kind == "right":
            return FAR
        if route.kind == "left":
            return -FAR
        other = self.cell(route.line.target if leaves else route.line.source)
        if route.kind == "dip" and other is cell:
            return 1.0 if leaves else -1.0
        if route.kind in ("arc", "dip") and other:
            away = other.x - cell.x
            return (2 * FAR - abs(away)) * (1 if away > 0 else -1)
        return other.x - cell.x if other else route.x1 - cell.x
