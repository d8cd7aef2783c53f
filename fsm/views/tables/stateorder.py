"""Follows a model's transitions: which states can be reached, and in which order a group of states
runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fsm.checks.reaching import reachable
from fsm.model import Model, State, Transition
from fsm.model.model import per_model
from fsm.model.reachability import reachable_from
from fsm.views.drawing.holes import is_hole


@per_model
def reached(model: Model) -> frozenset[str]:
    """Return the states that a run can reach."""
    return reachable(model)


def stops(model: Model, state: State) -> bool:
    """Say whether a run could stop in this state, because no transition may fire."""
    if state.kind == "final" or state.id not in reached(model):
        return False
    asked = state.kind in ("action", "window") or (state.kind == "stage" and bool(state.parent))
    asked = asked and model.played
    return is_hole(model, state) or (
        asked and not all(model.rows(state.id, word) for word in state.words)
    )


@per_model
def outgoing(model: Model) -> Mapping[str, tuple[Transition, ...]]:
    """Return the transitions of each state, composite or not, in the model's order."""
    found: dict[str, list[Transition]] = {state.id: [] for state in model.states}
    for row in model.transitions:
        found[row.source].append(row)
    return {id: tuple(rows) for id, rows in found.items()}


@dataclass(frozen=True)
class StateOrder:
    """A group of states in the order in which they run, with the transitions `onward` in it and
    those `back`.
    """

    order: tuple[str, ...]
    onward: tuple[Transition, ...]
    back: tuple[Transition, ...]

    def into(self, id: str) -> tuple[Transition, ...]:
        """Return the transitions forward that lead to this state from inside the group."""
        return tuple(row for row in self.onward if row.target == id)

    def leading(self, goal: str) -> Callable[[Transition], bool]:
        """Return a test for transitions that lead to this state without going back, also through
        other states.
        """

        def targets(here: str | None) -> Iterator[str | None]:
            return (row.target for row in self.onward if row.source == here)

        return lambda row: goal in reachable_from([row.target], targets)


def state_order(model: Model, members: Sequence[State], first: str = "") -> StateOrder:
    """Compute the order of these states: from `first` or the one that begins, then those entered
    from elsewhere.
    """
    inside = {state.id for state in members}
    rows = {id: [t for t in outgoing(model)[id] if t.target in inside] for id in inside}
    order: list[str] = []
    back: set[str] = set()
    for root in [first] if first else _roots(model, members):
        if root not in order:
            order += _depth_first(model, root, rows, set(order), back)
    flat = [row for id in order for row in rows[id]]
    return StateOrder(
        tuple(order),
        tuple(r for r in flat if r.id not in back),
        tuple(r for r in flat if r.id in back),
    )


def _roots(model: Model, members: Sequence[State]) -> Iterable[str]:
    inside = {state.id for state in members}
    entered = {row.target for row in model.transitions if row.source not in inside} | {
        model.initial
    }
    ranks = {"begin": 0, "before": 1}
    known = [s for s in members if s.id in reached(model) and (s.role in ranks or s.id in entered)]
    return [state.id for state in sorted(known, key=lambda s: ranks.get(s.role, 2))]


def _depth_first(
    model: Model,
    root: str,
    rows: Mapping[str, Sequence[Transition]],
    seen: set[str],
    back: set[str],
) -> list[str]:
    """Search depth first, from the last transition. The finished states in reverse are the order in
    which they run.
    """
    seen.add(root)
    open_, finished = [(root, iter(_last_first(model, rows[root])))], list[str]()
    while open_:
        here, rest = open_[-1]
        row = next(rest, None)
        if row is None:
            finished.append(here)
            open_.pop()
        elif any(row.target == id for id, _ in open_):
            back.add(row.id)
        elif row.target is not None and row.target not in seen:
            seen.add(row.target)
            open_.append((row.target, iter(_last_first(model, rows[row.target]))))
    return finished[::-1]


def _last_first(model: Model, rows: Sequence[Transition]) -> list[Transition]:
    """Put what an event does while a window is open before what follows the window."""
    meanwhile = [row for row in reversed(rows) if row.event in model.signals]
    return [*(row for row in reversed(rows) if row not in meanwhile), *meanwhile]
