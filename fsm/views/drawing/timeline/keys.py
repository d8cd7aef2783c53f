"""The legend of a timeline: the signs that occur, the rules there was no room for, and codes of
cut-off names.
"""

from __future__ import annotations

from functools import partial
from xml.etree import ElementTree as ET

from fsm.views.drawing.legend import Draw, Sample
from fsm.views.drawing.measures import LEGEND, LEGEND_DROP
from fsm.views.drawing.metrics import clip, text_width
from fsm.views.drawing.palette import Theme
from fsm.views.drawing.svg import add, dot, write
from fsm.views.drawing.timeline import signs
from fsm.views.drawing.timeline.cells import Cells
from fsm.views.drawing.timeline.columns import LEFT, RIGHT
from fsm.wording import label_of, plain

_ROW, _SPACE = 18.0, 18.0
_ABOVE, _BELOW = (
    8.0,
    16.0,
)  # from the top to the middle of the first row, from that of the last one to the foot
_WIDEST = 40.0  # a sign with the space before its words, for where a row ends


def draw_keys(parent: ET.Element, cells: Cells, width: float, top: float) -> float:
    """Draw the legend from `top` down; how high it is."""
    group = add(parent, "g", class_="legend")
    x, y = LEFT, top + _ABOVE
    for sample in _keys(cells):
        text = clip(sample.words, width - LEFT - RIGHT - _WIDEST, LEGEND)
        if x > LEFT and x + _WIDEST + text_width(text, LEGEND) > width - RIGHT:
            x, y = LEFT, y + _ROW
        sample.draw(group, x, y, cells.theme)
        x += sample.width
        write(group, text, x, y + LEGEND_DROP, LEGEND, cells.theme.ink)
        x += text_width(text, LEGEND) + _SPACE
    return y + _BELOW - top


def _keys(cells: Cells) -> list[Sample]:
    """What is to be explained; the space before the words is part of each sign."""
    known = {
        "priority": Sample(10.0, _dot, "players could act"),
        "resolved": Sample(16.5, _count, "and two objects resolved"),
        "opened": Sample(10.0, partial(_dot, hollow=True), "only because something happened"),
        "skipped": Sample(27.0, _dashed, "skipped, with the rule"),
        "extra": Sample(29.0, _double, "extra, or once more"),
        "loops": Sample(13.0, partial(_sign, signs.loop), "went back within the step"),
        "back": Sample(13.0, partial(_sign, signs.back), "back where it waited"),
        "cut": Sample(41.0, _cut, "cut short, and the jump"),
    }
    shown = [sample for name, sample in known.items() if name in cells.used]
    shown += [Sample(0.0, _none, f"{letter} {rule}") for rule, letter in cells.short.items()]
    columns = cells.columns.of.values()
    if any(line.endswith("…") for column in columns for line in column.name):
        shown += [
            Sample(0.0, _none, f"{column.code} {plain(label_of(column.step))}")
            for column in columns
        ]
    return shown


def _none(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    """Nothing: the words say it all."""


def _dot(parent: ET.Element, x: float, y: float, theme: Theme, *, hollow: bool = False) -> None:
    dot(parent, x + 3, y, theme.ink, hollow=hollow)


def _count(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    write(parent, "2", x, y + LEGEND_DROP, LEGEND, theme.ink, bold=True)
    _dot(parent, x + 6.5, y, theme)


def _dashed(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    signs.left_out(parent, x, y - 6, 22, 12, theme, rx=4)


def _double(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    signs.double(parent, x + 3, y - 5, 18, 10, theme)


def _sign(sign: Draw, parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    sign(parent, x + 4, y, theme)


def _cut(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    signs.cross(parent, x + 4, y, theme)
    signs.ring(parent, x + 14, y, theme)
    signs.dotted(parent, f"M{x + 18:.2f} {y:.2f}H{x + 29:.2f}", theme)
    signs.head(parent, x + 36, y, theme.layers["jump"])
