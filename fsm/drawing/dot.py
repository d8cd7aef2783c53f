"""A placed diagram as DOT: plain, complete, every position given, so that `neato -n2` only has to draw."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import graphviz

from fsm.drawing.palette import FONT, STROKES, Hue, Pen, Theme
from fsm.drawing.placed import Paint, Placed, PlacedBox, PlacedLine, PlacedNode, Point, Text
from fsm.drawing.splines import bezier, given
from fsm.drawing.texts import MARKS

SHAPES: Mapping[str, Mapping[str, str]] = {
    "card": {"shape": "box", "style": "rounded,filled", "penwidth": "1.3"},
    "hub": {"shape": "box", "style": "rounded,filled", "penwidth": "1.1", "peripheries": "2"},
    "action": {"shape": "box", "style": "filled", "penwidth": "1.3"},
    "stage": {"shape": "box", "style": "filled", "penwidth": "1.3"},
    "window": {"shape": "box", "style": "rounded,filled", "penwidth": "2.4"},
    "choice": {"shape": "diamond", "style": "filled", "penwidth": "1.5"},
    "lookup": {"shape": "diamond", "style": "filled", "penwidth": "1.5"},
    "start": {"shape": "circle", "style": "filled"},
    "final": {"shape": "doublecircle", "style": "filled"},
    "word": {"shape": "plaintext"},
}


_OURS = re.compile(r"(text|ring)_\d+$")


def escaped(text: str) -> str:
    """A text as a DOT label: no escape sequence, no entity and no HTML in it is ever obeyed."""
    return literal(text.replace("&", "&amp;").replace("\\", "\\\\"))


def literal(text: str) -> str:
    """A text that is never taken for HTML, though it may begin with "<" and end with ">": as it is, no part of it."""
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
        for i, text in enumerate(self._side_texts()):
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
            bgcolor="transparent",
            fontname=FONT,
            tooltip=_tip("\n".join(caption)),
            splines="true",
        )
        self.graph.attr("node", fontname=FONT, fontsize="11", fontcolor=self.theme.ink, fixedsize="true", margin="0")
        self.graph.attr("edge", fontname=FONT, fontsize="8.5", arrowsize="0.75")
        self.graph.body.extend(f"\t// {line}\n" for line in _comment([*caption, *self.placed.diagram.comment]))

    def _at(self, point: Point) -> str:
        return f"{_n(point[0])},{_n(self.height - point[1])}"

    def _boxes(self, graph: graphviz.Digraph, around: str) -> None:
        for i, box in enumerate(self.placed.boxes):
            if box.box.inside == around:
                self._box(graph, i, box)

    def _box(self, graph: graphviz.Digraph, index: int, box: PlacedBox) -> None:
        hue = self._hue(box.box.hue)
        area = box.area
        attributes = {
            "bb": f"{_n(area.left)},{_n(self.height - area.bottom)},{_n(area.right)},{_n(self.height - area.top)}",
            "lp": self._at((box.title.area.x, box.title.area.y)),
            "label": label(box.title),
            "id": f"b{index}",
            "class": "phase",
            "style": "rounded,filled",
            "fillcolor": hue.tint,
            "color": hue.border,
            "penwidth": "1.4",
            "fontcolor": hue.title,
            "fontsize": "10.5",
            "tooltip": _tip(box.box.tooltip),
        }
        attributes |= self._laid_over(self.placed.paint("box", box.box.id), attributes["style"])
        with graph.subgraph(name=f"cluster_{index}") as cluster:
            cluster.attr("graph", **attributes)
            self._boxes(cluster, box.box.id)
            for i, node in enumerate(self.placed.nodes):
                if node.node.box == box.box.id:
                    self._node(cluster, i, node)

    def _hue(self, number: int) -> Hue:
        return self.theme.hues[number % len(self.theme.hues)]

    def _node(self, graph: graphviz.Digraph, index: int, node: PlacedNode) -> None:
        kind = node.node.kind
        shape = dict(SHAPES[kind])
        if kind == "window" and node.node.mark == "conditional":
            shape |= {"style": "rounded,filled,dashed", "penwidth": "1.8"}
        paint = self._paint(node)
        shape |= self._laid_over(self.placed.paint("node", node.node.id), shape.get("style", "solid"))
        own = node.text if kind in ("card", "hub", "action", "stage", "window", "word") else None
        graph.node(
            self.names[node.node.id],
            label=label(own),
            id=f"n{index}",
            pos=self._at((node.area.x, node.area.y)),
            width=_n(self._inner(node, node.area.width)),
            height=_n(self._inner(node, node.area.height)),
            tooltip=_tip(node.node.tooltip or " "),
            **{"class": f"{kind} {MARK_CLASS[node.node.mark]}".strip()},
            **(paint | shape),
        )

    def _laid_over(self, paint: Paint | None, style: str) -> dict[str, str]:
        """What an overlay changes of a node or box: fill, border and letters."""
        if paint is None:
            return {}
        pen = self.theme.pens[paint.tone]
        found = {"fillcolor": pen.fill, "color": pen.stroke, "fontcolor": pen.text}
        found |= {"penwidth": _n(paint.width) if paint.width else ""}
        found |= {"style": f"{style},dashed" if pen.dashed and "dashed" not in style else ""}
        return {key: value for key, value in found.items() if value}

    def _inner(self, node: PlacedNode, size: float) -> float:
        """Graphviz draws the second outline of a disc outside its size, in inches."""
        return (size - 8 if node.node.kind == "final" else size) / 72

    def _paint(self, node: PlacedNode) -> dict[str, str]:
        kind, ink, surface = node.node.kind, self.theme.ink, self.theme.surface
        if kind in ("lookup", "hub"):
            return {"color": self.theme.layers["extra"], "fillcolor": surface}
        if kind in ("start", "final"):
            return {"color": ink, "fillcolor": ink}
        if kind == "choice":
            return {"color": ink, "fillcolor": surface}
        if kind == "word":
            layer = node.text.lines[0].ink if node.text and node.text.lines else "ink"
            return {"fontcolor": ink_colour(self.theme, layer), "fontsize": "9"}
        border = self._hue(node.node.hue).border if node.node.hue is not None else ink
        return {"color": border, "fillcolor": surface}

    def _side_texts(self) -> list[Text]:
        texts = [n.text for n in self.placed.nodes if n.text and n.node.kind in ("lookup", "final", "choice", "start")]
        return texts + [b.notes for b in self.placed.boxes if b.notes]

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
        layer = line.line.layer
        stroke, colour = STROKES[layer], self.theme.layers[layer]
        tail = self.names.get(line.line.source)
        head = self.names.get(line.head or line.line.target)
        paint = self.placed.paint("line", line.line.id)
        pen = self.theme.pens[paint.tone] if paint else Pen()
        colour, width = pen.stroke or colour, (paint.width if paint else 0) or stroke.width
        if tail is None:
            tail = f"ring_{index}"
            self.graph.node(
                tail, label="", shape="point", style="invis", width="0.01", height="0.01", pos=self._at(line.points[0])
            )
        ring = line.line.ring
        attributes = {
            "id": f"e{index}",
            "class": f"layer-{layer}",
            "color": f"{colour}:invis:{colour}" if stroke.double else colour,
            "penwidth": _n(width),
            "style": stroke.style,
            "arrowhead": self._arrow(line),
            "tooltip": _tip(line.line.tooltip),
            "fontcolor": pen.text or ink_colour(self.theme, "ink" if layer == "core" else layer),
            "pos": self._path(line),
        }
        if ring:
            attributes |= {"dir": "both", "arrowtail": "odot"}
        if line.label:
            attributes |= {"label": label(line.label), "lp": self._at((line.label.area.x, line.label.area.y))}
        self.graph.edge(tail, head or tail, **attributes)

    def _path(self, line: PlacedLine) -> str:
        if line.spline:
            return given(line.points, line.tip, self.height, ring=line.line.ring)
        return bezier(line.points, self.height, ring=line.line.ring, head=self._arrow(line) != "none")

    def _arrow(self, line: PlacedLine) -> str:
        target = self.placed.diagram.node(line.line.target)
        if target and target.kind == "lookup" and line.line.layer == "core" and not line.head:
            return "none"
        return STROKES[line.line.layer].head


MARK_CLASS = {mark: mark for mark in MARKS}


def dot_source(placed: Placed, theme: Theme) -> str:
    """The DOT text of a placed diagram."""
    return _Writer(placed, theme).write()


def ink_colour(theme: Theme, ink: str, hue: int | None = None) -> str:
    """The colour of an ink."""
    if ink in ("title", "hue") and hue is not None:
        chosen = theme.hues[hue % len(theme.hues)]
        return chosen.title if ink == "title" else chosen.border
    named = {"ink": theme.ink, "muted": theme.muted, "paper": theme.paper, "title": theme.ink, "hue": theme.ink}
    return named[ink] if ink in named else theme.layers[ink]  # type: ignore[index]


def _tip(text: str) -> str:
    return literal("\\n".join(escaped(line) for line in text.split("\n")))


def _comment(lines: Sequence[str]) -> list[str]:
    return [line.replace("\\", "/") for line in lines]


def _n(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f}".rstrip("0").rstrip(".") if value else "0"
