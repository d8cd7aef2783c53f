"""Reads the states, events and transitions of a machine of the `transitions` library, in order."""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple


class MachineState(NamedTuple):
    """A state: its full name, the library's object, the full name of what it is in, and of what it
    is entered by.
    """

    id: str
    label: str
    state: Any
    parent: str
    inside: tuple[str, ...]
    initial: tuple[str, ...]


class Arrow(NamedTuple):
    """A transition of the library: full names of its ends; an internal one has no target."""

    event: str
    source: str
    target: str | None
    transition: Any
    scope: str

    @property
    def conditions(self) -> tuple[tuple[Any, bool], ...]:
        """Return each condition with the value that it must have."""
        return tuple((c.func, bool(c.target)) for c in self.transition.conditions)

    @property
    def identity(self) -> tuple[object, ...]:
        """Return a key that is equal for equal transitions."""
        t = self.transition
        conditions = tuple((identity(func), wanted) for func, wanted in self.conditions)
        called = tuple(
            tuple(map(identity, callbacks)) for callbacks in (t.prepare, t.before, t.after)
        )
        return self.scope, self.source, self.target, self.event, conditions, called


def identity(callback: object, driven: Sequence[object] = ()) -> Hashable:
    """Return a key of a callback. A bound method is a new object at each read, so its `id()` is not
    used. A method of the one object that a machine drives is the same by its name.
    """
    if isinstance(callback, str):
        return callback
    owner = getattr(callback, "__self__", None)
    function: Any = getattr(callback, "__func__", callback)
    if len(driven) == 1 and owner is driven[0]:
        return str(function.__name__)
    return id(function), id(owner)


def title_of(machine: Any) -> str:
    """Return the name of a machine, or "" if it has none."""
    return str(machine.name or "").rstrip().removesuffix(":")


def driven_class(machine: Any) -> type:
    """Return the class of what a machine drives."""
    return type(next((model for model in machine.models if model is not machine), machine))


# states and transitions ---------------------------------------------------------------------------


def places(machine: Any) -> tuple[MachineState, ...]:
    """Return all states in the machine's order, outer states before inner ones."""
    return tuple(_places(machine.states, "", _separator(machine)))


def _places(states: Mapping[str, Any], parent: str, separator: str) -> Iterator[MachineState]:
    for name, state in states.items():
        id = _joined(parent, name, separator)
        inner: Mapping[str, Any] = getattr(state, "states", {})
        inside = tuple(_joined(id, one, separator) for one in inner)
        begins = names_in(getattr(state, "initial", None))
        initial = tuple(_joined(id, one, separator) for one in begins)
        yield MachineState(id, name, state, parent, inside, initial)
        yield from _places(inner, id, separator)


def arrows(machine: Any) -> tuple[Arrow, ...]:
    """All transitions in the order in which they are tried, inner before outer; without those to
    any state by name.
    """
    separator = _separator(machine)
    own = dict(machine.events)
    if getattr(machine, "auto_transitions", False):
        attribute = str(machine.model_attribute)
        prefix = "to_" if attribute == "state" else f"to_{attribute}_"
        for place in places(machine):
            name = prefix + place.id
            if name in own and _is_automatic(own[name], place.id):
                del own[name]
    return (*_inner(machine.states, "", separator), *_of(own, "", separator))


def _inner(states: Mapping[str, Any], scope: str, separator: str) -> Iterator[Arrow]:
    for name, state in states.items():
        id = _joined(scope, name, separator)
        yield from _inner(getattr(state, "states", {}), id, separator)
        yield from _of(getattr(state, "events", {}), id, separator)


def _of(events: Mapping[str, Any], scope: str, separator: str) -> Iterator[Arrow]:
    for name, event in events.items():
        trigger = str.__str__(name)  # a member of an Enum of strings is its string
        for t in _rows(event):
            source = _joined(scope, _name(t.source), separator)
            target = None if t.dest is None else _joined(scope, _name(t.dest), separator)
            yield Arrow(trigger, source, target, t, scope)


def _is_automatic(event: Any, state: str) -> bool:
    """Say whether the library itself can have added a trigger `to_STATE`."""
    leading = [t for t in _rows(event) if t.dest is not None]
    return all(_name(t.dest) == state and not t.conditions for t in leading)


def initial_of(machine: Any) -> tuple[str, ...]:
    """Return the names of the states that a model starts in, or () if the machine does not say."""
    return names_in(machine.initial)


def names_in(states: Any) -> tuple[str, ...]:
    """Return the names of what may be None, a state, or a list of states or lists."""
    if isinstance(states, list | tuple):
        return tuple(chain.from_iterable(map(names_in, states)))
    return () if states is None else (_name(states),)


def _name(value: Any) -> str:
    return value if value.__class__ is str else str(getattr(value, "name", value))


def _separator(machine: Any) -> str:
    return str(getattr(machine.state_cls, "separator", "_"))


def _joined(scope: str, name: str, separator: str) -> str:
    return f"{scope}{separator}{name}" if scope else name


# the library's own objects ------------------------------------------------------------------------


def transitions_of(machine: Any) -> Iterator[Any]:
    """Yield every transition of a machine, those inside of states as well."""
    for event in events_of(machine):
        yield from _rows(event)


def _rows(event: Any) -> Iterator[Any]:
    return chain.from_iterable(event.transitions.values())


def events_of(machine: Any) -> Iterator[Any]:
    """Yield every event of a machine, those inside of states as well."""
    yield from machine.events.values()
    for place in places(machine):
        yield from getattr(place.state, "events", {}).values()


def is_async(machine: Any) -> bool:
    """Say whether the triggers of a machine must be awaited."""
    return inspect.iscoroutinefunction(type(machine).callbacks)
