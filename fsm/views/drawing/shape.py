"""Which kind of model this is: a turn, whose steps are collapsed in pictures, or states that are
drawn as they are.
"""

from __future__ import annotations

from fsm.model import Model


def is_turn(model: Model) -> bool:
    """Has it phases or steps, and states that finish by themselves?"""
    return model.played and any(state.kind in ("phase", "step") for state in model.states)
