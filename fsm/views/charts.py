"""Plain machines, and the steps of a turn, as charts in text that other programs lay out: DOT for
Graphviz, and state diagrams of Mermaid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import graphviz

from fsm.model import Model, State
from fsm.views.cards import chip_word
from fsm.views.machines import ANY, Label, Line, Machine, read_machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.reader import is_turn, read
from fsm.views.reading import Phase, Reason, Turn, Way
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
    return [[chip_word(overlay, id)] for id in ids if id in overlay.chips]


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
    alone = {part.id: part.single for part in turn.parts if isinstance(part, Phase)}
    only = {id: step.id for id, step in alone.items() if step}
    states = [*_states(turn, only)]
    known = {state.id for state in states}
    for way in turn.ways:
        if way.target not in known:
            known.add(way.target)
            name = turn.names.get(way.target, way.target)
            states.append(State(way.target, "final", label=name))
    lines = [*_ways(turn, only), *_left_out(turn)]
    starts = ((ANY, turn.steps[0].id),)
    return Machine(
        title=turn.title,
        states=tuple(states),
        starts=starts,
        lines=tuple(lines),
        stays={},
        transitions=len(lines),
        any="any step",
    )


def _states(turn: Turn, only: dict[str, str]) -> Iterator[State]:
    for part in turn.parts:
        phase = turn.phase_of(part.id)
        parent = phase.id if phase and phase.id not in only else ""
        if not isinstance(part, Phase):
            yield State(part.id, "stage", label=_MARKS[part.mark] + part.title, parent=parent)
        elif part.id not in only:
            yield State(part.id, "phase", label=part.title, parent=parent)


def _ways(turn: Turn, only: dict[str, str]) -> Iterator[Line]:
    inside: dict[str, set[str]] = {}
    for part in turn.parts:
        if isinstance(part, Phase):
            inside[part.id] = {step.id for step in part.steps}
    for way in turn.ways:
        stays = not way.source or way.target in inside.get(way.source, ())
        source = only.get(way.source, way.source)
        yield Line(
            source=source,
            target=way.target,
            labels=_said(way),
            tells=way.tells,
            inside=stays,
            kind=way.kind,
        )


def _left_out(turn: Turn) -> Iterator[Line]:
    """Yield a line around each phase or step that can be left out."""
    ids = [step.id for step in turn.steps]
    for part in turn.parts:
        own = part.steps if isinstance(part, Phase) else (part,)
        before = ids[: ids.index(own[0].id)]
        after = ids[ids.index(own[-1].id) + 1 :]
        for reason in part.left_out if before and after else ():
            yield Line(
                source=before[-1],
                target=after[0],
                labels=_said(reason),
                tells=reason.tells,
                kind="left out",
            )


def _said(told: Way | Reason) -> tuple[Label, ...]:
    if told.words:
        return (Label(told.words, told.rule),)
    return ()


# Mermaid ------------------------------------------------------------------------------------------


def mermaid(model: Model) -> str:
    """Return a machine, or the steps of a turn, as a state diagram with nested states."""
    machine = chart_of(model)
    numbers = {state.id: f"s{i}" for i, state in enumerate(machine.states)}
    title = json.dumps(plain(machine.title), ensure_ascii=False)
    lines = ["---", f"title: {title}", "---", "stateDiagram-v2"]
    lines += _frame(machine, numbers, ANY, "    ")
    for line in machine.lines:
        source = f"any{numbers.get(line.source, '')}" if line.inside else numbers[line.source]
        again = line.inside and line.target in (ANY, line.source)
        target = source if again else numbers[line.target]
        said = " | ".join(map(_label, line.labels))
        lines.append(f"    {source} --> {target}{f' : {said}' if said else ''}")
    for state in machine.states:
        if state.kind == "final":
            lines.append(f"    {numbers[state.id]} --> [*]")
    return "\n".join(lines) + "\n"


def _frame(machine: Machine, numbers: dict[str, str], frame: str, indent: str) -> Iterator[str]:
    """Yield what is inside of a frame."""
    for state in machine.inside(frame):
        nested = bool(machine.inside(state.id))
        name = numbers[state.id]
        yield f'{indent}state "{_safe(label_of(state))}" as {name}{" {" if nested else ""}'
        if nested:
            yield from _frame(machine, numbers, state.id, indent + "    ")
            yield indent + "}"
        for label in () if nested else machine.stays.get(state.id, ()):
            yield f"{indent}{name} : {_label(label)}"
    if frame in machine.crowds:
        name = f"any{numbers.get(frame, '')}"
        yield f'{indent}state "{machine.any}" as {name}'
        for label in machine.stays.get(frame, ()):
            yield f"{indent}{name} : {_label(label)}"
    for place, target in machine.starts:
        if place == frame:
            yield f"{indent}[*] --> {numbers[target]}"


def _label(label: Label) -> str:
    return _safe(str(label))


def _safe(text: str) -> str:
    """Return a text in which no letter means anything to Mermaid."""
    return _MEANING.sub(lambda found: f"#{ord(found[0])};", plain(text))


_MEANING = re.compile(r"[^\w\s.,()'|/-]|(?<![^\W_])_|_(?![^\W_])")
"""Also "_" at the begin or end of a word, which makes it bold or slanted."""
