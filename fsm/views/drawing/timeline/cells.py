"""The cells of a timeline: a step visited, or steps left out."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fsm.runs.turns import Cell, Turn
from fsm.views.drawing.metrics import text_width, wrap
from fsm.views.drawing.palette import Hue, Theme
from fsm.views.drawing.svg import add, dot, write
from fsm.views.drawing.timeline import signs
from fsm.views.drawing.timeline.blocks import HIGH
from fsm.views.drawing.timeline.columns import Columns
from fsm.views.drawing.timeline.tips import cell_tip
from fsm.wording import cited_rule

CODE, COUNT, LOOPS, RULE = 10.0, 9.0, 8.0, 8.0
_CODE_DROP, _COUNT_DROP, _SMALL_DROP = (
    3.6,
    3.2,
    2.9,
)  # from the middle of a row to the foot of a text in it

# From left to right: how wide signs are, and the middle of each from where it begins or ends.
_BACK, _LOOP, _CUT, _DOT = 10.5, 9.0, 8.0, 7.0
_BACK_AT, _LOOP_AT, _CUT_AT, _DOT_AT = 3.0, 3.5, 3.0, 2.6
_LEFT, _RIGHT, _BETWEEN = 5.0, 4.0, 3.0  # beside the texts of a cell, and after its code
_NARROW_LOOPS = 14.0  # less than this there is room for in a crowded cell
_UPPER, _LOWER = 5.5, 6.5  # from the middle of a crowded cell to its rows
_ABOVE, _BELOW, _APART = 0.8, 1.2, 5.0  # how far a count and other signs are moved apart

_RULE_PAD, _RULE_LINE = 6.0, 9.2


class Cells:
    """Draws cells; remembers which signs it used and which rules it had no room for, for the
    legend.
    """

    def __init__(self, columns: Columns, theme: Theme) -> None:
        self.columns, self.theme = columns, theme
        self.used: set[str] = set()
        self.short: dict[str, str] = {}

    def draw(self, parent: ET.Element, cell: Cell, turn: Turn, player: str, y: float) -> None:
        """Draw one cell, its upper edge at `y`."""
        found = [
            name for name in ("skipped", "extra", "again", "back", "cut") if getattr(cell, name)
        ]
        group = add(parent, "g", class_=" ".join(["cell", *found]))
        add(group, "title", cell_tip(self.columns, turn, cell, player))
        self.used.update(found)
        if cell.skipped:
            self._left_out(group, cell, y)
        else:
            self._visited(group, cell, y)

    def _left_out(self, group: ET.Element, cell: Cell, y: float) -> None:
        """One dashed box over all the steps left out, holding the rule."""
        left, right = (
            self.columns.of[cell.step].left,
            self.columns.of[cell.through or cell.step].right,
        )
        colour, tint = self.theme.layers["skip"], self._hue(cell.step).tint
        signs.left_out(group, left, y, right - left, HIGH, self.theme, fill=tint)
        lines = self.rule_lines(cited_rule(cell.rule) or "skipped", right - left - _RULE_PAD)
        for i, line in enumerate(lines):
            baseline = y + HIGH / 2 + _SMALL_DROP + _RULE_LINE * (i - (len(lines) - 1) / 2)
            write(group, line, (left + right) / 2, baseline, RULE, colour, anchor="middle")

    def rule_lines(self, rule: str, room: float) -> tuple[str, ...]:
        """A citation in at most two lines; one that is too long is a letter here and stands in the
        legend.
        """
        lines = wrap(rule, room, RULE, 2)
        if not any(line.endswith("…") for line in lines):
            return lines
        return (self.short.setdefault(rule, f"({_letter(len(self.short))})"),)

    def _visited(self, group: ET.Element, cell: Cell, y: float) -> None:
        column, theme = self.columns.of[cell.step], self.theme
        if cell.extra or cell.again:
            self.used.add("extra")
            signs.double(group, column.left, y, self.columns.cell, HIGH, theme)
        else:
            stroke = theme.layers["jump"] if cell.cut else self._hue(cell.step).border
            look = {"fill": theme.surface, "stroke": stroke, "stroke_width": "1.4"}
            add(
                group,
                "rect",
                x=column.left,
                y=y,
                width=self.columns.cell,
                height=HIGH,
                rx="5.5",
                **look,
            )
        left, right, middle = column.left + _LEFT, column.right - _RIGHT, y + HIGH / 2
        room = right - left - self._code_width(cell) - _BETWEEN
        count, more = _count_width(cell), _loops_width(cell) + _cut_width(cell)
        if max(count, more) > room:
            self._crowded(group, cell, left, right, middle)
            return
        self._code(group, cell, left, middle)
        apart = _APART if count and more else 0.0
        self._count(group, cell, right, middle - apart * _ABOVE)
        self._cut(group, cell, right, middle + apart * _BELOW)
        self._loops(group, cell, right - _cut_width(cell), middle + apart * _BELOW)

    def _crowded(
        self, group: ET.Element, cell: Cell, left: float, right: float, middle: float
    ) -> None:
        """In two rows: the code, and whether it was cut short; below what is counted."""
        upper, lower = middle - _UPPER, middle + _LOWER
        self._code(group, cell, left, upper)
        self._cut(group, cell, right, upper)
        self._count(group, cell, right, lower)
        if _loops_width(cell):
            self._loops(
                group,
                cell,
                right - _count_width(cell) - 2,
                lower,
                number=_loops_width(cell) < _NARROW_LOOPS,
            )

    def _code_width(self, cell: Cell) -> float:
        return text_width(self.columns.of[cell.step].code, CODE, True) + (_BACK if cell.back else 0)

    def _code(self, group: ET.Element, cell: Cell, x: float, y: float) -> None:
        if cell.back:
            signs.back(group, x + _BACK_AT, y, self.theme)
            x += _BACK
        write(
            group,
            self.columns.of[cell.step].code,
            x,
            y + _CODE_DROP,
            CODE,
            self.theme.ink,
            bold=True,
        )

    def _cut(self, group: ET.Element, cell: Cell, right: float, y: float) -> None:
        if cell.cut:
            signs.cross(group, right - _CUT_AT, y, self.theme)

    def _loops(
        self, group: ET.Element, cell: Cell, right: float, y: float, *, number: bool = True
    ) -> None:
        """The sign, and how often if not once (and if there is room: the tooltip says it anyway)."""
        if not cell.loops:
            return
        self.used.add("loops")
        if cell.loops > 1 and number:
            colour = self.theme.layers["extra"]
            write(
                group,
                str(cell.loops),
                right,
                y + _SMALL_DROP,
                LOOPS,
                colour,
                bold=True,
                anchor="end",
            )
            right -= text_width(str(cell.loops), LOOPS, True) + 1
        signs.loop(group, right - _LOOP_AT, y, self.theme)

    def _count(self, group: ET.Element, cell: Cell, right: float, y: float) -> None:
        colour = self._hue(cell.step).title
        if cell.priority:
            self.used.add("opened" if cell.conditional else "priority")
            dot(group, right - _DOT_AT, y, colour, hollow=cell.conditional)
            right -= _DOT
        if cell.resolved:
            self.used.add("resolved")
            write(
                group,
                str(cell.resolved),
                right,
                y + _COUNT_DROP,
                COUNT,
                colour,
                bold=True,
                anchor="end",
            )

    def _hue(self, step: str) -> Hue:
        number, theme = self.columns.of[step].hue, self.theme
        return Hue(theme.paper, theme.muted, theme.ink) if number is None else theme.hue(number)


def _count_width(cell: Cell) -> float:
    number = text_width(str(cell.resolved), COUNT, True) if cell.resolved else 0.0
    return number + (_DOT if cell.priority else 0.0)


def _loops_width(cell: Cell) -> float:
    number = text_width(str(cell.loops), LOOPS, True) + 1 if cell.loops > 1 else 0.0
    return number + (_LOOP if cell.loops else 0.0)


def _cut_width(cell: Cell) -> float:
    return _CUT if cell.cut else 0.0


def _letter(number: int) -> str:
    """a, b ... z, then a2, b2 ..."""
    return chr(ord("a") + number % 26) + (str(number // 26 + 1) if number > 25 else "")
