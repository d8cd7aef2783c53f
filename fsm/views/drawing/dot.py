"""A placed diagram as DOT: plain, complete, every position given, so that `neato -n2` only has to
draw.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

import graphviz

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
from fsm.views.drawing.palette import FONT, STROKES, Theme
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedLine, PlacedNode, Point, Text
from fsm.views.drawing.splines import Curve, curve_of

SHAPES: Mapping[str, Mapping[str, str]] = {
    "card": {"shape": "box", "style": "rounded,filled"},
    "frame": {"shape": "box", "style": "rounded,filled"},
    "hub": {"shape": "box", "style": "rounded,filled", "peripheries": "2"},
    "action": {"shape": "box", "style": "filled"},
    "stage": {"shape": "box", "style": "filled"},
    "window": {"shape": "box", "style": "rounded,filled"},
    "choice": {"shape": "diamond", "style": "filled"},
    "lookup": {"shape": "diamond", "style": "filled"},
    "start": {"shape": "circle", "style": "filled"},
    "final": {"shape": "doublecircle", "style": "filled"},
    "word": {"shape": "plaintext", "style": "solid"},
}


_OURS = re.compile(r"(text|ring)_\d+$")


def escaped(text: str) -> str:
    """A text as a DOT label: no escape sequence, no entity and no HTML in it is ever obeyed."""
    return literal(text.replace("&", "&amp;").replace("\\", "\\\\"))


def literal(text: str) -> str:
    """A text that is never taken for HTML, though it may begin with "<" and end with ">": as it is,
    no part of it.
    """
    made: str = graphviz.nohtml(text)
    return made


def label(text: Text | None) -> str:
    """All lines of a text as one DOT label."""
    return literal("\\n".join(escaped(w.text) for w in text.lines) if text else "")


def names(placed: Placed) -> dict[str, str]:
    """A node name for each node id that needs no quoting and is there only once."""
    found: dict[str, str] = {}
    for node in placed.nodes:
        base = re.sub(r"\W", "_", node.node.id, flags=re.ASCII) or "_"
        name, n = base, 2
        while name in found.values() or _OURS.match(name):
            name, n = f"{base}_{n}", n + 1
        found[node.node.id] = name
    return found


class _Writer:
    def __init__(self, placed: Placed, theme: Theme) -> None:
        self.placed = placed
        self.theme = theme
        self.height = placed.size[1]
        self.names = names(placed)
        self.graph = graphviz.Digraph("fsm", comment=None)

    def write(self) -> str:
        self._head()
        self._boxes(self.graph, "")
        loose = {b.box.id for b in self.placed.boxes}
        for i, node in enumerate(self.placed.nodes):
            if node.node.box not in loose:
                self._node(self.graph, i, node)
        for i, text in enumerate(side_texts(self.placed)):
            self._text(i, text)
        for i, line in enumerate(self.placed.lines):
            self._line(i, line)
        return str(self.graph.source)

    def _head(self) -> None:
        caption = [self.placed.diagram.title, *self.placed.diagram.caption]
        self.graph.attr(
            "graph",
            bb=f"0,0,{_n(self.placed.size[0])},{_n(self.height)}",
            pad="0.22",
            bgcolor=self.theme.paper,
            fontname=FONT,
            tooltip=_tip("\n".join(caption)),
            splines="true",
        )
        self.graph.attr(
            "node",
            fontname=FONT,
            fontsize="11",
            fontcolor=self.theme.ink,
            fixedsize="true",
            margin="0",
        )
        self.graph.attr("edge", fontname=FONT, fontsize="8.5", arrowsize="0.75")
        said = [line.replace("\\", "/") for line in (*caption, *self.placed.diagram.comment)]
        self.graph.body.extend(f"\t// {line}\n" for line in said)

    def _at(self, point: Point) -> str:
        return f"{_n(point[0])},{_n(self.height - point[1])}"

    def _boxes(self, graph: graphviz.Digraph, around: str) -> None:
        for i, box in enumerate(self.placed.boxes):
            if box.box.inside == around:
                self._box(graph, i, box)

    def _box(self, graph: graphviz.Digraph, index: int, box: PlacedBox) -> None:
        area, look = box.area, look_of_box(self.placed, box, self.theme)
        attributes = {
            "bb": f"{_n(area.left)},{_n(self.height - area.bottom)},{_n(area.right)},{_n(self.height - area.top)}",
            "lp": self._at((box.title.area.x, box.title.area.y)),
            "label": label(box.title),
            "id": f"b{index}",
            "class": "phase",
            "fontcolor": look.letters or self.theme.hue(box.box.hue).title,
            "fontsize": "10.5",
            "tooltip": _tip(box.box.tooltip),
            **_painted(look, "rounded,filled"),
        }
        with graph.subgraph(name=f"cluster_{index}") as cluster:
            cluster.attr("graph", **attributes)
            self._boxes(cluster, box.box.id)
            for i, node in enumerate(self.placed.nodes):
                if node.node.box == box.box.id:
                    self._node(cluster, i, node)

    def _node(self, graph: graphviz.Digraph, index: int, node: PlacedNode) -> None:
        kind, look = node.node.kind, look_of_node(self.placed, node, self.theme)
        shape, own = dict(SHAPES[kind]), None if kind in BESIDE else node.text
        letters = {"fontcolor": look.letters} if look.letters else {}
        if kind == "word":
            ink = node.text.lines[0].ink if node.text and node.text.lines else "ink"
            letters = {"fontcolor": look.letters or ink_colour(self.theme, ink), "fontsize": "9"}
        graph.node(
            self.names[node.node.id],
            label=label(own),
            id=f"n{index}",
            pos=self._at((node.area.x, node.area.y)),
            width=_n(self._inner(node, node.area.width)),
            height=_n(self._inner(node, node.area.height)),
            tooltip=_tip(node.node.tooltip or " "),
            **{"class": f"{kind} {node.node.mark}".strip()},
            **(shape | _painted(look, shape["style"]) | letters),
        )

    def _inner(self, node: PlacedNode, size: float) -> float:
        """Graphviz draws the second outline of a disc outside its size, in inches."""
        return (size - 8 if node.node.kind == "final" else size) / 72

    def _text(self, index: int, text: Text) -> None:
        self.graph.node(
            f"text_{index}",
            label=label(text),
            id=f"t{index}",
            pos=self._at((text.area.x, text.area.y)),
            shape="plaintext",
            width=_n(text.area.width / 72),
            height=_n(text.area.height / 72),
            fontsize="8.5",
            fontcolor=ink_colour(self.theme, text.lines[0].ink),
            tooltip=" ",
            **{"class": "words"},
        )

    def _line(self, index: int, line: PlacedLine) -> None:
        layer, look = line.line.layer, look_of_line(self.placed, line, self.theme)
        stroke, arrow = STROKES[layer], head_of_line(self.placed, line)
        tail = self.names.get(line.line.source)
        head = self.names.get(line.head or line.line.target)
        if tail is None:
            tail = f"ring_{index}"
            self.graph.node(
                tail,
                label="",
                shape="point",
                style="invis",
                width="0.01",
                height="0.01",
                pos=self._at(line.points[0]),
            )
        attributes = {
            "id": f"e{index}",
            "class": f"layer-{layer}",
            "color": f"{look.stroke}:invis:{look.stroke}" if stroke.double else look.stroke,
            "penwidth": _n(look.width),
            "style": stroke.style,
            "arrowhead": arrow,
            "tooltip": _tip(line.line.tooltip),
            "fontcolor": look.letters
            or ink_colour(self.theme, "ink" if layer == "core" else layer),
            "pos": self._path(curve_of(line, head=arrow != "none")),
        }
        if line.line.ring:
            attributes |= {"dir": "both", "arrowtail": "odot"}
        if line.label:
            attributes |= {
                "label": label(line.label),
                "lp": self._at((line.label.area.x, line.label.area.y)),
            }
        self.graph.edge(tail, head or tail, **attributes)

    def _path(self, curve: Curve) -> str:
        marked = [("s,", curve.ring), ("e,", curve.tip), *(("", point) for point in curve.points)]
        return " ".join(f"{mark}{p[0]:.2f},{self.height - p[1]:.2f}" for mark, p in marked if p)


def _painted(look: Look, style: str) -> dict[str, str]:
    """The attributes of a shape's paint."""
    dashed = f"{style},dashed" if look.dashes else style
    return {
        "color": look.stroke,
        "fillcolor": look.fill,
        "penwidth": _n(look.width),
        "style": dashed,
    }


def dot_source(placed: Placed, theme: Theme) -> str:
    """The DOT text of a placed diagram."""
    return _Writer(placed, theme).write()


def _tip(text: str) -> str:
    return literal("\\n".join(escaped(line) for line in text.split("\n")))


def _n(value: float) -> str:
    return f"{value:.4f}".rstrip("0").rstrip(".") if value else "0"
