"""Make the Record of a firing."""

from __future__ import annotations

from fsm.engine.semantics import Fired
from fsm.engine.trace import Record
from fsm.state.run import Run


def record_of(run: Run, fired: Fired) -> Record:
    """Return the record of one firing.

    Parameters
    ----------
    run
        The run after the firing.
    fired
        The firing.
    """
    agenda = run.agenda
    turn, phase, step = agenda.current_turn, agenda.current_phase, agenda.current_step
    return Record(
        machine=fired.machine,
        event=fired.event,
        transition=fired.row.transition.id,
        source=fired.source,
        target=fired.target,
        guards=tuple(fired.guards.items()),
        actions=fired.row.written,
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
