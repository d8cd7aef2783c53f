"""Where a run could stop because no row holds: pictures say so."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Model, State, Transition


def is_hole(model: Model, state: State) -> bool:
    """Can a run stop here because no row holds? Rows of a one-of group leave nothing over."""
    rows = [model.rows(state.id, event.name) for event in model.events if event.completion]
    finishing = [found for found in rows if found]
    if finishing:
        return any(_leaves_over(model, found) for found in finishing)
    if not model.played:
        return not model.events_at(state.id)
    return not any(t.source == state.id and t.target for t in model.transitions)


def _leaves_over(model: Model, rows: Sequence[Transition]) -> bool:
    if not rows or not rows[-1].guard:
        return not rows
    single = [t.guard[0] for t in rows if len(t.guard) == 1]
    if any(a.fact == b.fact and a.value != b.value for a in single for b in single):
        return False
    groups = {model.fact(term.fact).group for term in single}
    return len(single) < len(rows) or len(groups) > 1 or groups == {""}
