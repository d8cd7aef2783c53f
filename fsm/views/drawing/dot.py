"""Any view as DOT: Graphviz places it, so it has our words, shapes and lines, but not our layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

import graphviz

from fsm.model import Model
from fsm.views.drawing.diagram import Box, Line, Node, NodeKind
from fsm.views.drawing.marking import OUTLINES
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.palette import FONT, STROKES, Theme
from fsm.views.drawing.palette import theme as theme_of
from fsm.views.drawing.textview import TextView, naming, text_view
from fsm.views.drawing.throughgraphviz import escaped, literal

SHAPES: Mapping[NodeKind, Mapping[str, str]] = {
    "card": {"shape": "box", "style": "rounded,filled"},
    "hub": {"shape": "box", "style": "rounded,filled", "peripheries": "2"},
    "action": {"shape": "box", "style": "filled"},
    "stage": {"shape": "box", "style": "filled"},
    "window": {"shape": "box", "style": "rounded,filled"},
    "choice": {"shape": "diamond", "style": "filled"},
    "lookup": {"shape": "diamond", "style": "filled"},
    "start": {"shape": "ellipse", "style": "filled"},
    "final": {"shape": "ellipse", "style": "filled", "peripheries": "2"},
    "word": {"shape": "plaintext"},
}


_LONGEST = 100
"""How many letters a line of the caption has."""


def dot(model: Model, options: DrawOptions) -> str:
    """The view as DOT. Raises DrawError when the model has no such view.

    Comments name the transitions that have no line of their own: what all steps share is drawn
    once, and what changes no state is not drawn.
    """
    writer = _Writer(text_view(model, options), theme_of(options.theme))
    for row in model.transitions:
        if row.generic or row.target is None:
            id = "".join(c if c.isprintable() and c != "\\" else "?" for c in row.id)
            writer.graph.body.append(f"\t// {id[:1000]}\n")  # dot reads no very long line
    return writer.write()


class _Writer:
    def __init__(self, view: TextView, theme: Theme) -> None:
        self.view = view
        self.diagram = view.diagram
        self.theme = theme
        self.names = naming(view.diagram)
        self.graph = graphviz.Digraph("fsm")

    def write(self) -> str:
        title = [self.diagram.title]
        for said in self.diagram.caption:
            title += wrap(said, _LONGEST)
        self.graph.attr(
            "graph",
            label=_label(title),
            labelloc="t",
            bgcolor=self.theme.paper,
            fontcolor=self.theme.ink,
            fontname=FONT,
            compound="true",
        )
        self.graph.attr("node", fontname=FONT, fontsize="11", width="0.3", height="0.3")
        self.graph.attr("edge", fontname=FONT, fontsize="9")
        boxed = {box.id for box in self.diagram.boxes}
        for node in self.diagram.nodes:
            if node.box not in boxed:
                self._node(self.graph, node)
        self._boxes(self.graph, "")
        for line in self.diagram.lines:
            self._line(line)
        return str(self.graph.source)

    def _boxes(self, graph: graphviz.Digraph, around: str) -> None:
        for box in self.diagram.boxes:
            if box.inside == around:
                with graph.subgraph(name=f"cluster_{self.names[box.id]}") as cluster:
                    self._box(cluster, box)

    def _box(self, graph: graphviz.Digraph, box: Box) -> None:
        hue = self.theme.hue(box.hue)
        title = f"{self.view.before(box)}{box.title}  {box.rule}".strip()
        graph.attr(
            "graph",
            label=_label([title, *(note.words for note in box.notes)]),
            tooltip=_label(box.tooltip.split("\n")),
            **self._paint(box, hue.border, hue.tint, hue.title),
            style="rounded,filled",
        )
        # Lines that leave or enter the box as a whole have their end here.
        graph.node(self.names[box.id], label="", shape="point", style="invis")
        for node in self.diagram.nodes:
            if node.box == box.id:
                self._node(graph, node)
        self._boxes(graph, box.id)

    def _node(self, graph: graphviz.Digraph, node: Node) -> None:
        theme, border = self.theme, self.theme.ink
        fill = theme.surface
        if node.kind in ("hub", "lookup"):
            border = theme.layers["extra"]
        elif node.kind in ("start", "final"):
            fill = theme.surface if node.title or node.lines else theme.ink
        elif node.hue is not None:
            border = theme.hue(node.hue).border
        ink = theme.layers["jump"] if node.kind == "word" else theme.ink
        graph.node(
            self.names[node.id],
            label=_label([*self.view.node_lines(node), self.view.rule_of(node)]),
            tooltip=_label(node.tooltip.split("\n")),
            **SHAPES[node.kind],
            **self._paint(node, border, fill, ink),
        )

    def _line(self, line: Line) -> None:
        stroke, colour = STROKES[line.layer], self.theme.layers[line.layer]
        ends = {}
        for name, end in (("ltail", line.source), ("lhead", line.target)):
            if any(box.id == end for box in self.diagram.boxes):
                ends[name] = f"cluster_{self.names[end]}"
        paint = self._paint(line, colour, "", self.theme.ink if line.layer == "core" else colour)
        if stroke.double:
            paint["color"] = f"{paint['color']}:invis:{paint['color']}"
        self.graph.edge(
            self.names[line.source],
            self.names[line.target],
            label=_label([*self.view.line_lines(line), line.rule]),
            tooltip=_label(line.tooltip.split("\n")),
            style=stroke.style,
            arrowhead=stroke.head,
            **paint,
            **ends,
        )

    def _paint(
        self, part: Node | Box | Line, colour: str, fill: str, letters: str
    ) -> dict[str, str]:
        """The colours of a part. What an overlay says of it wins."""
        width = "1.5"
        if part.id in self.view.signs:
            colour, width = OUTLINES[self.view.signs[part.id]].colour(self.theme), "3"
        elif part.id in self.view.tones:
            tone = self.view.tones[part.id]
            pen = self.theme.pens[tone]
            colour, fill = pen.stroke or colour, pen.fill or fill
            letters = pen.text or letters
            width = "1.5" if tone == "faded" else "3"
        return {
            "color": colour,
            "fontcolor": letters,
            "penwidth": width,
            **({"fillcolor": fill} if fill else {}),
        }


def _label(lines: Sequence[str]) -> str:
    """Lines of text; what is empty is left out."""
    return literal("\\n".join(escaped(line) for line in lines if line))
