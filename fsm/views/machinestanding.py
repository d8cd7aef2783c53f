"""Finds the current state of an object that a machine drives, for a picture."""

from __future__ import annotations

from typing import Any

from fsm.adapters import model_of
from fsm.adapters.building import itself
from fsm.errors import ModelError
from fsm.model import Model
from fsm.views.drawing.options import Now


def now_of_machine(machine: Any, number: int = 0) -> Now:
    """Where the machine's model of this number stands, to be laid over its picture.

    All transitions of that state count as open: the conditions, which are code, are not asked.
    Raises ModelError when the machine has no such model.
    """
    model = model_of(machine)
    state = state_of(machine, model, number)
    return Now(
        state, open=tuple(t.id for e in model.events_at(state) for t in model.rows(state, e))
    )


def state_of(machine: Any, model: Model, number: int) -> str:
    """The state of the machine's model of this number. Raises ModelError when there is none of this
    number.
    """
    if not 0 <= number < len(machine.models):
        raise ModelError(
            f"machine {model.name!r} has {len(machine.models)} models; there is no number {number}"
        )
    return known_state(model, getattr(machine.models[number], machine.model_attribute, None))


def known_state(model: Model, found: Any) -> str:
    """The state of the Model that a machine's own state is; of parallel ones, the first."""
    while isinstance(found, list | tuple):
        found = found[0] if found else None
    name = found if isinstance(found, str) else str(getattr(found, "name", found))
    known = [s.id for s in model.states if not s.composite]
    state = next((id for id in (name, itself(name)) if id in known), "")
    return state or next((s.id for s in model.leaves if s.label == name), model.initial)
