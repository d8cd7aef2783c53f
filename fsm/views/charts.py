"""Plain machines, and the steps of a turn, as charts in text that other programs lay out: DOT for
Graphviz, and state diagrams of Mermaid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent, wrap

import graphviz

from fsm.model import Model
from fsm.views.cards import chip_word
from fsm.views.machines import (
    ANY,
    Label,
    Line,
    Machine,
    Place,
    ends,
    places_of,
    read_machine,
    start_of,
)
from fsm.views.overlays import NONE, Overlay
from fsm.views.reader import is_turn, read
from fsm.views.reading import Turn, Way, steps_of
from fsm.views.svg import Ink, Word
from fsm.wording import plain

Rows = Sequence[Sequence[Word]]
BOLD = Ink(size=12, bold=True)
SMALL = Ink("muted", 10.5)
ROOM = 34
"""How many letters of the bare events at a line stand in one row."""
_STYLES = {"left out": "dashed", "cut short": "dotted"}
_FONT = "Helvetica,Arial,Liberation Sans"
_LOOKS = {
    "state": {"peripheries": "1"},
    "final": {"peripheries": "2"},
    "any": {"style": "rounded,dashed"},
    "start": {
        "shape": "circle",
        "style": "filled",
        "fillcolor": "black",
        "fixedsize": "true",
        "width": "0.17",
        "height": "0.17",
    },
}
_FRAME = {"style": "rounded", "labeljust": "l", "margin": "14"}


def dot(model: Model) -> str:
    """Return a machine, or the steps of a turn, as DOT."""
    machine = chart_of(model)
    graph = Dot(machine).graph
    graph.attr(label=_text([[Word(machine.title)]]), labelloc="t", fontname=_FONT)
    return str(graph.source)


def _text(rows: Rows, end: str = "") -> str:
    """Return rows as a label of DOT, in which no letter means anything."""
    lines = []
    for row in rows:
        text = " ".join(word.text for word in row)
        lines.append(graphviz.escape(text.strip()))
    label: str = graphviz.nohtml((end or r"\n").join(lines) + end)  # the type is its mark
    return label


class Dot:
    """The graph of a machine, with room for the short texts of an overlay.

    Its parts are named by numbers, so that no name of a state means anything. They have the ids
    "place2" and "line3".
    """

    def __init__(self, machine: Machine, overlay: Overlay = NONE) -> None:
        self.machine = machine
        self.overlay = overlay
        self.numbers = {place: i for i, place in enumerate(machine.places)}
        nested = any(place.kind == "frame" for place in machine.places)
        gap = "0.8" if nested else "0.45"  # in inches
        self.graph = graphviz.Digraph(
            graph_attr={"compound": "true", "newrank": "true", "nodesep": gap, "ranksep": "0.4"},
            node_attr={"shape": "box", "style": "rounded", "height": "0.42", "fontname": _FONT},
            edge_attr={"arrowsize": "0.75", "fontsize": "12", "fontname": _FONT},
        )
        self.lines = [*machine.starts, *machine.lines]
        self._inside(self.graph, ANY)
        for line in machine.lines:
            self._line(line)

    def box_rows(self, place: Place) -> Rows:
        """Return what stands in a box: its name, what happens there without leaving it, and a
        chip.
        """
        stays = [[Word(str(label), SMALL)] for label in self.machine.stays.get(place, ())]
        return [[Word(place.name, BOLD)], *stays, *self._chip(place.id)]

    def line_rows(self, line: Line) -> Rows:
        """Return the labels of a line: bare events beside each other, others in rows of their
        own.
        """
        bare = " | ".join(label.event for label in line.labels if not label.more)
        rows = [[Word(row)] for row in wrap(bare, ROOM, break_long_words=False)]
        rows += [
            [Word(label.event), Word(label.more, SMALL)] for label in line.labels if label.more
        ]
        return [*rows, *self._chip(line.key)]

    def _chip(self, id: str) -> Rows:
        return [[chip_word(self.overlay, id)]] if id in self.overlay.chips else []

    def _inside(self, graph: graphviz.Digraph, frame: str) -> None:
        """Add what stands in a frame, and where it is entered."""
        for place in self.machine.inside(frame):
            name = f"place{self.numbers[place]}"
            text = _text(self.box_rows(place))
            if place.kind != "frame":
                graph.node(name, text, id=name, **_LOOKS[place.kind])
                continue
            with graph.subgraph(name=f"cluster_{name}") as box:
                box.attr(id=name, label=text, fontname=_FONT, **_FRAME)
                self._inside(box, place.id)
        for line in self.machine.starts:
            if line.source.id == frame:
                self._line(line)

    def _line(self, line: Line) -> None:
        number = self.lines.index(line)
        look = {"id": f"line{number}", "style": _STYLES.get(line.kind, "solid")}
        rows = self.line_rows(line)
        source = self.numbers[line.source]
        target = self.numbers[line.target]
        if rows:
            look["label"] = _text(rows, r"\l")
        if line.source.kind == "start":
            look["weight"] = "5"
        elif target == source + 1:
            look["weight"] = "20"  # the ordinary course is a straight line
        if line.source.kind == "frame":
            look["ltail"] = f"cluster_place{source}"
        if line.target.kind == "frame":
            look["lhead"] = f"cluster_place{target}"
        self.graph.edge(self._node(line.source), self._node(line.target), **look)

    def _node(self, place: Place) -> str:
        """Return the node for a line from or to a place: of a frame, that of what is entered."""
        while place.kind == "frame":
            place = [*self.machine.entered(place.id), *self.machine.inside(place.id)][0]
        return f"place{self.numbers[place]}"


# the steps and ways of a turn as a machine --------------------------------------------------------


_MARKS = {"full": "● ", "hollow": "○ ", "": ""}
"""Players may act in a step; only if something triggered; not at all."""


def chart_of(model: Model) -> Machine:
    """Return the machine that DOT and Mermaid show: of a turn, its phases, steps and ways.

    A phase with only one step of the same name is that step.
    """
    if not is_turn(model):
        return read_machine(model)
    turn = read(model)
    single = {phase.id: phase.single.id for phase in turn.all_phases if phase.single}
    names = {part.id: plain(part.title) for part in turn.parts if part.id not in single}
    names |= {step.id: plain(_MARKS[step.mark] + step.title) for step in turn.steps}
    places = places_of(model, names)
    lines = []
    for way in (*turn.ways, *_left_out(turn)):
        goal = Place(way.target, plain(turn.place(way.target)), kind="final")
        start = places[single.get(way.source, way.source)]
        source, target = ends(start, places.setdefault(way.target, goal), "any step")
        label = Label(plain(way.words), plain(way.rule))
        lines.append(Line(source, target, (label,), way.tells, way.kind))
    return Machine(
        title=plain(turn.title),
        states=[*places.values()][1:],
        starts=[Line(start_of(ANY), places[turn.steps[0].id])],
        lines=lines,
    )


def _left_out(turn: Turn) -> Iterator[Way]:
    """Yield a way around each phase or step that can be left out."""
    steps = turn.steps
    for part in turn.parts:
        own = steps_of([part])
        first = steps.index(own[0])
        after = first + len(own)
        for reason in part.left_out if first and after < len(steps) else ():
            ends = steps[first - 1].id, steps[after].id
            yield Way(*ends, "left out", reason.words, reason.rule, reason.tells)


# Mermaid ------------------------------------------------------------------------------------------


_INDENT = "    "


def mermaid(model: Model) -> str:
    """Return a machine, or the steps of a turn, as a state diagram with nested states."""
    machine = chart_of(model)
    names = {place: f"s{i}" for i, place in enumerate(machine.places)}
    rows = [*_frame(machine, names, ANY)]
    for line in machine.lines:
        row = f"{names[line.source]} --> {names[line.target]}"
        rows.append(f"{row} : {_safe(line.words)}" if line.words else row)
    rows += [f"{name} --> [*]" for place, name in names.items() if place.kind == "final"]
    title = json.dumps(machine.title, ensure_ascii=False)
    text = "\n".join(rows)
    return f"---\ntitle: {title}\n---\nstateDiagram-v2\n{indent(text, _INDENT)}\n"


def _frame(machine: Machine, names: Mapping[Place, str], frame: str) -> Iterator[str]:
    """Yield what stands in a frame."""
    for place in machine.inside(frame):
        name = names[place]
        named = f'state "{_safe(place.name)}" as {name}'
        if place.kind == "frame":
            inside = "\n".join(_frame(machine, names, place.id))
            yield f"{named} {{\n{indent(inside, _INDENT)}\n}}"
        elif place.kind != "start":
            yield named
        for label in machine.stays.get(place, ()):
            yield f"{name} : {_safe(label)}"
    for target in machine.entered(frame):
        yield f"[*] --> {names[target]}"


def _safe(text: object) -> str:
    """Return a text in which no letter means anything to Mermaid."""
    return _MEANING.sub(lambda found: f"#{ord(found[0])};", str(text))


_MEANING = re.compile(r"[^\w\s.,()'|/-]|(?<![^\W_])_|_(?![^\W_])")
"""Also "_" at the begin or end of a word, which makes it bold or slanted."""
