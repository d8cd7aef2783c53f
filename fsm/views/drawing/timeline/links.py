"""The lines between cells: on to the next step, over steps left out, and the jumps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from xml.etree import ElementTree as ET

from fsm.runs.turns import Cell
from fsm.views.drawing.palette import Theme
from fsm.views.drawing.svg import add
from fsm.views.drawing.timeline import signs
from fsm.views.drawing.timeline.blocks import HIGH, JUMP_GAP, Line
from fsm.views.drawing.timeline.columns import Columns

STUB = 15.0


class Links:
    """Draws the lines of one turn."""

    def __init__(self, columns: Columns, theme: Theme) -> None:
        self.columns, self.theme = columns, theme

    def under(self, parent: ET.Element, lines: Sequence[Line], top: float) -> None:
        """What is drawn before the cells: the ways on. `top` is the upper edge of the first line of
        cells.
        """
        for line in lines:
            for one, other in pairwise(line.cells):
                if not one.cut:
                    self._on(parent, one, other, top + line.y + HIGH / 2)

    def over(self, parent: ET.Element, lines: Sequence[Line], top: float) -> None:
        """What is drawn after the cells: the jumps, with the ring on the border of the cell they
        leave.
        """
        for line in lines:
            for one, other in pairwise(line.cells):
                if one.cut:
                    self._jump(parent, self._right(one), self._left(other), top + line.y + HIGH / 2)
        for i, line in enumerate(lines):
            if line.cells and line.cells[-1].cut:
                self._leaving(parent, line, lines[i + 1] if i + 1 < len(lines) else None, top)

    def _on(self, parent: ET.Element, one: Cell, other: Cell, y: float) -> None:
        skip = one.skipped or other.skipped
        look = {
            "stroke": self.theme.layers["skip" if skip else "core"],
            "stroke_width": "1.6",
            "fill": "none",
        }
        look |= {"stroke_dasharray": "4,2"} if skip else {}
        add(
            parent,
            "path",
            d=f"M{self._right(one):.2f} {y:.2f}H{self._left(other):.2f}",
            class_="way",
            **look,
        )

    def _jump(self, parent: ET.Element, start: float, end: float, y: float) -> None:
        signs.ring(parent, start, y, self.theme)
        signs.dotted(parent, f"M{start + 4:.2f} {y:.2f}H{end - 6:.2f}", self.theme, class_="jump")
        signs.head(parent, end, y, self.theme.layers["jump"])

    def _leaving(self, parent: ET.Element, line: Line, after: Line | None, top: float) -> None:
        """A jump from the end of a line: to the beginning of the next, or out of the turn."""
        last, bottom = line.cells[-1], top + line.y + HIGH
        if after is None or not after.cells:
            self._jump(parent, self._right(last), self._right(last) + STUB, bottom - HIGH / 2)
            return
        x, end = self._middle(last), self._middle(after.cells[0])
        bottom += 2.6 * (last.extra or last.again)
        turn, tip = (
            top + line.y + HIGH + JUMP_GAP / 2,
            top + after.y - 2.6 * self._double(after.cells[0]),
        )
        signs.ring(parent, x, bottom, self.theme)
        path = f"M{x:.2f} {bottom + 4:.2f}V{turn:.2f}H{end:.2f}V{tip - 5:.2f}"
        signs.dotted(parent, path, self.theme, class_="jump")
        signs.head(parent, end, tip, self.theme.layers["jump"], down=True)

    def _double(self, cell: Cell) -> bool:
        return cell.extra or cell.again

    def _left(self, cell: Cell) -> float:
        return self.columns.of[cell.step].left - 2.6 * self._double(cell)

    def _right(self, cell: Cell) -> float:
        return self.columns.of[cell.through or cell.step].right + 2.6 * self._double(cell)

    def _middle(self, cell: Cell) -> float:
        return self.columns.of[cell.step].middle
