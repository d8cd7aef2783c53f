"""Which kind of model this is: a turn, whose steps are collapsed in pictures, or states that are drawn as they are."""

from __future__ import annotations

from fsm.model import Model
from fsm.model.permodel import per_model


@per_model
def finishes(model: Model) -> bool:
    """Does any state of it finish by itself? A plain state machine only follows signals."""
    completions = {event.name for event in model.events if event.completion}
    return any(t.event in completions for t in model.transitions)


def is_turn(model: Model) -> bool:
    """Has it phases or steps, and states that finish by themselves?"""
    return finishes(model) and any(state.kind in ("phase", "step") for state in model.states)
