"""Finds the states with which a turn, a phase or a step begins."""

from __future__ import annotations

from fsm.model.elements import State
from fsm.model.model import Model


def beginnings(model: Model, place: str) -> tuple[str, ...]:
    """Return the ids of the states with which a place begins, after the point at which it can be
    skipped.

    Parameters
    ----------
    model
        The model of a turn or of a window.
    place
        The id of a state, the name of a phase or step, or "turn". A step has precedence over a
        phase of the same name.

    Returns
    -------
    tuple of str
        The ids, or nothing if the model has no such place.
    """
    found = [state for state in model.states if state.id == place]
    for kind in ("step", "phase", "turn"):
        found = found or [
            state for state in model.states if state.kind == kind and state.name == place
        ]
    return tuple(first for state in found for first in _beginning(model, state))


def _beginning(model: Model, state: State) -> list[str]:
    if not state.composite:
        return [state.id]
    inside = [s for s in model.leaves if s.parent == state.id]
    return [s.id for s in inside if s.role == "begin"] or [s.id for s in inside][:1]
