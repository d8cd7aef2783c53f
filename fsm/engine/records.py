"""What a firing did, as a plain value."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.engine.trace import Record
from fsm.model import Model, Transition
from fsm.state.run import Run

Told = tuple[Transition, str, tuple[str, ...]]
"""A row, its id, and its actions as they are written."""


def record_of(
    run: Run, machine: str, ends: tuple[str, str], event: str, row: Transition, guards: Mapping[str, bool]
) -> Record:
    """The record of one firing, of the "turn" or "window" machine, between these two states."""
    agenda = run.agenda
    turn, phase, step = agenda.current_turn, agenda.current_phase, agenda.current_step
    _, id, actions = _told(run.model, row)
    return Record(
        machine=machine,
        event=event,
        transition=id,
        source=ends[0],
        target=ends[1],
        guards=tuple(guards.items()),
        actions=actions,
        turn=agenda.turn,
        active=agenda.active,
        extra=turn is not None and turn.extra,
        phase=phase.name if phase is not None else "",
        step=step.name if step is not None else "",
        iteration=step.iteration if step is not None else 0,
        extra_phase=phase is not None and phase.extra,
        extra_step=step is not None and step.extra,
        phase_id=phase.id if phase is not None else 0,
        step_id=step.id if step is not None else 0,
    )


def _told(model: Model, row: Transition) -> Told:
    """Written once for each row: a game fires the same ones again and again."""
    known: dict[int, Told] = model.kept("rows as told", dict)
    found = known.get(id(row))
    if found is None or found[0] is not row:
        found = known[id(row)] = (row, row.id, tuple(map(str, row.actions)))
    return found
