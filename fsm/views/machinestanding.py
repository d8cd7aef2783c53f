"""Finds the current state of an object that a machine drives."""

from __future__ import annotations

from typing import Any

from fsm.adapters.building import itself
from fsm.errors import ModelError
from fsm.model import Model


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
