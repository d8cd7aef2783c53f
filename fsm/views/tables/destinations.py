"""Describes where a transition out of a step or phase leads: to the next one, or elsewhere."""

from __future__ import annotations

from fsm.model import Model, State, Transition
from fsm.views.tables.wording import state_words
from fsm.wording import clause, label_of, listed


def siblings(model: Model, home: State) -> tuple[State, ...]:
    """Return the steps of the same phase, or the phases of the same turn, in the model's order."""
    return (
        tuple(s for s in model.children(home.parent) if s.kind == home.kind)
        if home.parent
        else (home,)
    )


def following(model: Model, home: State) -> State | None:
    """Return the step or phase that comes next."""
    same = siblings(model, home)
    return next(iter(same[same.index(home) + 1 :]), None) if home in same else None


def leaves(model: Model, home: State, row: Transition) -> bool:
    """Say whether this transition leads out of the step or phase."""
    return row.target is not None and home not in model.path(row.target)


def is_ordinary(model: Model, home: State, row: Transition) -> bool:
    """Say whether it leads to the next step or phase, or from the last one to the end of the
    parent.
    """
    if row.target is None or home.kind == "turn":
        return True
    after = following(model, home)
    if after is None:
        return model.state(row.target).parent == home.parent
    return after in model.path(row.target) and model.state(row.target).role in (
        "before",
        "begin",
        "",
    )


def jumped_over(model: Model, home: State, row: Transition) -> tuple[State, ...]:
    """Return the steps or phases that this transition skips on its way forward."""
    same = siblings(model, home)
    at = same.index(home)
    target = next((s for s in same[at + 1 :] if row.target and s in model.path(row.target)), None)
    if target is not None:
        return same[at + 1 : same.index(target)]
    at_end = (
        row.target
        and model.state(row.target).parent == home.parent
        and model.state(row.target).role == "end"
    )
    return same[at + 1 :] if at_end else ()


def destination(model: Model, home: State, row: Transition) -> str:
    """Describe the target: "goes on with End of combat; Declare blockers and Combat damage are left
    out".
    """
    target = row.target or home.id
    missed = [label_of(state) for state in jumped_over(model, home, row)]
    if model.state(target).kind == "final":
        return clause(state_words(model, target))
    words = f"goes on with {state_words(model, target)}"
    return (
        f"{words}; {listed(missed)} {'are' if len(missed) > 1 else 'is'} left out"
        if missed
        else words
    )
