"""Puts together the Models of one machine that changed while it was watched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from msgspec.structs import replace

from fsm.errors import ModelError
from fsm.model import Model, State, Transition

_ORDER_UNKNOWN = "the order of the transitions is unknown"
_T = TypeVar("_T")


def together(first: Model, then: Model) -> Model:
    """Return a Model with the states and transitions of both.

    If one of them only adds transitions to the other, this is that one. Otherwise transitions were
    removed or tried in another order, so that nothing can be proved of the result from their order:
    see `is_ordered`.
    """
    if contains(first, then) and (not is_ordered(first) or _extends(first, then)):
        return first
    if contains(then, first) and _extends(then, first):
        return without_order(then) if not is_ordered(first) else then
    return without_order(_union(first, then))


def contains(model: Model, part: Model) -> bool:
    """Say whether the model has all states and transitions of another one."""
    return _ids(part.states) <= _ids(model.states) and _ids(part.transitions) <= _ids(
        model.transitions
    )


def is_ordered(model: Model) -> bool:
    """Say whether the transitions of a Model are tried in the Model's order."""
    return _ORDER_UNKNOWN not in model.kept


def without_order(model: Model) -> Model:
    """Mark a Model whose transitions are not tried in its order."""
    marked = replace(model)
    marked.kept[_ORDER_UNKNOWN] = True
    return marked


def _ids(elements: tuple[State, ...] | tuple[Transition, ...]) -> set[str]:
    return {element.id for element in elements}


def _extends(model: Model, part: Model) -> bool:
    """Whether each choice of the part is the beginning of a choice of the model, so that no row is
    tried later.
    """
    leaves = _ids(model.leaves)
    return all(
        state.id in leaves
        and [row.id for row in model.rows(state.id, event)][: len(rows)] == [row.id for row in rows]
        for state, event, rows in part.choices
    )


def _union(first: Model, then: Model) -> Model:
    """Return everything of both. A transition into a state that has become composite is left out."""
    inside = {state.id: state for state in (*first.states, *then.states) if state.composite}
    states = tuple(inside.get(state.id, state) for state in _each(first.states, then.states))
    rows = (row for row in _each(first.transitions, then.transitions) if row.target not in inside)
    try:
        return replace(
            then,
            states=states,
            transitions=tuple(rows),
            events=tuple({event.name: event for event in (*first.events, *then.events)}.values()),
            facts=tuple({fact.name: fact for fact in (*first.facts, *then.facts)}.values()),
        )
    except ModelError:
        return then


def _each(first: tuple[_T, ...], then: tuple[_T, ...]) -> Iterator[_T]:
    """Yield the elements of both, one for each id."""
    found = {element.id: element for element in reversed((*first, *then))}  # type: ignore[attr-defined]
    ids = dict.fromkeys(element.id for element in (*first, *then))  # type: ignore[attr-defined]
    return (found[id] for id in ids)
