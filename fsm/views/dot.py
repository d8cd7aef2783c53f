"""Plain machines as DOT, for Graphviz. The steps of a turn can be written so, too."""

from __future__ import annotations

from collections.abc import Sequence

import graphviz

from fsm.model import Model, State
from fsm.views.cards import chip_word
from fsm.views.charts import chart_of
from fsm.views.machines import ANY, Line, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.svg import Ink, Word, width
from fsm.wording import label_of, plain

Rows = Sequence[Sequence[Word]]
BOLD = Ink(size=12, bold=True)
SMALL = Ink("muted", 10.5)
ROOM = 190.0
"""How wide the labels of a line may be, in pixels. A longer one has several rows."""
_STYLES = {"left out": "dashed", "cut short": "dotted"}
_FONT = "Helvetica,Arial,Liberation Sans"
_DISC = {"shape": "circle", "style": "filled", "fillcolor": "black", "fixedsize": "true"}
_FRAME = {"style": "rounded", "labeljust": "l", "margin": "14"}


def dot(model: Model) -> str:
    """Return a machine, or the steps of a turn, as DOT."""
    machine = chart_of(model)
    graph = graph_of(machine)
    graph.attr(label=_text([[Word(plain(machine.title))]]), labelloc="t", fontname=_FONT)
    return str(graph.source)


def graph_of(machine: Machine, overlay: Overlay = NONE) -> graphviz.Digraph:
    """Return the graph, with room for the short texts of an overlay.

    Its parts are named by numbers, so that no name of a state means anything. They have the ids
    "state2", "line3", "start1" and "any1".
    """
    return _Graph(machine, overlay).graph


def box_rows(name: str, machine: Machine, overlay: Overlay, id: str) -> Rows:
    """Return what stands in a box: its name, what happens there without leaving it, and a chip."""
    rows = [[Word(plain(name), BOLD)]]
    for label in machine.stays.get(id, ()):
        rows.append([Word(plain(str(label)), SMALL)])
    return [*rows, *_chip(overlay, id)]


def line_rows(line: Line, overlay: Overlay) -> Rows:
    """Return the labels of a line: bare events beside each other, others in rows of their own."""
    bare: list[str] = []
    rows: list[list[Word]] = []
    for label in line.labels:
        event = plain(label.event)
        if label.more:
            rows.append([Word(event), Word(plain(label.more), SMALL)])
        elif bare and width(f"{bare[-1]} | {event}") <= ROOM:
            bare[-1] += f" | {event}"
        elif event:
            bare.append(event)
    return [*([Word(text)] for text in bare), *rows, *_chip(overlay, *line.tells[:1])]


def _chip(overlay: Overlay, *ids: str) -> Rows:
    texts = [overlay.chips[id] for id in ids if id in overlay.chips]
    return [[chip_word(text)] for text in texts]


def _text(rows: Rows, end: str = "") -> str:
    """Return rows as a label of DOT, in which no letter means anything."""
    lines = []
    for row in rows:
        words = [word.text for word in row if word.text]
        lines.append(" ".join(words))
    text: str = graphviz.nohtml((end or r"\n").join(map(graphviz.escape, lines)) + end)
    return text


class _Graph:
    def __init__(self, machine: Machine, overlay: Overlay) -> None:
        self.machine = machine
        self.overlay = overlay
        self.numbers = {state.id: i for i, state in enumerate(machine.states)}
        nested = any(state.parent for state in machine.states)
        gap = "0.8" if nested else "0.45"  # in inches
        self.graph = graphviz.Digraph(
            graph_attr={"compound": "true", "newrank": "true", "nodesep": gap, "ranksep": "0.4"},
            node_attr={"shape": "box", "style": "rounded", "height": "0.42", "fontname": _FONT},
            edge_attr={"arrowsize": "0.75", "fontsize": "12", "fontname": _FONT},
        )
        self._inside(self.graph, ANY)
        for i, line in enumerate(machine.lines):
            self._line(i, line)

    def _inside(self, graph: graphviz.Digraph, frame: str) -> None:
        """Add what is inside of a frame: its states, where it is entered, and any of its states."""
        for state in self.machine.inside(frame):
            self._state(graph, state)
        number = self.numbers.get(frame, "")
        targets = [target for place, target in self.machine.starts if place == frame]
        if targets:
            size = "0.13" if frame else "0.17"
            name = f"start{number}"
            graph.node(name, "", id=name, width=size, height=size, **_DISC)
            for target in targets:
                self.graph.edge(name, self._leaf(target), weight="5", **self._head(target))
        if frame in self.machine.crowds:
            self._box(graph, f"any{number}", self.machine.any, frame, style="rounded,dashed")

    def _state(self, graph: graphviz.Digraph, state: State) -> None:
        name = f"state{self.numbers[state.id]}"
        if not self.machine.inside(state.id):
            rings = "2" if state.kind == "final" else "1"
            self._box(graph, name, label_of(state), state.id, peripheries=rings)
            return
        with graph.subgraph(name=f"cluster_{name}") as box:
            label = _text([[Word(label_of(state))]])
            box.attr(id=name, label=label, fontname=_FONT, **_FRAME)
            self._inside(box, state.id)

    def _box(self, graph: graphviz.Digraph, name: str, title: str, id: str, **look: str) -> None:
        rows = box_rows(title, self.machine, self.overlay, id)
        graph.node(name, _text(rows), id=name, **look)

    def _line(self, number: int, line: Line) -> None:
        look = {"id": f"line{number}", "style": _STYLES.get(line.kind, "solid")}
        rows = line_rows(line, self.overlay)
        if rows:
            look["label"] = _text(rows, r"\l")
        tail = self._leaf(line.source)
        again = False
        if line.inside:
            tail = f"any{self.numbers.get(line.source, '')}"
            again = line.target in (ANY, line.source)
        elif self.numbers[line.target] == self.numbers[line.source] + 1:
            look["weight"] = "20"  # the ordinary course is a straight line
        if self.machine.inside(line.source) and not line.inside:
            look["ltail"] = f"cluster_state{self.numbers[line.source]}"
        head = tail if again else self._leaf(line.target)
        self.graph.edge(tail, head, **look, **({} if again else self._head(line.target)))

    def _leaf(self, id: str) -> str:
        """Return the node for a line from or to a state: of a frame, the one that is entered."""
        inside = self.machine.inside(id)
        if not inside:
            return f"state{self.numbers[id]}"
        entered = [target for place, target in self.machine.starts if place == id]
        return self._leaf(entered[0] if entered else inside[0].id)

    def _head(self, id: str) -> dict[str, str]:
        framed = bool(self.machine.inside(id))
        if framed:
            return {"lhead": f"cluster_state{self.numbers[id]}"}
        return {}
