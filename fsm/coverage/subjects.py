"""What tells one machine from another in recorded data, also when it changes while it is watched."""

from __future__ import annotations

import hashlib
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from fsm.errors import ModelError
from fsm.model import Model, State, Transition
from fsm.model.model import per_model

_ORDER_UNKNOWN = "the order of the transitions is unknown"
_T = TypeVar("_T", bound=State | Transition)


class Subject(Struct, frozen=True, order=True):
    """Identifies the model to which recorded data belongs.

    A plain machine is identified by its definition and the place where it was made. Neither its
    initial state nor what it drives nor its callbacks matter: an object restored from a database is
    driven by the same machine as a new one. The definition is that of its first event, so a machine
    that changes later stays the same subject.

    Attributes
    ----------
    name
        The name of the model with its options: `name?option=value`. For a plain machine, the class
        of the object that it drives, or its own class.
    fingerprint
        The fingerprint of the model.
    place
        Where a plain machine was made, `file:line`, or "" if it was made before the collection
        began.
    grows
        Whether a plain machine changed between its making and its first event.
    """

    name: str
    fingerprint: str
    place: str = ""
    grows: bool = False

    @property
    def label(self) -> str:
        """The name and the place, as reports show them."""
        return f"{self.name} ({self.place})" if self.place else self.name


@per_model
def subject_of(model: Model) -> Subject:
    """Return the subject under which data of a model is recorded.

    Parameters
    ----------
    model
        The Model.

    Returns
    -------
    Subject
        The name with the options, `name?option=value`, and the fingerprint.
    """
    options = "&".join(f"{name}={value}" for name, value in sorted(model.options.items()))
    fingerprint = model.fingerprint if model.played else _fingerprint(model)
    return Subject(f"{model.name}?{options}" if options else model.name, fingerprint)


def _fingerprint(model: Model) -> str:
    """Return a hash of the states and transitions of a plain machine.

    It leaves out names, docs and callbacks, and the states to which only a start leads.
    """
    entered = {row.target for row in model.transitions}
    states = [state for state in model.states if not state.stand_in or state.id in entered]
    known = {state.id for state in states}
    said: list[object] = [*sorted(model.options.items())]
    said += [[s.id, s.kind, s.label, s.parent, s.role, s.rule] for s in states]
    for row in model.transitions:
        if row.source in known:
            said.append([row.id, row.source, str(row.target), row.event, row.layer, row.rule])
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]


# machines that change -----------------------------------------------------------------------------


def together(first: Model, then: Model) -> Model:
    """Return a Model with the states and transitions of both.

    If one of them only adds transitions to the other, this is that one. Otherwise transitions were
    removed or tried in another order, so that nothing can be proved of the result from their order:
    see `is_ordered`.
    """
    if first is then or subject_of(first).fingerprint == subject_of(then).fingerprint:
        return first
    for whole, part in ((first, then), (then, first)):
        if contains(whole, part) and _extends(whole, part):
            return whole if is_ordered(part) else without_order(whole)
    return without_order(_union(first, then))


def contains(model: Model, part: Model) -> bool:
    """Say whether the model has all states and transitions of another one."""
    return _ids(model.states) >= _ids(part.states) and _ids(model.transitions) >= _ids(
        part.transitions
    )


def is_ordered(model: Model) -> bool:
    """Say whether the transitions of a Model are tried in the Model's order."""
    return _ORDER_UNKNOWN not in model.kept


def without_order(model: Model) -> Model:
    """Return a Model whose transitions are not tried in its order."""
    marked = replace(model)
    marked.kept[_ORDER_UNKNOWN] = True
    return marked


def _ids(elements: tuple[State, ...] | tuple[Transition, ...]) -> set[str]:
    return {element.id for element in elements}


def _extends(model: Model, part: Model) -> bool:
    """Whether each choice of the part is the beginning of a choice of the model, so that no row is
    tried later.
    """
    for state, event, rows in part.choices:
        if [row.id for row in model.rows(state.id, event)][: len(rows)] != [row.id for row in rows]:
            return False
    return True


def _union(first: Model, then: Model) -> Model:
    """Return everything of both. A transition into a state that has become composite is left out."""
    inside = {state.id: state for state in (*first.states, *then.states) if state.composite}
    states = [inside.get(state.id, state) for state in _each(first.states, then.states)]
    rows = [row for row in _each(first.transitions, then.transitions) if row.target not in inside]
    events = {event.name: event for event in (*first.events, *then.events)}
    facts = {fact.name: fact for fact in (*first.facts, *then.facts)}
    try:
        return replace(
            then,
            states=tuple(states),
            transitions=tuple(rows),
            events=tuple(events.values()),
            facts=tuple(facts.values()),
        )
    except ModelError:
        return then


def _each(first: tuple[_T, ...], then: tuple[_T, ...]) -> list[_T]:
    """Return the elements of both, one for each id, as the first has them."""
    found: dict[str, _T] = {element.id: element for element in first}
    for element in then:
        found.setdefault(element.id, element)
    return [*found.values()]
