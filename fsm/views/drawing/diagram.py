"""The diagram model: what is to be seen, before anybody knows where. Plain values, no model, no
Graphviz.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fsm.model import Layer

NodeKind = Literal[
    "card",
    "action",
    "window",
    "stage",
    "choice",
    "lookup",
    "start",
    "final",
    "hub",
    "word",
    "frame",
]
Mark = Literal["", "natural", "conditional"]
RowPlacement = Literal["", "before", "after"]


@dataclass(frozen=True, slots=True)
class Node:
    """A card, stage, choice, disc or word. `box` is the id of the box it stands in, "" for none.

    `lines` are the muted lines under the title; `mark` says who gets to act; `hue` is the number
    of its kind of phase, None for none; `place` "before" or "after" stands outside its box. `fills`
    is a card that is the whole of its box.
    """

    id: str
    kind: NodeKind
    title: str = ""
    lines: tuple[str, ...] = ()
    mark: Mark = ""
    rule: str = ""
    tooltip: str = ""
    hue: int | None = None
    box: str = ""
    place: RowPlacement = ""
    fills: bool = False


ANYWHERE = Node("<anywhere>", "word", "from any state")
"""Where lines start that may be taken from any state of a flat model."""
FRAME = Node("<from any step>", "frame", "FROM ANY STEP")
"""The box that lists the jumps from any step, if there are many."""


@dataclass(frozen=True, slots=True)
class Note:
    """A line at the foot of a box, in the ink of its layer."""

    words: str
    layer: Layer


@dataclass(frozen=True, slots=True)
class Box:
    """A phase: a tinted box with a title, a citation, and perhaps notes at its foot; `inside` is
    the box around it.
    """

    id: str
    title: str
    rule: str = ""
    tooltip: str = ""
    hue: int = 0
    notes: tuple[Note, ...] = ()
    inside: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """An arrow between nodes, or from a box ("from anywhere in here": `source` is then the box's
    id).

    `words` are the label's lines, `rule` the citation under them. `steps` are the ids of the
    model's transitions that it stands for. `origin` and `goal` are said of an end that no one node
    stands for.
    """

    id: str
    source: str
    target: str
    layer: Layer
    words: tuple[str, ...] = ()
    rule: str = ""
    tooltip: str = ""
    steps: tuple[str, ...] = ()
    ring: bool = False
    origin: str = ""
    goal: str = ""


@dataclass(frozen=True, slots=True)
class Diagram:
    """A whole picture. `caption` is said under the title.

    `legend` has what the legend of this picture says instead of its own words. `summary` says what
    leads where, to those who do not see it; `plain` is a picture for players, whose legend has no
    words of the model.
    """

    title: str
    caption: tuple[str, ...]
    nodes: tuple[Node, ...]
    lines: tuple[Line, ...]
    boxes: tuple[Box, ...] = ()
    legend: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    plain: bool = False

    def node(self, id: str) -> Node | None:
        """The node with this id, if there is one."""
        return next((n for n in self.nodes if n.id == id), None)

    def goal_of(self, line: Line) -> str:
        """Where a line leads, in words: "to " and the name of that place."""
        if line.goal:
            return f"to {line.goal}"
        node = self.node(line.target)
        title = (node.title or node.tooltip.partition("\n")[0]) if node else ""
        return f"to {title or 'another place'}"

    def is_final(self, id: str) -> bool:
        """Is this an end of the turn or game?"""
        return any(n.id == id and n.kind == "final" for n in self.nodes)

    def around(self, box: str) -> tuple[str, ...]:
        """The box and those around it, outermost first; () for none."""
        outer = {b.id: b.inside for b in self.boxes}
        found: list[str] = []
        while box in outer and box not in found:
            found.append(box)
            box = outer[box]
        return tuple(reversed(found))
