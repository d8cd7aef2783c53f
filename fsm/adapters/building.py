"""Builds a Model from a machine: states become states, conditions become facts, and callbacks
become words. No callback is called.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any, NamedTuple

from fsm.adapters.reading import (
    Arrow,
    MachineState,
    arrows,
    driven_class,
    identity,
    initial_of,
    places,
    title_of,
    transitions_of,
)
from fsm.errors import ModelError
from fsm.model import STAND_IN, Action, Event, Fact, Model, State, Term, Transition

TOGETHER = "all together"
"""The event by which a Model enters several states one after another that a machine enters
together.
"""
LONGEST_VALUE = 24
"""Longer values that a partial holds are named by their class."""


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
        self.first = tuple(map(self._full_name, initial_of(machine)))
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
            way = f"{arrow.source!r} to {(arrow.target or arrow.source)!r}"
            text = f"machine {self.name!r}: the transition from {way} has an empty trigger"
            raise ModelError(f"{text}; name its event")
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
    """Return what tells a callback from others of its name: where a lambda is written, for instance
    "shop.py, line 12", and the values that a partial holds. Others have "".
    """
    words = []
    if isinstance(callback, partial):
        held = [_shown(value) for value in callback.args]
        held += [f"{name}={_shown(value)}" for name, value in callback.keywords.items()]
        words.append(f"with {', '.join(held)}")
        callback = callback.func
    if getattr(callback, "__name__", "") == "<lambda>":
        code = callback.__code__  # type: ignore[attr-defined]
        words.insert(0, f"{PurePath(code.co_filename).name}, line {code.co_firstlineno}")
    return "; ".join(words)


def _shown(value: object) -> str:
    """Return a value that a partial holds, or its class if it has no text of its own."""
    text = repr(value)
    return text if len(text) <= LONGEST_VALUE and " at 0x" not in text else type(value).__name__


def _words(callbacks: Iterable[object]) -> str:
    """Return the names of some callbacks, in order, with the places of those that have none."""
    words = []
    for callback in callbacks:
        place = place_of(callback)
        words.append(name_of(callback) + (f" ({place})" if place else ""))
    return ", ".join(words)


def _said(place: MachineState) -> str:
    """Return the callbacks that are called when a state is entered, left or finished."""
    said = []
    for when in ("enter", "exit", "final"):
        if words := _words(getattr(place.state, f"on_{when}", ())):
            said.append(f"on {when}: {words}")
    return "; ".join(said)
