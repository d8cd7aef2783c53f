"""The legend of a timeline: the signs that occur, the rules there was no room for, and codes of cut-off names."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

from fsm.views.drawing.metrics import clip, text_width
from fsm.views.drawing.palette import Theme
from fsm.views.drawing.svg import add, dot, write
from fsm.views.drawing.timeline import signs
from fsm.views.drawing.timeline.cells import Cells
from fsm.views.drawing.timeline.columns import LEFT, RIGHT
from fsm.wording import label_of, plain

SIZE, ROW, SPACE = 9.0, 18.0, 18.0
Sample = Callable[[ET.Element, float, float, Theme], float]
"""Draws a sign with its left edge at x and its middle at y; how wide it is."""


def draw_keys(parent: ET.Element, cells: Cells, width: float, top: float) -> float:
    """Draw the legend from `top` down; how high it is."""
    group = add(parent, "g", class_="legend")
    x, y = LEFT, top + 8
    for sample, text in _keys(cells):
        text = clip(text, width - LEFT - RIGHT - 40, SIZE)
        wide = 40.0 if x > LEFT else 0.0
        if x + wide + text_width(text, SIZE) > width - RIGHT and x > LEFT:
            x, y = LEFT, y + ROW
        x += sample(group, x, y, cells.theme)
        write(group, text, x, y + 3.2, SIZE, cells.theme.ink)
        x += text_width(text, SIZE) + SPACE
    return y + 16 - top


def _keys(cells: Cells) -> list[tuple[Sample, str]]:
    known: list[tuple[str, Sample, str]] = [
        ("priority", _dot, "players could act"),
        ("resolved", _count, "and two objects resolved"),
        ("opened", _circle, "only because something happened"),
        ("skipped", _dashed, "skipped, with the rule"),
        ("extra", _double, "extra, or once more"),
        ("loops", _loop, "went back within the step"),
        ("back", _back, "back where it waited"),
        ("cut", _cut, "cut short, and the jump"),
    ]
    shown = [(sample, text) for name, sample, text in known if name in cells.used]
    shown += [(_none, f"{letter} {rule}") for rule, letter in cells.short.items()]
    if cells.columns.clipped:
        shown += [(_none, f"{c.code} {plain(label_of(c.step))}") for c in cells.columns.of.values()]
    return shown


def _none(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    return 0.0


def _dot(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    dot(parent, x + 3, y, theme.ink)
    return 10.0


def _circle(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    dot(parent, x + 3, y, theme.ink, hollow=True)
    return 10.0


def _count(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    write(parent, "2", x, y + 3.2, SIZE, theme.ink, bold=True)
    return 6.5 + _dot(parent, x + 6.5, y, theme)


def _dashed(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    look = {"fill": "none", "stroke": theme.layers["skip"], "stroke_dasharray": "4,2", "stroke_width": "1.3"}
    add(parent, "rect", x=x, y=y - 6, width="22", height="12", rx="4", **look)
    return 27.0


def _double(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    signs.double(parent, x + 3, y - 5, 18, 10, theme)
    return 29.0


def _loop(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    signs.loop(parent, x + 4, y, theme)
    return 13.0


def _back(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    signs.back(parent, x + 4, y, theme)
    return 13.0


def _cut(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    signs.cross(parent, x + 4, y, theme)
    signs.ring(parent, x + 14, y, theme)
    look = {"stroke_width": "2.2", "stroke_dasharray": "1.5,3.5", "fill": "none"}
    add(parent, "path", d=f"M{x + 18:.2f} {y:.2f}H{x + 29:.2f}", stroke=theme.layers["jump"], **look)
    signs.head(parent, x + 36, y, theme.layers["jump"])
    return 41.0
