"""Make the Record of a firing."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.engine.trace import Record
from fsm.model import Model, Transition
from fsm.state.run import Run

RowTexts = tuple[Transition, str, tuple[str, ...]]
"""A transition, its id, and its actions as text."""


def record_of(
    run: Run, machine: str, ends: tuple[str, str], event: str, row: Transition, guards: Mapping[str, bool]
) -> Record:
    """Return the record of one firing.

    Parameters
    ----------
    run
        The run after the firing.
    machine
        "turn" or "window".
    ends
        The ids of the states before and after the firing.
    event
        The name of the event.
    row
        The transition that fired.
    guards
        The facts that the guards read, with their values.
    """
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


def _told(model: Model, row: Transition) -> RowTexts:
    """Return the texts of a transition. They are made once, since a game fires the same transitions again and again."""
    known: dict[int, RowTexts] = model.kept("rows as told", dict)
    found = known.get(id(row))
    if found is None or found[0] is not row:
        found = known[id(row)] = (row, row.id, tuple(map(str, row.actions)))
    return found
