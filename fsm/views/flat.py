"""Small flat machines as one column of cards. They need no Graphviz."""

from __future__ import annotations

from itertools import pairwise

from fsm.views.columns import FLAT, Column
from fsm.views.machines import Machine
from fsm.views.overlays import Marked, Overlay
from fsm.views.pictures import Plan, drawn
from fsm.views.reading import Line, Note, Step, Turn, Way
from fsm.views.svg import Theme
from fsm.wording import label_of, plain

MOST = 12
"""Of a machine with more states, Graphviz decides where everything stands."""


def is_small(machine: Machine) -> bool:
    """Return whether a machine can be drawn as one column: few states, most of them one after the
    other, and none inside another.
    """
    ids = [state.id for state in machine.states]
    starts = [target for _, target in machine.starts]
    if machine.crowds or any(state.parent for state in machine.states) or starts != ids[:1]:
        return False
    onward = set(pairwise(ids))
    away = [line for line in machine.lines if (line.source, line.target) not in onward]
    return len(ids) <= MOST and len(away) < len(ids)


def draw_flat(machine: Machine, caption: str, theme: Theme) -> str:
    """Return a small flat machine as SVG."""
    steps = []
    ways = []
    chips: dict[Marked, str] = {}
    for state in machine.states:
        lines = [Line(0, plain(str(label))) for label in machine.stays.get(state.id, ())]
        steps.append(Step(state.id, label_of(state), lines=tuple(lines)))
        if state.kind == "final":
            chips[state.id] = "final"
    for line in machine.lines:
        words = " | ".join(plain(str(label)) for label in line.labels)
        ways.append(Way(line.source, line.target, words=words, tells=line.tells))
    turn = Turn(
        title=machine.title,
        edition="",
        word="",
        term="",
        phases=(),
        ways=tuple(ways),
        notes=(),
        names={},
        extra=None,
        after=Note(""),
    )
    column = Column(turn, steps, FLAT, Overlay(chips=chips))
    plan = Plan(machine.title, caption, [column], "starts here")
    return drawn(turn, plan, theme, Overlay())
