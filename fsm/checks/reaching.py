"""Reachability on the graph of a model: where a run can come to, and where its turn can end. Guards
are ignored.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from fsm.model import Model, State, Transition
from fsm.model.model import per_model
from fsm.model.reachability import reachable_from


@per_model
def reachable(model: Model) -> frozenset[str]:
    """Return the ids of the leaf states that some sequence of events can reach, with the initial
    state. Guards are ignored.
    """
    leads = {leaf.id: targets(model, leaf.id) for leaf in model.leaves}
    return frozenset(reachable_from([model.initial], leads.__getitem__))


@per_model
def ending(model: Model) -> frozenset[str]:
    """Return the leaves from which the turn can end by ordinary events, without a signal. Guards
    are ignored.

    A turn ends by a row that leads out of it or does `end_turn`, or in a final state. If a model
    has none of these, every state counts as an end. In a machine that anybody may trigger, every
    event is ordinary.
    """
    leads = _ordinarily(model)
    into: dict[str, list[str]] = {leaf: [] for leaf in leads}
    for leaf, targets in leads.items():
        for target in targets:
            into[target].append(leaf)
    ends = [state.id for state in model.leaves if _ends(model, state)]
    return frozenset(reachable_from(ends or leads, into.__getitem__))


def pits(model: Model, stuck: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield where a run ends up among states with no way out: states that nothing leaves, or cycles
    of states.
    """
    leads = _ordinarily(model)
    beyond = {
        state.id: reachable_from([state.id], leads.__getitem__)
        for state in model.leaves
        if state.id in stuck
    }
    told: set[str] = set()
    for leaf in sorted(beyond, key=lambda id: len(beyond[id])):
        circle = beyond[leaf]
        if circle <= beyond.keys() and told.isdisjoint(circle):
            told |= circle
            yield tuple(state.id for state in model.leaves if state.id in circle)


def _ordinarily(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Map each leaf to where ordinary events lead."""
    return {
        leaf.id: targets(model, leaf.id, leaf.words if model.played else None)
        for leaf in model.leaves
    }


def targets(model: Model, leaf: str, events: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the states to which these events lead from a leaf, or all events."""
    words = model.events_at(leaf) if events is None else events
    rows = (row for word in words for row in model.rows(leaf, word))
    return tuple(row.target for row in rows if row.target is not None)


def _ends(model: Model, state: State) -> bool:
    """Say whether a turn can end in this state, or with a row of it."""
    if state.kind == "final":
        return True
    words = state.words if model.played else ()
    rows = (row for word in words for row in model.rows(state.id, word))
    return any(_ends_turn(model, state.id, row) for row in rows)


def _ends_turn(model: Model, leaf: str, row: Transition) -> bool:
    if any(action.name == "end_turn" for action in row.actions):
        return True
    turn = model.enclosing(leaf, "turn")
    return (
        turn is not None and row.target is not None and model.enclosing(row.target, "turn") != turn
    )
