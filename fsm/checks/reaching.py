"""Reachability on the graph of a model: where a run can come to, and where its turn can end. Guards
are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from fsm.model import Model, State, Transition
from fsm.model.model import per_model
from fsm.model.reachability import reachable_from

Keep = Callable[[Transition], bool]


def _every(row: Transition) -> bool:
    return True


def reachable(model: Model, keep: Keep = _every) -> frozenset[str]:
    """Return the leaf states that some sequence of events can reach. Guards are ignored.

    Parameters
    ----------
    model
        The Model to search.
    keep
        A function that says whether a transition is used. By default, all transitions are used.

    Returns
    -------
    frozenset of str
        The ids of the leaf states, including the initial state.
    """
    if keep is _every:
        return _reachable_by_all(model)
    return _reachable(model, keep)


def _reachable(model: Model, keep: Keep) -> frozenset[str]:
    leads = _leads(model, keep, ordinary=False)
    return frozenset(reachable_from([model.initial], leads.__getitem__))


@per_model
def _reachable_by_all(model: Model) -> frozenset[str]:
    return _reachable(model, _every)


def ending(model: Model, keep: Keep = _every) -> frozenset[str]:
    """Return the leaves from which the turn can end by ordinary events, without a signal. Guards
    are ignored.

    A turn ends by a row that leads out of it or does `end_turn`, or in a final state. If a model
    has none of these, every state counts as an end. In a machine that anybody may trigger, every
    event is ordinary.
    """
    return _ending_by_all(model) if keep is _every else _ending(model, keep)


@per_model
def _ending_by_all(model: Model) -> frozenset[str]:
    return _ending(model, _every)


def _ending(model: Model, keep: Keep) -> frozenset[str]:
    leads = _leads(model, keep, ordinary=True)
    into: dict[str, list[str]] = {leaf: [] for leaf in leads}
    for leaf, targets in leads.items():
        for target in targets:
            into[target].append(leaf)
    return frozenset(reachable_from(_ends(model, keep) or leads, into.__getitem__))


def pits(model: Model, stuck: Collection[str], keep: Keep = _every) -> Iterator[tuple[str, ...]]:
    """Yield where a run ends up among states with no way out: states that nothing leaves, or cycles
    of states.
    """
    leads = _leads(model, keep, ordinary=True)
    beyond = {
        s.id: reachable_from([s.id], leads.__getitem__) for s in model.leaves if s.id in stuck
    }
    told: set[str] = set()
    for leaf in sorted(beyond, key=lambda id: len(beyond[id])):
        circle = beyond[leaf]
        if circle <= beyond.keys() and told.isdisjoint(circle):
            told |= circle
            yield tuple(s.id for s in model.leaves if s.id in circle)


def ordinary_events(model: Model, state: State) -> tuple[str, ...]:
    """Return the ordinary events by which a run leaves this state."""
    return state.words if model.played else model.events_at(state.id)


def _leads(model: Model, keep: Keep, *, ordinary: bool) -> dict[str, tuple[str, ...]]:
    """Map each leaf to the targets of its rows. `ordinary` leaves out rows of other events."""
    return {
        state.id: tuple(
            row.target
            for event in (ordinary_events(model, state) if ordinary else model.events_at(state.id))
            for row in model.rows(state.id, event)
            if row.target is not None and keep(row)
        )
        for state in model.leaves
    }


def _ends(model: Model, keep: Keep) -> list[str]:
    finals = [state.id for state in model.leaves if state.kind == "final"]
    if not model.played:
        return finals
    rows = (
        (s.id, row)
        for s in model.leaves
        for word in s.words
        for row in model.rows(s.id, word)
        if keep(row)
    )
    return [*finals, *(leaf for leaf, row in rows if _ends_turn(model, leaf, row))]


def _ends_turn(model: Model, leaf: str, row: Transition) -> bool:
    if any(action.name == "end_turn" for action in row.actions):
        return True
    turn = model.enclosing(leaf, "turn")
    return (
        turn is not None and row.target is not None and model.enclosing(row.target, "turn") != turn
    )
