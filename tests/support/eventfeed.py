"""Converts a recorded run to input for an export: one event for each firing, with the facts that it
read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fsm.engine.trace import Record
from fsm.errors import TraceError, suggest
from fsm.model import Model
from fsm.views.export.statechart import ChartIds


@dataclass(frozen=True, slots=True)
class ExportedEvent:
    """One event of an export, the facts that it carries, and the state in which the run then is."""

    event: str
    facts: dict[str, bool]
    state: str


def begins(model: Model) -> str:
    """Return the state in which a run of the export begins."""
    return ChartIds(model).leaf(model.initial, _opened(model, model.initial))


def exported_events(model: Model, records: Iterable[Record]) -> Iterator[ExportedEvent]:
    """Yield the events of the run. Raises TraceError if a record does not belong to this model, or
    is out of order.
    """
    ids, known = ChartIds(model), _rows(model)
    state, frame = model.initial, _opened(model, model.initial)
    for record in records:
        if (record.machine, record.transition) not in known:
            raise TraceError(
                f"transition {record.transition!r} is not in {model.name}{_near(record, known)}"
            )
        if record.source != (frame if record.machine == "window" else state):
            here = f"transition {record.transition!r} cannot fire in {ids.leaf(state, frame)!r}"
            raise TraceError(f"{here}; give all the records of a run, from its start")
        if record.machine == "window":
            frame = record.target
        elif not known[record.machine, record.transition]:
            state, frame = record.target, _opened(model, record.target)
        yield ExportedEvent(
            ids.event(record.machine, record.event), dict(record.guards), ids.leaf(state, frame)
        )


def _rows(model: Model) -> dict[tuple[str, str], bool]:
    """Return the transitions of turn and window, and whether each of them stays in its state."""
    return {
        (name, t.id): t.target is None
        for name, machine in model.machines.items()
        for t in machine.transitions
    }


def _opened(model: Model, state: str) -> str:
    """Return the initial state of the window in a state, or "" if it has none."""
    return model.window.initial if model.window and model.state(state).kind == "window" else ""


def _near(record: Record, known: Iterable[tuple[str, str]]) -> str:
    return suggest(record.transition, [id for machine, id in known if machine == record.machine])
