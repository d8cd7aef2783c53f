"""The steps and ways of a turn as a machine, for DOT and Mermaid."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Model, State
from fsm.views.machines import ANY, Label, Line, Machine, read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Phase, Reason, Turn, Way

_MARKS = {"full": "● ", "hollow": "○ ", "": ""}
"""Players may act in a step; only if something triggered; not at all."""


def chart_of(model: Model) -> Machine:
    """Return the machine that DOT and Mermaid show: of a turn, its phases, steps and ways."""
    return _of_turn(read(model)) if is_turn(model) else read_machine(model)


def _of_turn(turn: Turn) -> Machine:
    alone = {p.id: p.single.id for p in turn.parts if isinstance(p, Phase) and p.single}
    states = list(_states(turn, alone))
    known = {state.id for state in states}
    ends = dict.fromkeys(way.target for way in turn.ways if way.target not in known)
    states += [State(end, "final", label=turn.names.get(end, end)) for end in ends]
    lines = [*_ways(turn, alone), *_left_out(turn)]
    starts = ((ANY, turn.steps[0].id),)
    return Machine(turn.title, tuple(states), starts, tuple(lines), {}, len(lines), "any step")


def _states(turn: Turn, alone: dict[str, str]) -> Iterator[State]:
    """Yield the phases and steps. A phase with only one step of the same name is that step."""
    for part in turn.parts:
        if part.id in alone:
            continue
        phase = turn.phase_of(part.id)
        parent = phase.id if phase and phase.id not in alone else ""
        if isinstance(part, Phase):
            yield State(part.id, "phase", label=part.title, parent=parent)
        else:
            yield State(part.id, "stage", label=_MARKS[part.mark] + part.title, parent=parent)


def _ways(turn: Turn, alone: dict[str, str]) -> Iterator[Line]:
    for way in turn.ways:
        inside = not way.source
        for part in turn.parts:
            if part.id == way.source and isinstance(part, Phase):
                inside = way.target in {step.id for step in part.steps}
        source = alone.get(way.source, way.source)
        yield Line(source, way.target, _said(way), way.tells, inside, way.kind)


def _left_out(turn: Turn) -> Iterator[Line]:
    """Yield a line around each phase or step that can be left out."""
    steps = turn.steps
    for part in turn.parts:
        own = part.steps if isinstance(part, Phase) else (part,)
        before, after = steps.index(own[0]) - 1, steps.index(own[-1]) + 1
        for reason in part.left_out if before >= 0 and after < len(steps) else ():
            source, target = steps[before].id, steps[after].id
            yield Line(source, target, _said(reason), reason.tells, kind="left out")


def _said(told: Way | Reason) -> tuple[Label, ...]:
    return (Label(told.words, told.rule),) if told.words else ()
