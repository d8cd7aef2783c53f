"""The signs of a difference on the finished picture: an outline of its own style behind each shape,
and a pill.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fsm.views.drawing.combining import SIGNS, Sign
from fsm.views.drawing.differences import Mark
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.overlays.pills import board_over, pill_on
from fsm.views.drawing.palette import Theme
from fsm.views.drawing.placed import Placed, Rect
from fsm.views.drawing.svg import add, resize, size_of, write

SHAPES = ("path", "polygon", "circle", "rect")
PLACES = frozenset({"d", "points", "cx", "cy", "r", "x", "y", "width", "height", "rx"})
WIDE, ROW = 9.0, 20.0


@dataclass(frozen=True, slots=True)
class Outline:
    """How what came, went or changed is outlined: the colour by theme, the dashes, and the words of
    the legend.
    """

    light: str
    dark: str
    dashes: str
    words: str

    def colour(self, theme: Theme) -> str:
        """The colour on this paper."""
        return self.dark if theme.name == "dark" else self.light


OUTLINES: Mapping[Sign, Outline] = {
    "+": Outline("#1A7F37", "#3FB950", "", "only in {}"),
    "-": Outline("#CF222E", "#F85149", "9,5", "only in {}"),
    "~": Outline("#8250DF", "#BC8CFF", "0.1,11", "in both, but changed"),
}


def mark_picture(
    root: ET.Element, placed: Placed, marks: Sequence[Mark], theme: Theme, names: tuple[str, str]
) -> None:
    """Put the marks on a picture, their legend under the other; `names` are those of what was and
    what is.
    """
    graph = next(g for g in root.iter("g") if g.get("class") == "graph")
    groups = {g.get("id"): g for g in graph}
    for mark in marks:
        _outline(groups[f"{mark.shape}{mark.index}"], mark, theme)
    for mark, area in _pills(placed, marks):
        _pill(graph, area, mark, theme)
    _legend(root, sorted({m.sign for m in marks}, key=list(OUTLINES).index), theme, names)


def _outline(group: ET.Element, mark: Mark, theme: Theme) -> None:
    """A wide, pale copy of the shape behind it."""
    shape = next((e for e in group if e.tag in SHAPES), None)
    if shape is None:
        return
    kept = {k: v for k, v in shape.attrib.items() if k in PLACES}
    made = ET.Element(
        shape.tag, {**kept, **_pen(mark.sign, theme), "class": f"differs {WORDS[mark.sign]}"}
    )
    group.insert(1 if len(group) and group[0].tag == "title" else 0, made)


def _pen(sign: Sign, theme: Theme) -> dict[str, str]:
    """A wide pale stroke: solid, in dashes, or in dots."""
    style = OUTLINES[sign]
    pen = {"fill": "none", "stroke": style.colour(theme), "stroke-width": f"{WIDE:g}"}
    pale = {"stroke-opacity": "0.55" if theme.name == "dark" else "0.38"}
    dashes = {"stroke-dasharray": style.dashes} if style.dashes else {}
    return {**pen, **pale, **dashes, "stroke-linecap": "round" if sign == "~" else "butt"}


WORDS: Mapping[Sign, str] = {"+": "came", "-": "went", "~": "changed"}


def _pills(placed: Placed, marks: Sequence[Mark]) -> Iterator[tuple[Mark, Rect]]:
    """A place for each sign: on the upper right corner of nodes and boxes, on lines where there is
    room.
    """
    board = board_over(placed)
    for mark in sorted(marks, key=lambda m: m.shape == "e"):
        if mark.shape == "e":
            area = pill_on(board, placed.lines[mark.index], SIGNS[mark.sign]).text.area
        else:
            holder = (
                placed.nodes[mark.index].area
                if mark.shape == "n"
                else placed.boxes[mark.index].area
            )
            inset = (
                9.0 if mark.shape == "b" or placed.nodes[mark.index].node.kind == "card" else 0.0
            )
            area = Rect.around(holder.right - inset, holder.top, 13.0, 11.0)
        board.add_area(area.grown(1))
        yield mark, area


def _pill(graph: ET.Element, area: Rect, mark: Mark, theme: Theme) -> None:
    group = add(graph, "g", class_=f"pill {WORDS[mark.sign]}")
    add(group, "title", "\n".join(mark.said))
    _badge(group, area.x, area.y, mark.sign, theme, area.width)


def _badge(
    group: ET.Element, x: float, y: float, sign: Sign, theme: Theme, width: float = 13.0
) -> None:
    colour = OUTLINES[sign].colour(theme)
    left, top = x - width / 2, y - 5.5
    paint: dict[str, object] = {"fill": colour, "stroke": theme.paper, "stroke_width": "1"}
    add(group, "rect", "", x=left, y=top, width=width, height=11.0, rx=5.5, **paint)
    write(group, SIGNS[sign], x, y + 3.4, 10.0, theme.paper, bold=True, anchor="middle")


def _legend(root: ET.Element, signs: Sequence[Sign], theme: Theme, names: tuple[str, str]) -> None:
    """One more row at the foot."""
    if not signs:
        return
    width, height, scale = size_of(root)
    x, y = 16.0, height - 4
    for sign in signs:
        style, name = OUTLINES[sign], names[0] if sign == "-" else names[1]
        ET.SubElement(
            root, "path", {"d": f"M{x + 4:.1f} {y:.1f}H{x + 42:.1f}", **_pen(sign, theme)}
        )
        _badge(root, x + 23, y, sign, theme)
        said = style.words.format(name)
        write(root, said, x + 52, y + 3.2, 9.0, theme.ink)
        x += 52 + text_width(said, 9) + 20
    resize(root, width, height + ROW, scale)
