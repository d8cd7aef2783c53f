"""Reads a machine of the `transitions` library as a Model: states become states, conditions become
facts, and callbacks become words. No callback is called.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import PurePath
from typing import Any, NamedTuple

from fsm.errors import ModelError
from fsm.model import STAND_IN, Action, Event, Fact, Model, State, Term, Transition
from fsm.wording import citation

TOGETHER = "all together"
"""The event by which a Model enters several states one after another that a machine enters
together.
"""


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
        inner = getattr(state, "states", {})
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
    own, every = dict(machine.events), places(machine)
    if getattr(machine, "auto_transitions", False):
        attribute = str(machine.model_attribute)
        prefix = "to_" if attribute == "state" else f"to_{attribute}_"
        for place in every:
            name = prefix + place.id
            if name in own and _is_automatic(own[name], place.id):
                del own[name]
    found = list[Arrow]()
    outer = [place for place in every if place.inside]
    for place in sorted(outer, key=lambda place: -place.id.count(separator)):
        found += _of(place.state.events, place.id, separator)
    return (*found, *_of(own, "", separator))


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


# the Model ----------------------------------------------------------------------------------------


class Reading(NamedTuple):
    """The Model of a machine, and its transition for each of the machine, by the `id()` of the
    latter. The triggers `to_STATE`, which the library adds by itself, are not included.
    """

    model: Model
    rows: Mapping[int, Transition]


def read(machine: Any) -> Reading:
    """Read a machine of any class of the library, as `fsm.adapters.model_of` does."""
    definition: object = getattr(machine, "definition", None)
    if isinstance(definition, Model):
        called = {id(t): t.before[0] for t in transitions_of(machine) if t.before}
        made = {key: one.row for key, one in called.items() if hasattr(one, "row")}
        return Reading(definition, made)
    return _Building(machine).reading()


def itself(id: str) -> str:
    """Return the id of the state that stands for being in this state, but in none or in several of
    its inner states.

    With "", the id stands for a machine that has not started.
    """
    return f"{id} itself".strip()


class _Building:
    """Builds the Model of one machine.

    `together` has the states that need a stand-in: a run enters several states in them, or none.
    `facts` has what the Model calls each condition.
    """

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.title = title_of(machine)
        self.name = self.title or driven_class(machine).__name__
        self.places = {place.id: place for place in places(machine)}
        self.first = tuple(map(self._full_name, names_in(machine.initial)))
        self.together: list[str] = []
        self.facts: dict[Hashable, Fact] = {}

    def reading(self) -> Reading:
        """Return the Model with its transitions. Raises ModelError."""
        if not self.places:
            raise ModelError(f"machine {self.name!r} has no states; add some before it is drawn")
        initial = self._entered("", self.first)
        rows = {}
        for arrow in arrows(self.machine):
            if {arrow.source, arrow.target} <= {*self.places, None}:
                rows[id(arrow.transition)] = self._row(arrow)
        every: dict[str, Transition] = {}
        for row in (*rows.values(), *self._entering()):
            every.setdefault(row.id, row)
        model = Model(
            self.name,
            initial,
            tuple(self._states()),
            tuple(every.values()),
            tuple(map(Event, dict.fromkeys(row.event for row in every.values()))),
            tuple(self.facts.values()),
            title=self.title,
        )
        return Reading(model, rows)

    # states ---------------------------------------------------------------------------------------

    def _states(self) -> Iterator[State]:
        begins = {place.initial[0] for place in self.places.values() if len(place.initial) == 1}
        for id, place in self.places.items():
            kind: Any = "final" if getattr(place.state, "final", False) else "stage"
            yield State(
                id,
                "phase" if place.inside else kind,
                label=place.label,
                parent=place.parent,
                role="begin" if id in begins else "",
                doc=_said(place),
            )
            if id in self.together:
                label = f"{place.label} {'at once' if place.initial else 'by itself'}"
                yield State(itself(id), "stage", label=label, parent=id, family=STAND_IN)
        if "" in self.together:
            label = "start" if self.first else "not started"
            yield State(itself(""), "choice", label=label, family=STAND_IN)

    def _full_name(self, name: str) -> str:
        """Return the full name of a state that may be named by its last part only, as members of an
        Enum are.
        """
        if name in self.places:
            return name
        return next((p.id for p in self.places.values() if p.label == name), name)

    def _entered(self, id: str, inside: Sequence[str]) -> str:
        """Return the state in which a run is after these are entered inside of a state, or of the
        machine, "".
        """
        if len(inside) == 1:
            return self._entering_of(inside[0])
        if id not in self.together:
            self.together.append(id)
        return itself(id)

    def _entering_of(self, id: str) -> str:
        place = self.places.get(id)
        return self._entered(id, place.initial) if place is not None and place.inside else id

    def _entering(self) -> Iterator[Transition]:
        """Yield what leads from each stand-in to the states that are entered together. More of them
        may need one.
        """
        for id in self.together:
            for one in self.places[id].initial if id else self.first:
                yield Transition(itself(id), self._entering_of(one), TOGETHER)

    # transitions ----------------------------------------------------------------------------------

    def _row(self, arrow: Arrow) -> Transition:
        if not arrow.event.strip():
            raise ModelError(
                f"machine {self.name!r}: the transition from {arrow.source!r} to"
                f" {(arrow.target or arrow.source)!r} has an empty trigger; name its event"
            )
        t = arrow.transition
        called = [*t.prepare, *t.before, *t.after]
        return Transition(
            arrow.source,
            None if arrow.target is None else self._entering_of(arrow.target),
            arrow.event,
            tuple(Term(self._fact(func), wanted) for func, wanted in arrow.conditions),
            tuple(Action(name_of(callback)) for callback in called),
            layer="jump" if self.places[arrow.source].inside else "core",
            doc=_words(called),
        )

    def _fact(self, condition: object) -> str:
        """Return what the Model calls a condition. Others of its name get numbers."""
        key = identity(condition, self.machine.models)
        if key not in self.facts:
            taken = {fact.name for fact in self.facts.values()}
            name, number = name_of(condition), 2
            while name in taken:
                name, number = f"{name_of(condition)} {number}", number + 1
            self.facts[key] = Fact(name, place_of(condition))
        return self.facts[key].name


# callbacks ----------------------------------------------------------------------------------------


def name_of(callback: object) -> str:
    """Return the name of a callback: its own, or the one by which the machine knows it.

    Spaces and brackets become "_", as the names of a Model's actions have none.
    """
    if isinstance(callback, partial):
        callback = callback.func
    if isinstance(callback, str):
        name = callback.rpartition(".")[2]
    else:
        name = getattr(callback, "__name__", type(callback).__name__)
    return re.sub(r"[\s()]+", "_", name.strip("<>"))


def place_of(callback: object) -> str:
    """Return where a lambda is written, for instance "shop.py, line 12", and what another partial
    holds: "with 5". Others have "".
    """
    function: Any = getattr(callback, "func", callback)
    if getattr(function, "__name__", "") == "<lambda>":
        code = function.__code__
        return f"{PurePath(code.co_filename).name}, line {code.co_firstlineno}"
    if isinstance(callback, partial):
        held = [
            repr(value) if isinstance(value, str | int | float) else type(value).__name__
            for value in (*callback.args, *callback.keywords.values())
        ]
        return f"with {', '.join(held)}"
    return ""


def _words(callbacks: Iterable[object]) -> str:
    """Return the names of some callbacks, in order, with the places of those that have none."""
    return ", ".join(name_of(each) + citation(place_of(each)) for each in callbacks)


def _said(place: MachineState) -> str:
    """Return the callbacks that are called when a state is entered, left or finished."""
    said = []
    for when in ("enter", "exit", "final"):
        if words := _words(getattr(place.state, f"on_{when}", ())):
            said.append(f"on {when}: {words}")
    return "; ".join(said)
