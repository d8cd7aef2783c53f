"""Placing any other model: Graphviz's own layered layout decides where everything goes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import graphviz

from fsm.errors import DrawError
from fsm.views.drawing.diagram import ANYWHERE, Diagram, Line, Node
from fsm.views.drawing.labels import FAR, Board, around, board_of, end_named
from fsm.views.drawing.measures import (
    BOX_NAME,
    CARD_HEIGHT,
    LABEL,
    LEADING,
    ORIGIN,
)
from fsm.views.drawing.metrics import text_width, wrap
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import (
    Placed,
    PlacedBox,
    PlacedLine,
    PlacedNode,
    Point,
    Rect,
    Text,
    Words,
    text_size,
)
from fsm.views.drawing.splines import flattened
from fsm.views.drawing.texts import SIZES, card_text, label_words, name_width, said_in, title_text

CARD_WIDEST, _CARD_NARROWEST, _LABEL_WIDTH = 178.0, 90.0, 150.0
_NAME_PADDING, _LINE_PADDING, _ABOVE_LINES = 24.0, 10.0, 24.0
_BOX_NAME_LEFT, _BOX_NAME_TOP = 12.0, 5.0
_NODE_GAP, _ROW_GAP = 0.34, 0.3  # in inches
_WIDER, _FEW_LINES = (1.0, 1.6, 2.4), 30
"""Wider gaps that are tried while a label has no place at its own line; of large pictures, only the
first.
"""
_POINTS = 72  # in an inch, which is Graphviz's unit of sizes


def escaped(text: str) -> str:
    """A text as a DOT label: no escape sequence, no entity and no HTML in it is ever obeyed."""
    return literal(text.replace("&", "&amp;").replace("\\", "\\\\"))


def literal(text: str) -> str:
    """A text that is never taken for HTML, though it may begin with "<" and end with ">"."""
    made: str = graphviz.nohtml(text)
    return made


def place_by_dot(diagram: Diagram) -> Placed:
    """Place a diagram with the `dot` engine. Raises DrawError when the program does not work."""
    tried: list[tuple[int, Placed]] = []
    for wider in _WIDER if len(diagram.lines) <= _FEW_LINES else _WIDER[:1]:
        tried.append(_ByDot(diagram, wider).place())
        if not tried[-1][0]:
            break
    return min(tried, key=lambda one: one[0])[1]


class _ByDot:
    def __init__(self, diagram: Diagram, wider: float) -> None:
        self.diagram = diagram
        self.wider = wider
        self.homeless = 0
        used = any(line.source == ANYWHERE.id for line in diagram.lines)
        self.nodes = [*diagram.nodes, *([ANYWHERE] if used else [])]
        self.index = {node.id: f"n{i}" for i, node in enumerate(self.nodes)}

    def place(self) -> tuple[int, Placed]:
        """How many labels stand nearer to another line than to their own, and where everything is."""
        found = _laid_out(self._source())
        self.height = float(found["bb"].split(",")[3])
        objects = {o["name"]: o for o in found.get("objects", [])}
        nodes = [self._node(n, objects[self.index[n.id]]) for n in self.nodes]
        boxes = [
            self._box(i, objects)
            for i in range(len(self.diagram.boxes))
            if f"cluster_{i}" in objects
        ]
        edges = {e["id"]: e for e in found.get("edges", [])}
        lines = [self._line(line, edges[f"e{i}"]) for i, line in enumerate(self._drawn())]
        paths = {line.line.id: flattened(line.points) for line in lines}
        board = board_of([node.area for node in nodes], (), [box.area for box in boxes], paths)
        boxes, lines = self._relabelled(board, boxes, lines)
        placed = framed(self.diagram, [end_named(n, board) for n in nodes], boxes, lines)
        return self.homeless, placed

    def _relabelled(
        self, board: Board, boxes: Sequence[PlacedBox], lines: Sequence[PlacedLine]
    ) -> tuple[list[PlacedBox], list[PlacedLine]]:
        """Graphviz keeps labels off nodes but not off other lines: such labels move along their
        line.
        """
        titled = [replace(box, title=board.stand(self._corners(box))[0]) for box in boxes]
        happy = {
            line.line.id: board.settle([line.label], line.line.id) for line in lines if line.label
        }
        return titled, [
            line if happy.get(line.line.id) else self._relabel(board, line) for line in lines
        ]

    def _corners(self, box: PlacedBox) -> list[Text]:
        """Places for a title: along the upper border of its box, then along the lower one."""
        area, old = box.area, box.title.area
        free = area.width - 2 * _BOX_NAME_LEFT - old.width
        lefts = [area.left + _BOX_NAME_LEFT + free * share for share in (0.0, 1.0, 0.5, 0.25, 0.75)]
        return [
            Text.at(box.title.lines, left, top)
            for top in (area.top + _BOX_NAME_TOP, area.bottom - _BOX_NAME_TOP - old.height)
            for left in lefts
        ]

    def _relabel(self, board: Board, line: PlacedLine) -> PlacedLine:
        if line.label is None:
            return line
        points = flattened(line.points)
        found = board.settle(around(line.label.lines, points), line.line.id)
        self.homeless += found is None
        found = found or board.settle(around(line.label.lines, points))
        found = found or board.squeeze(around(line.label.lines, points, FAR))
        return replace(line, label=found or line.label)

    def _drawn(self) -> list[Line]:
        """The lines whose ends are there."""
        ends = {*self.index, *(b.id for b in self.diagram.boxes)}
        drawn = [
            line for line in self.diagram.lines if line.source in ends and line.target in self.index
        ]
        return [
            replace(line, words=line.words[1:]) if line.source == ANYWHERE.id else line
            for line in drawn
        ]

    def _source(self) -> str:
        graph = graphviz.Digraph()
        graph.attr(
            "graph",
            rankdir="TB",
            newrank="true",
            compound="true",
            splines="spline",
            nodesep=f"{_NODE_GAP * self.wider:.3g}",
            ranksep=f"{_ROW_GAP * self.wider:.3g}",
        )
        graph.attr("node", shape="box", fixedsize="true", label="")
        graph.attr("edge", fontname="Helvetica", fontsize="8.5")
        self._clusters(graph, "")
        for node in self.nodes:
            width, height = self._size(node)
            graph.node(
                self.index[node.id],
                width=f"{width / _POINTS:.4f}",
                height=f"{height / _POINTS:.4f}",
            )
        for i, line in enumerate(self._drawn()):
            self._edge(graph, i, line)
        return str(graph.source)

    def _clusters(self, graph: graphviz.Digraph, around: str) -> None:
        for i, box in enumerate(self.diagram.boxes):
            if box.inside == around:
                with graph.subgraph(name=f"cluster_{i}") as cluster:
                    cluster.attr(
                        "graph",
                        label=_as_wide(title_text(box)),
                        fontname="Helvetica",
                        fontsize="10.5",
                        margin="14",
                    )
                    for node in self.nodes:
                        if node.box == box.id:
                            cluster.node(self.index[node.id])
                    self._clusters(cluster, box.id)

    def _edge(self, graph: graphviz.Digraph, index: int, line: Line) -> None:
        words = [f"  {escaped(w.text)}  " for w in label_words(line, _LABEL_WIDTH)]
        attributes = {"label": literal("\\n".join(words))} if line.words else {}
        attributes |= {} if line.layer == "core" else {"weight": "0"}
        tail = self.index.get(line.source)
        if tail is None:
            box = next(i for i, b in enumerate(self.diagram.boxes) if b.id == line.source)
            inside = (n.id for n in self.nodes if line.source in self.diagram.around(n.box))
            tail = self.index[next(inside, line.target)]
            attributes["ltail"] = f"cluster_{box}"
        graph.edge(tail, self.index[line.target], id=f"e{index}", **attributes)

    def _size(self, node: Node) -> Point:
        if node.kind in SIZES:
            return SIZES[node.kind], SIZES[node.kind]
        width = min(CARD_WIDEST, max(_CARD_NARROWEST, name_width(node) + _NAME_PADDING))
        lines = len(wrap(said_in(node), width - _LINE_PADDING, LABEL))
        return width, max(CARD_HEIGHT, _ABOVE_LINES + LEADING[LABEL] * lines)

    def _point(self, text: str) -> Point:
        x, y = text.removeprefix("e,").removeprefix("s,").split(",")
        return float(x), self.height - float(y)

    def _node(self, node: Node, found: Mapping[str, Any]) -> PlacedNode:
        x, y = self._point(found["pos"])
        area = Rect.around(x, y, *self._size(node))
        if node.kind == "word":
            words = (Words(node.title, ORIGIN, True, "jump"),)
            return PlacedNode(
                node, area, Text(words, Rect.around(x, y, area.width, LEADING[ORIGIN]))
            )
        return PlacedNode(node, area, card_text(node, area) if node.kind not in SIZES else None)

    def _box(self, index: int, objects: Mapping[str, Any]) -> PlacedBox:
        box = self.diagram.boxes[index]
        left, low, right, high = map(float, objects[f"cluster_{index}"]["bb"].split(","))
        area = Rect(left, self.height - high, right, self.height - low)
        return PlacedBox(
            box,
            area,
            Text.at(title_text(box), area.left + _BOX_NAME_LEFT, area.top + _BOX_NAME_TOP),
        )

    def _line(self, line: Line, found: Mapping[str, Any]) -> PlacedLine:
        marked = [p for p in found["pos"].split(" ") if p]
        end = next((self._point(p) for p in marked if p.startswith("e,")), None)
        points = [self._point(p) for p in marked if p[1] != ","]
        label = None
        if line.words and "lp" in found:
            x, y = self._point(found["lp"])
            words = tuple(label_words(line, _LABEL_WIDTH))
            label = Text(words, Rect.around(x, y, *text_size(words)))
        return PlacedLine(line, tuple(points), label, spline=True, tip=end)


def _laid_out(source: str) -> dict[str, Any]:
    """What the program `dot` makes of a DOT text. Raises DrawError when it does not work."""
    try:
        found: dict[str, Any] = json.loads(
            graphviz.Source(source).pipe("json0", encoding="utf-8", quiet=True)
        )
    except graphviz.ExecutableNotFound:
        raise DrawError(
            "this picture is laid out by Graphviz, and its program dot is not installed; install "
            "it from https://graphviz.org/download, or write Mermaid (.mmd) or DOT (.dot)"
        ) from None
    except (graphviz.CalledProcessError, OSError) as error:
        said = " ".join(str(error).split())
        raise DrawError(f"Graphviz cannot lay out this picture: {said[:200]}") from error
    return found


def _as_wide(words: Sequence[Words]) -> str:
    """Letters at least as wide as these words: renderers disagree on how wide a rare letter is."""
    return "n" * math.ceil(text_size(words)[0] / text_width("n", BOX_NAME))
