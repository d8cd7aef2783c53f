"""Plain machines as DOT, for Graphviz. The steps of a turn can be written so, too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import graphviz

from fsm.model import Model
from fsm.views.cards import CHIPS
from fsm.views.charts import chart_of
from fsm.views.machines import ANY, Label, Line, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.svg import COLOURS, width
from fsm.wording import label_of, plain

FONT = "Helvetica,Arial,Liberation Sans"
ROOM = 190.0
"""How wide the labels of a line may be, in pixels. A longer one has several rows."""
LIGHT = {name: pair[0].lower() for name, pair in COLOURS.items()}
_STYLES = {"left out": "dashed", "cut short": "dotted"}
_HEAVY = "2.6"
"""The width of what an overlay marks."""


def dot(model: Model) -> str:
    """Return a machine, or the steps of a turn, as DOT."""
    machine = chart_of(model)
    graph = graph_of(machine)
    graph.attr(label=f"<<b>{_safe(machine.title)}</b>>", labelloc="t", labeljust="l", fontname=FONT)
    return str(graph.source)


def graph_of(machine: Machine, overlay: Overlay = NONE) -> graphviz.Digraph:
    """Return the graph. Parts are named by numbers, so that no name of a state means anything.

    An overlay names states and transitions by their ids.
    """
    return _Graph(machine, overlay).graph


class _Graph:
    def __init__(self, machine: Machine, overlay: Overlay) -> None:
        self.machine = machine
        self.overlay = overlay
        self.numbers = {state.id: i for i, state in enumerate(machine.states)}
        gap = "0.8" if any(state.parent for state in machine.states) else "0.45"  # in inches
        self.graph = graphviz.Digraph(
            graph_attr={"compound": "true", "newrank": "true", "nodesep": gap, "ranksep": "0.4"},
            node_attr={
                "shape": "box",
                "style": "rounded,filled",
                "fillcolor": LIGHT["surface"],
                "color": LIGHT["core"],
                "fontname": FONT,
                "fontsize": "12",
                "fontcolor": LIGHT["ink"],
                "height": "0.42",
                "penwidth": "1.3",
            },
            edge_attr={
                "color": LIGHT["core"],
                "fontname": FONT,
                "fontsize": "11.5",
                "fontcolor": LIGHT["ink"],
                "arrowsize": "0.75",
                "penwidth": "1.3",
            },
        )
        self._frame(self.graph, ANY)
        for i, line in enumerate(machine.lines):
            self._line(i, line)

    def _frame(self, graph: graphviz.Digraph, frame: str) -> None:
        """Add what is inside of a frame."""
        for state in self.machine.inside(frame):
            number = self.numbers[state.id]
            if self.machine.inside(state.id):
                with graph.subgraph(name=f"cluster_{number}") as box:
                    box.attr(
                        id=f"state{number}",
                        label=f"<{_bold(label_of(state))}>",
                        labeljust="l",
                        fontname=FONT,
                        fontsize="12",
                        fontcolor=LIGHT["ink"],
                        margin="14",
                        **self._look(state.id, "soft"),
                    )
                    self._frame(box, state.id)
            else:
                rings = {"peripheries": "2"} if state.kind == "final" else {}
                label = self._titled(state.id, label_of(state))
                look = self._look(state.id, "surface") | rings
                graph.node(f"s{number}", label, id=f"state{number}", **look)
        starts = [target for place, target in self.machine.starts if place == frame]
        if starts:
            self._start(graph, frame, starts)
        if frame in self.machine.crowds:
            name, said = self._crowd(frame), self.machine.any
            graph.node(
                name,
                self._titled(frame, said),
                id=name,
                style="rounded,dashed",
                color=LIGHT["muted"],
            )

    def _look(self, id: str, ground: str) -> dict[str, str]:
        """Return how a state is painted."""
        fill, edge = self.overlay.fills.get(id, ground), self.overlay.edges.get(id, "core")
        gone = fill == "gone"
        heavy = id in self.overlay.edges or fill == "now"
        return {
            "style": "rounded,filled,dashed" if gone else "rounded,filled",
            "fillcolor": LIGHT[ground if gone else fill],
            "color": LIGHT["jump" if gone else edge],
            "penwidth": _HEAVY if heavy else "1.3",
        }

    def _titled(self, id: str, name: str) -> str:
        """Return the name of a state, above what happens in it without leaving it."""
        rows = [_bold(name)]
        for label in self.machine.stays.get(id, ()):
            rows.append(_small(f"{label.event} {label.more}".strip()))
        if chip := self.overlay.chips.get(id):
            rows.append(_chip(chip))
        return f"<{'<br/>'.join(rows)}>"

    def _start(self, graph: graphviz.Digraph, frame: str, targets: Iterable[str]) -> None:
        name, size = f"start{self.numbers.get(frame, '')}", "0.17" if frame == ANY else "0.13"
        look = {"shape": "circle", "style": "filled", "fillcolor": LIGHT["core"]}
        graph.node(name, "", width=size, height=size, fixedsize="true", id=name, **look)
        for target in targets:
            self.graph.edge(name, self._leaf(target), weight="5", **self._head(target))

    def _crowd(self, frame: str) -> str:
        return f"any{self.numbers.get(frame, '')}"

    def _line(self, number: int, line: Line) -> None:
        look = {"id": f"line{number}", "style": _STYLES.get(line.kind, "solid")}
        key = line.tells[0] if line.tells else ""
        chip = self.overlay.chips.get(key, "")
        if chip or any(label.event or label.more for label in line.labels):
            look["label"] = _labels(line.labels, chip)
        if edge := self.overlay.edges.get(key):
            look |= {"color": LIGHT[edge], "penwidth": _HEAVY}
        source, target = self.numbers.get(line.source, 0), self.numbers.get(line.target, 0)
        tail = self._crowd(line.source) if line.inside else self._leaf(line.source)
        if line.inside and line.target in (ANY, line.source):
            self.graph.edge(tail, tail, **look)
            return
        if not line.inside and target == source + 1:
            look["weight"] = "20"  # the ordinary course is a straight line
        if not line.inside and self.machine.inside(line.source):
            look["ltail"] = f"cluster_{source}"
        self.graph.edge(tail, self._leaf(line.target), **look, **self._head(line.target))

    def _leaf(self, id: str) -> str:
        """Return the node for a line from or to a state: of a frame, the one that is entered."""
        inside = self.machine.inside(id)
        if not inside:
            return f"s{self.numbers[id]}"
        entered = [target for place, target in self.machine.starts if place == id]
        return self._leaf(entered[0] if entered else inside[0].id)

    def _head(self, id: str) -> dict[str, str]:
        framed = bool(self.machine.inside(id))
        return {"lhead": f"cluster_{self.numbers[id]}"} if framed else {}


def _labels(labels: Sequence[Label], chip: str) -> str:
    """Return the labels of a line: bare events beside each other, others in rows of their own."""
    rows: list[str] = []
    bare = ""
    for label in labels:
        if label.more:
            rows.append(_said(label))
        elif bare and width(f"{bare} | {label.event}") <= ROOM:
            bare = f"{bare} | {label.event}"
        else:
            rows += [_safe(bare)] if bare else []
            bare = label.event
    rows = [*([_safe(bare)] if bare else []), *rows, *([_chip(chip)] if chip else [])]
    lines = [f'&#160;{row}&#160;<br align="left"/>' for row in rows]
    return f"<{''.join(lines)}>"


def _said(label: Label) -> str:
    """Return an event with its conditions and what is done then."""
    event = _safe(label.event)
    return f"{event}{_small(f' {label.more}')}" if label.more else event


def _bold(text: str, colour: str = "ink") -> str:
    return f'<font color="{LIGHT[colour]}"><b>{_safe(text)}</b></font>'


def _chip(text: str) -> str:
    """Return a short text of an overlay."""
    return _bold(text, CHIPS.get(text, "ink"))


def _small(text: str) -> str:
    return f'<font color="{LIGHT["muted"]}" point-size="10.5">{_safe(text)}</font>'


def _safe(text: str) -> str:
    return escape(plain(text))
