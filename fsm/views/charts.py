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
