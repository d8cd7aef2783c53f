"""A placed diagram as an SVG picture: title and caption, boxes, lines, nodes, numbers, legend.

Every text is set as text, never as markup. Parts are groups with ids: "b0" a box, "e0" a line, "n0"
a node, "t0" words beside something.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

from fsm.views.drawing.describing import described
from fsm.views.drawing.legend import draw_legend, legend_width
from fsm.views.drawing.looks import (
    BESIDE,
    Look,
    head_of_line,
    ink_colour,
    look_of_box,
    look_of_line,
    look_of_node,
    side_texts,
)
from fsm.views.drawing.measures import CARD_NAME, CITATION, HEADLINE, LEGEND, MARGIN, NARROWEST
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.palette import STROKES, Theme
from fsm.views.drawing.placed import (
    Pill,
    Placed,
    PlacedBox,
    PlacedLine,
    PlacedNode,
    Point,
    Rect,
    Text,
    Words,
)
from fsm.views.drawing.splines import HEAD, beside, curve_of
from fsm.views.drawing.svg import add, dot, headline, page, resize, write
from fsm.views.drawing.texts import MARKS

_WIDEST = 808.0  # a picture that its legend alone makes so wide
_ON_PAGE, _SMALLEST, _LARGEST = (
    830.0,
    1.2,
    4 / 3,
)  # how wide a page shows a picture for players, and pixels for a point
_MOST_TITLE_LINES, _MOST_CAPTION_LINES = 3, 6
_BELOW_CAPTION, _ABOVE_LEGEND = 17.0, 13.0
_NARROW = 0.6  # a graph that takes less of the width stands in the middle
ROUND, RIM, DOUBLE = 12.0, 4.0, 2.0
HEAD_WIDE, THICK, MITER = 2.625, 4.0, 1.513
"""An arrow head: half its width, the stroke from which on it is wider, and how far its stroke
reaches beyond its tip, in widths of the stroke."""
RING_RADIUS, PAST_RING = 3.0, "-4"
"""The ring at the start of a jump, and how far after it the first dot stands."""
MARK_WIDE, MARK_HIGH = 9.2, 3.7
"""The room that a mark takes before a title, and how far its middle is above the title's foot."""
RULE_GAP = 6.0
LEANS = {"start": 0.0, "middle": 0.5, "end": 1.0}
HOLLOW = MARKS["conditional"]


def picture(placed: Placed, theme: Theme) -> ET.Element:
    """The finished picture."""
    return _Painter(placed, theme).paint()


class _Painter:
    def __init__(self, placed: Placed, theme: Theme) -> None:
        self.placed = placed
        self.theme = theme
        legend = 0.0 if placed.diagram.plain else min(_WIDEST, legend_width(placed) + MARGIN)
        self.width = max(placed.size[0] + 2 * MARGIN, legend, NARROWEST)
        self.root = page(placed.diagram.title, theme, described(placed))

    def paint(self) -> ET.Element:
        top = self._headline()
        wide, high = self.placed.size
        left = max(MARGIN, (self.width - wide) / 2 if wide < self.width * _NARROW else MARGIN)
        graph = add(self.root, "g", class_="graph", transform=f"translate({left:.2f} {top:.2f})")
        self._boxes(graph, "")
        for i, node in enumerate(self.placed.nodes):
            if node.node.kind == "frame":
                self._node(graph, i, node)
        for i, line in enumerate(self.placed.lines):
            self._line(graph, i, line)
        for i, node in enumerate(self.placed.nodes):
            if node.node.kind != "frame":
                self._node(graph, i, node)
        for i, text in enumerate(side_texts(self.placed)):
            self._text(_group(graph, f"t{i}", "node words"), text)
        for pill in self.placed.overlay.pills if self.placed.overlay else ():
            self._pill(graph, pill)
        bottom = top + high + _ABOVE_LEGEND
        height = bottom + draw_legend(self.root, self.placed, self.theme, bottom, self.width)
        scale = (
            min(_LARGEST, max(_SMALLEST, _ON_PAGE / self.width))
            if self.placed.diagram.plain
            else 1.0
        )
        resize(self.root, self.width, height, scale)
        return self.root

    def _headline(self) -> float:
        diagram, overlay, room = self.placed.diagram, self.placed.overlay, self.width - 2 * MARGIN
        title = wrap(diagram.title, room, HEADLINE, _MOST_TITLE_LINES, bold=True)
        said = [*diagram.caption, *([overlay.caption] if overlay else [])]
        caption = [part for text in said for part in wrap(text, room, LEGEND, _MOST_CAPTION_LINES)]
        return headline(self.root, title, caption, MARGIN, self.theme) + _BELOW_CAPTION

    def _boxes(self, graph: ET.Element, around: str) -> None:
        """Each box before those inside it."""
        for i, box in enumerate(self.placed.boxes):
            if box.box.inside == around:
                self._box(graph, i, box)
                self._boxes(graph, box.box.id)

    def _box(self, graph: ET.Element, index: int, box: PlacedBox) -> None:
        group = _group(graph, f"b{index}", "cluster phase", box.box.tooltip)
        look = look_of_box(self.placed, box, self.theme)
        _rect(group, box.area, look, rounded=True)
        self._text(group, box.title, box.box.hue, look.letters)

    def _node(self, graph: ET.Element, index: int, node: PlacedNode) -> None:
        kind, area, look = node.node.kind, node.area, look_of_node(self.placed, node, self.theme)
        group = _group(
            graph, f"n{index}", f"node {kind} {node.node.mark}".rstrip(), node.node.tooltip
        )
        if kind in ("choice", "lookup"):
            corners = (
                (area.x, area.top),
                (area.right, area.y),
                (area.x, area.bottom),
                (area.left, area.y),
            )
            _polygon(group, corners, look)
        elif kind in ("start", "final"):
            rim = RIM if kind == "final" else 0.0
            _circle(group, (area.x, area.y), area.width / 2 - rim, look)
            if rim:
                _circle(group, (area.x, area.y), area.width / 2, Look(look.stroke, look.width))
        elif kind != "word":
            _rect(group, area, look, rounded=kind not in ("action", "stage"))
            if kind == "hub":
                _rect(group, area.grown(RIM), Look(look.stroke, look.width), rounded=True)
        if node.text and kind not in BESIDE:
            self._text(group, node.text, node.node.hue, look.letters)

    def _line(self, graph: ET.Element, index: int, line: PlacedLine) -> None:
        group = _group(graph, f"e{index}", f"edge layer-{line.line.layer}", line.line.tooltip)
        look, head = look_of_line(self.placed, line, self.theme), head_of_line(self.placed, line)
        curve = curve_of(line, head=head != "none")
        stroke = STROKES[line.line.layer]
        cap = {"stroke_linecap": stroke.cap, "stroke_dashoffset": PAST_RING} if stroke.cap else {}
        for by in (-DOUBLE, DOUBLE) if stroke.double else (0.0,):
            points = beside(curve.points, by) if by else curve.points
            if points:
                add(group, "path", d=_path(points), **_paint(look), **cap)
        solid = Look(look.stroke, look.width, look.stroke)
        if curve.ring:
            middle = _on(curve.ring, curve.points[0], RING_RADIUS + look.width / 2)
            _circle(group, middle, RING_RADIUS, Look(look.stroke, look.width))
        if curve.tip and head != "none":
            empty = Look(look.stroke, look.width)
            _polygon(
                group,
                _head(curve.points[-1], curve.tip, look.width),
                empty if head == "empty" else solid,
            )
        if line.label:
            self._text(group, line.label, None, look.letters)

    def _text(
        self, group: ET.Element, text: Text, hue: int | None = None, letters: str = ""
    ) -> None:
        """The lines of a text, with a dot for the mark of a title; a box's citation is smaller than
        its title.
        """
        for words, y in text.baselines():
            colour = letters or ink_colour(self.theme, words.ink, hue)
            mark, words = _marked(words)
            name, gap, rule = words.text.rpartition("  ") if words.ink == "title" else ("", "", "")
            if mark:
                x = text.x - (MARK_WIDE + words.width) * LEANS[text.anchor]
                dot(
                    group,
                    x + 3,
                    y - MARK_HIGH,
                    letters or ink_colour(self.theme, "hue", hue),
                    hollow=mark == HOLLOW,
                )
                write(group, words.text, x + MARK_WIDE, y, words.size, colour, bold=words.bold)
            elif gap:
                title, small = Words(name, words.size, words.bold), Words(rule, CITATION)
                x = text.x - (title.width + RULE_GAP + small.width) * LEANS[text.anchor]
                write(group, name, x, y, words.size, colour, bold=words.bold)
                write(group, rule, x + title.width + RULE_GAP, y, CITATION, colour)
            else:
                write(
                    group,
                    words.text,
                    text.x,
                    y,
                    words.size,
                    colour,
                    bold=words.bold,
                    anchor=text.anchor,
                )

    def _pill(self, graph: ET.Element, pill: Pill) -> None:
        line = next(x.line for x in self.placed.lines if x.line.id == pill.line)
        area, words = pill.text.area, pill.text.lines[0]
        group = add(graph, "g", class_="pill")
        add(group, "title", f"taken: {words.text}")
        shape = {
            "x": area.left,
            "y": area.top,
            "width": area.width,
            "height": area.height,
            "rx": area.height / 2,
        }
        add(group, "rect", fill=self.theme.layers[line.layer], **shape)
        y = area.y + words.size * 0.36
        write(
            group, words.text, area.x, y, words.size, self.theme.paper, bold=True, anchor="middle"
        )


def _marked(words: Words) -> tuple[str, Words]:
    """The mark that a title begins with, "" for none, and the rest."""
    mark = words.text[:1]
    if (
        words.size != CARD_NAME
        or words.text[1:2] != " "
        or mark not in filter(None, MARKS.values())
    ):
        return "", words
    return mark, replace(words, text=words.text[2:])


def _group(graph: ET.Element, id: str, kind: str, tooltip: str = "") -> ET.Element:
    group = add(graph, "g", id=id, class_=kind)
    if tooltip:
        add(group, "title", tooltip)
    return group


def _paint(look: Look) -> dict[str, object]:
    dashes = {"stroke_dasharray": look.dashes} if look.dashes else {}
    return {"fill": look.fill, "stroke": look.stroke, "stroke_width": look.width, **dashes}


def _rect(group: ET.Element, area: Rect, look: Look, *, rounded: bool) -> None:
    corner = {"rx": min(ROUND, area.width / 3, area.height / 3)} if rounded else {}
    add(
        group,
        "rect",
        x=area.left,
        y=area.top,
        width=area.width,
        height=area.height,
        **corner,
        **_paint(look),
    )


def _circle(group: ET.Element, middle: Point, radius: float, look: Look) -> None:
    add(group, "circle", cx=middle[0], cy=middle[1], r=radius, **_paint(look))


def _polygon(group: ET.Element, corners: Sequence[Point], look: Look) -> None:
    add(group, "polygon", points=" ".join(f"{x:.2f},{y:.2f}" for x, y in corners), **_paint(look))


def _path(points: Sequence[Point]) -> str:
    first, *rest = (f"{x:.2f},{y:.2f}" for x, y in points)
    return f"M{first}C{' '.join(rest)}"


def _head(start: Point, tip: Point, width: float) -> tuple[Point, Point, Point]:
    """An arrow head whose stroke ends at the tip."""
    point = _on(tip, start, MITER * width)
    base = _on(tip, start, MITER * width + HEAD)
    wide = HEAD_WIDE * max(1.0, width / THICK) / HEAD
    across = (base[1] - point[1]) * wide, (point[0] - base[0]) * wide
    return (
        (base[0] + across[0], base[1] + across[1]),
        point,
        (base[0] - across[0], base[1] - across[1]),
    )


def _on(a: Point, b: Point, length: float) -> Point:
    """The point so far from `a` in the direction of `b`."""
    whole = ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 or 1.0
    return a[0] + (b[0] - a[0]) * length / whole, a[1] + (b[1] - a[1]) * length / whole
