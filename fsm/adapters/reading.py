"""Reads the states and transitions of a machine of the `transitions` library, in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from fsm.adapters.callbacks import identity


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


def places(machine: Any) -> tuple[MachineState, ...]:
    """Return all states in the machine's order, outer states before inner ones."""
    return tuple(_places(machine.states, "", _separator(machine)))


def _places(states: Mapping[str, Any], parent: str, separator: str) -> Iterator[MachineState]:
    for name, state in states.items():
        id = _joined(parent, name, separator)
        inner: Mapping[str, Any] = getattr(state, "states", {})
        initial = tuple(
            _joined(id, _name(one), separator) for one in _listed(getattr(state, "initial", None))
        )
        yield MachineState(
            id, name, state, parent, tuple(_joined(id, one, separator) for one in inner), initial
        )
        yield from _places(inner, id, separator)


def arrows(machine: Any) -> tuple[Arrow, ...]:
    """All transitions in the order in which they are tried, inner before outer; without those to
    any state by name.
    """
    separator = _separator(machine)
    top = dict(machine.events)
    if getattr(machine, "auto_transitions", False):
        known = {place.id for place in places(machine)}
        attribute = str(machine.model_attribute)
        prefix = "to_" if attribute == "state" else f"to_{attribute}_"
        top = {
            name: event for name, event in top.items() if not _automatic(name, prefix, event, known)
        }
    return (*_inner(machine.states, "", separator), *_of(top, "", separator))


def _inner(states: Mapping[str, Any], scope: str, separator: str) -> Iterator[Arrow]:
    for name, state in states.items():
        id = _joined(scope, name, separator)
        yield from _inner(getattr(state, "states", {}), id, separator)
        yield from _of(getattr(state, "events", {}), id, separator)


def _of(events: Mapping[str, Any], scope: str, separator: str) -> Iterator[Arrow]:
    for name, event in events.items():
        for rows in event.transitions.values():
            for t in rows:
                target = None if t.dest is None else _joined(scope, _name(t.dest), separator)
                event = str.__str__(name)  # a member of an Enum of strings is its string
                yield Arrow(event, _joined(scope, _name(t.source), separator), target, t, scope)


def _automatic(name: str, prefix: str, event: Any, known: set[str]) -> bool:
    """Say whether this is one of the triggers `to_STATE` (`to_ATTRIBUTE_STATE`) that the library
    adds by itself.
    """
    state = name.removeprefix(prefix)
    if state not in known or not name.startswith(prefix):
        return False
    rows = [t for found in event.transitions.values() for t in found]
    return all(_name(t.dest) == state and not t.conditions for t in rows if t.dest is not None)


def initial_of(machine: Any) -> tuple[str, ...]:
    """Return the names of the states that a model starts in, or () if the machine does not say."""
    return tuple(map(_name, _listed(machine.initial)))


def _listed(value: Any) -> Sequence[Any]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, list | tuple) else (value,)


def _name(value: Any) -> str:
    return value if isinstance(value, str) else str(getattr(value, "name", value))


def _separator(machine: Any) -> str:
    return str(getattr(machine.state_cls, "separator", "_"))


def _joined(scope: str, name: str, separator: str) -> str:
    return f"{scope}{separator}{name}" if scope else name
