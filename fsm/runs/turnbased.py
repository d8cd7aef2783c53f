"""Lists the states of a model that are turn-based actions."""

from __future__ import annotations

from fsm.model import Model, State


def turn_based(model: Model) -> tuple[str, ...]:
    """The states of turn-based actions: those of each step, but not what ends a phase after its
    last window.
    """
    found: list[str] = []
    for step in model.of_kind("step"):
        stages = model.children(step.id)
        windows = [i for i, s in enumerate(stages) if s.kind == "window"]
        end = windows[-1] if windows and _closes(model, step) else len(stages)
        found += [s.id for s in stages[:end] if s.role == "action" and s.action]
    return tuple(found)


def _closes(model: Model, step: State) -> bool:
    """Say whether this is the last step of its phase."""
    return [s.id for s in model.children(step.parent) if s.kind == "step"][-1:] == [step.id]
