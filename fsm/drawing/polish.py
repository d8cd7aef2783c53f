"""From Graphviz's SVG to the picture: fine text, tooltips, paper, title, caption, legend.

Every text is set as text, never as markup, and at the place the layout gave it, so that all renderers agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fsm.drawing.dot import ink_colour
from fsm.drawing.fixedwords import say
from fsm.drawing.legend import add, draw_legend, legend_width
from fsm.drawing.metrics import BOLDER, wrap
from fsm.drawing.palette import FONT, Theme
from fsm.drawing.placed import Pill, Placed, Shape, Text, Words
from fsm.drawing.texts import MARKS

SVG = "http://www.w3.org/2000/svg"
MARGIN = 16.0


@dataclass(frozen=True, slots=True)
class _Part:
    """What belongs to one group of the SVG."""

    text: Text | None
    tooltip: str
    hue: int | None = None
    name: str = ""
    kind: str = ""
    letters: str = ""


def polish(svg: str, placed: Placed, theme: Theme) -> str:
    """The finished picture. `svg` is what Graphviz drew of the same placed diagram."""
    drawn = _graph(ET.fromstring(svg))
    width = max(placed.size[0] + 2 * MARGIN, min(808.0, legend_width(placed) + MARGIN), 360.0)
    root = ET.Element("svg", {"xmlns": SVG, "font-family": FONT, "role": "img"})
    add(root, "title", placed.diagram.title)
    add(root, "rect", width="100%", height="100%", fill=theme.paper)
    top = _headline(root, placed, theme, width)
    left = max(MARGIN, (width - placed.size[0]) / 2 if placed.size[0] < width * 0.6 else MARGIN)
    graph = add(root, "g", class_="graph", transform=f"translate({left:.2f} {top + placed.size[1]:.2f})")
    shift = _shift(drawn, placed)
    for group in _groups(drawn, placed, theme):
        graph.append(_dressed(group[0], group[1], placed, theme, shift))
    for pill in placed.overlay.pills if placed.overlay else ():
        _pill(graph, pill, placed, theme)
    bottom = top + placed.size[1] + 22
    height = bottom + draw_legend(root, placed, theme, bottom, width)
    for key, value in (("width", width), ("height", height)):
        root.set(key, f"{value:.0f}")
    root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")
    _broken(root, graph)
    return ET.tostring(root, encoding="unicode") + "\n"


def _broken(*holders: ET.Element) -> None:
    """One group a line; never inside a text, where blanks count."""
    for holder in holders:
        holder.text = "\n"
        for child in holder:
            child.tail = "\n"


def _headline(root: ET.Element, placed: Placed, theme: Theme, width: float) -> float:
    y = 26.0
    for i, line in enumerate(wrap(placed.diagram.title, (width - 2 * MARGIN) / BOLDER, 16, 3)):
        y += 19.0 * bool(i)
        add(root, "text", line, x=MARGIN, y=y, fill=theme.ink, font_size="16", font_weight="bold")
    over = [say(placed.overlay.caption, placed.diagram.words)] if placed.overlay else []
    said = [*placed.diagram.caption, *over]
    y += 4.0
    for line in (part for text in said for part in wrap(text, width - 2 * MARGIN, 9, 6)):
        y += 12.0
        add(root, "text", line, x=MARGIN, y=y, fill=theme.muted, font_size="9")
    return y + 20


def _graph(root: ET.Element) -> ET.Element:
    found = next((g for g in root.iter(f"{{{SVG}}}g") if g.get("class") == "graph"), None)
    return root if found is None else found


def _groups(drawn: ET.Element, placed: Placed, theme: Theme) -> Iterator[tuple[ET.Element, _Part]]:
    parts = _parts(placed, theme)
    order = {"b": 0, "e": 1, "n": 2, "t": 3}
    groups = [g for g in drawn if g.get("id") in parts]
    for group in sorted(groups, key=lambda g: order[g.get("id", "b")[0]]):
        yield group, parts[group.get("id", "")]


def _parts(placed: Placed, theme: Theme) -> dict[str, _Part]:
    def letters(shape: Shape, id: str) -> str:
        paint = placed.paint(shape, id)
        return theme.pens[paint.tone].text if paint else ""

    found: dict[str, _Part] = {}
    side: list[Text] = []
    for i, n in enumerate(placed.nodes):
        beside = n.node.kind in ("lookup", "final", "choice", "start")
        text, ink = None if beside else n.text, letters("node", n.node.id)
        found[f"n{i}"] = _Part(text, n.node.tooltip, n.node.hue, n.node.id, n.node.kind, ink)
        side += [n.text] if beside and n.text else []
    for i, b in enumerate(placed.boxes):
        found[f"b{i}"] = _Part(b.title, b.box.tooltip, b.box.hue, b.box.id, "box", letters("box", b.box.id))
        side += [b.notes] if b.notes else []
    for i, line in enumerate(placed.lines):
        found[f"e{i}"] = _Part(line.label, line.line.tooltip, None, line.line.id, "line", letters("line", line.line.id))
    found.update({f"t{i}": _Part(text, "") for i, text in enumerate(side)})
    return found


def _shift(drawn: ET.Element, placed: Placed) -> tuple[float, float]:
    """How far Graphviz moved everything: it starts its drawing at the origin, whatever it was told."""
    for i, node in enumerate(placed.nodes):
        group = next((g for g in drawn if g.get("id") == f"n{i}"), None)
        shape = next((e for e in group.iter() if e.get("points")), None) if group is not None else None
        if shape is not None and node.node.kind in ("choice", "lookup", "action", "stage"):
            corners = [tuple(map(float, pair.split(","))) for pair in shape.get("points", "").split()]
            xs, ys = [c[0] for c in corners], [c[1] for c in corners]
            middle = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
            return node.area.x - middle[0], node.area.y - placed.size[1] - middle[1]
    return 0.0, 0.0


def _dressed(group: ET.Element, part: _Part, placed: Placed, theme: Theme, shift: tuple[float, float]) -> ET.Element:
    made = ET.Element("g", {"id": group.get("id", ""), "class": group.get("class", "")})
    if part.tooltip:
        add(made, "title", part.tooltip)
    moved = {"transform": f"translate({shift[0]:.2f} {shift[1]:.2f})"} if max(map(abs, shift)) > 0.05 else {}
    for shape in group.iter():
        tag = shape.tag.rpartition("}")[2]
        if tag in ("path", "polygon", "ellipse", "polyline") and shape.get("stroke") not in ("none", "transparent"):
            made.append(ET.Element(tag, {k: v for k, v in shape.attrib.items() if not k.startswith("{")} | moved))
    if part.text:
        _write(made, part, placed, theme)
    return made


def _write(group: ET.Element, part: _Part, placed: Placed, theme: Theme) -> None:
    assert part.text is not None
    for words, y in part.text.baselines():
        colour = part.letters or ink_colour(theme, words.ink, part.hue)
        anchor = {} if part.text.anchor == "start" else {"text_anchor": part.text.anchor}
        weight = {"font_weight": "bold"} if words.bold else {}
        text = add(
            group, "text", fill=colour, font_size=words.size, x=part.text.x, y=y - placed.size[1], **anchor, **weight
        )
        _fill(text, words, part, theme)


def _fill(text: ET.Element, words: Words, part: _Part, theme: Theme) -> None:
    """Marks in the phase's colour and a little smaller; a box's citation small and regular."""
    mark = words.text[:1] if words.size == 11 and words.text[:2] in {f"{m} " for m in MARKS.values() if m} else ""
    if mark:
        add(text, "tspan", mark, font_size="9.5", fill=part.letters or ink_colour(theme, "hue", part.hue))
        add(text, "tspan", words.text[2:], dx="3.5")
    elif part.kind == "box" and words.ink == "title" and "  " in words.text:
        name, _, rule = words.text.rpartition("  ")
        text.text = name
        add(text, "tspan", rule, font_size="8", font_weight="normal", dx="6")
    else:
        text.text = words.text


def _pill(graph: ET.Element, pill: Pill, placed: Placed, theme: Theme) -> None:
    line = next(x.line for x in placed.lines if x.line.id == pill.line)
    area, colour = pill.text.area, theme.layers[line.layer]
    group = add(graph, "g", class_="pill")
    add(group, "title", f"taken: {pill.text.lines[0].text}")
    add(
        group,
        "rect",
        x=area.left,
        y=area.top - placed.size[1],
        width=area.width,
        height=area.height,
        rx=area.height / 2,
        fill=colour,
    )
    words = pill.text.lines[0]
    y = area.y - placed.size[1] + words.size * 0.36
    add(
        group,
        "text",
        words.text,
        x=area.x,
        y=y,
        fill=theme.paper,
        font_size=words.size,
        font_weight="bold",
        text_anchor="middle",
    )
