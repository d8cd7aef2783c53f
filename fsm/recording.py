"""What a firing did, as a plain value."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.asking import position_of
from fsm.model import Transition
from fsm.run import Run
from fsm.trace import Record


def record_of(
    run: Run, machine: str, ends: tuple[str, str], event: str, row: Transition, guards: Mapping[str, bool]
) -> Record:
    """The record of one firing, of the "turn" or "window" machine, between these two states."""
    at, phase, step = position_of(run), run.agenda.current_phase, run.agenda.current_step
    return Record(
        machine=machine,
        event=event,
        transition=row.id,
        source=ends[0],
        target=ends[1],
        guards=tuple(guards.items()),
        actions=tuple(map(str, row.actions)),
        turn=at.turn,
        active=at.active,
        extra=at.extra,
        phase=at.phase,
        step=at.step,
        iteration=at.iteration,
        extra_phase=phase is not None and phase.extra,
        extra_step=step is not None and step.extra,
        phase_id=phase.id if phase is not None else 0,
        step_id=step.id if step is not None else 0,
    )
