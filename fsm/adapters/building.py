"""Builds a Model from a machine: states become states, conditions become facts, and callbacks
become words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from fsm.adapters.callbacks import Namer, doc_of, identity, name_of, only, words_of
from fsm.adapters.reading import Arrow, MachineState, arrows, initial_of, places
from fsm.errors import ModelError
from fsm.model import STAND_IN, Action, Event, Fact, Model, State, Term, Transition

TOGETHER = "all together"
"""The event by which a Model enters several states one after another that a machine enters
together.
"""


def itself(id: str) -> str:
    """Return the id of the state that stands for being in this state, but in none or in several of
    its inner states.

    With "", the id stands for a machine that has not started.
    """
    return f"{id} itself".strip()


class Building:
    """Builds the Model of one machine."""

    def __init__(self, machine: Any) -> None:
        self.machine = machine
        self.places = {place.id: place for place in places(machine)}
        self.arrows = tuple(
            arrow
            for arrow in arrows(machine)
            if {arrow.source, arrow.target} <= {*self.places, None}
        )
        self.owners = [one for one in machine.models if one is not machine] + [machine]
        self.facts: dict[str, Fact] = {}
        self.namer = Namer()
        self.ids = Namer()
        for id in self.places:
            self.ids.name(("state", id), id)
        self.itself: dict[str, str] = {}

    def model(self) -> Model:
        """The Model. Raises ModelError."""
        if not self.places:
            raise ModelError(f"machine {self.name!r} has no states; add some before it is drawn")
        for arrow in self.arrows:
            if not arrow.event.strip():
                way = f"{arrow.source!r} to {(arrow.target or arrow.source)!r}"
                text = f"machine {self.name!r}: the transition from {way} has an empty trigger"
                raise ModelError(f"{text}; name its event")
        initial = self._initial()
        written = self.rows.values()
        rows = tuple({t.id: t for t in (*written, *self._together())}.values())
        events = dict.fromkeys([arrow.event for arrow in self.arrows] + [t.event for t in rows])
        return Model(
            self.name,
            initial,
            tuple(self._states()),
            rows,
            tuple(map(Event, events)),
            tuple(self.facts.values()),
            title=self.title,
        )

    @property
    def title(self) -> str:
        """The name of the machine, or "" if it has none."""
        return str(self.machine.name or "").rstrip().removesuffix(":")

    @property
    def name(self) -> str:
        """The name of the machine, or the class of the object that it drives, or its own class."""
        return self.title or type(self.owners[0]).__name__

    # states ---------------------------------------------------------------------------------------

    def _states(self) -> Iterator[State]:
        first = {place.initial[0] for place in self.places.values() if len(place.initial) == 1}
        for place in self.places.values():
            kind: Any = "final" if getattr(place.state, "final", False) else "stage"
            yield State(
                place.id,
                "phase" if place.inside else kind,
                label=place.label,
                parent=place.parent,
                role="begin" if place.id in first else "",
                doc=self._said(place),
            )
            if place.id in self.itself:
                inner = "at once" if place.initial else "by itself"
                label = f"{place.label} {inner}"
                yield State(
                    self.itself[place.id], "stage", label=label, parent=place.id, family=STAND_IN
                )
        if self.itself.get(""):
            yield State(
                self.itself[""],
                "choice",
                label="start" if self._first else "not started",
                family=STAND_IN,
            )

    def _said(self, place: MachineState) -> str:
        """Return the callbacks that are called when a state is entered, left or finished."""
        said = (
            (when, words_of(getattr(place.state, f"on_{when}", ())))
            for when in ("enter", "exit", "final")
        )
        return "; ".join(f"on {when}: {words}" for when, words in said if words)

    @cached_property
    def _first(self) -> tuple[str, ...]:
        """The states that a run starts in."""
        return tuple(map(self._found, initial_of(self.machine)))

    def _initial(self) -> str:
        return self._entered(self._first[0]) if len(self._first) == 1 else self._own("")

    def _found(self, name: str) -> str:
        """Return the full name of a state that may be named by its last part only, as members of an
        Enum are.
        """
        if name in self.places:
            return name
        return next((p.id for p in self.places.values() if p.label == name), name)

    def _entered(self, id: str) -> str:
        """Return the state in which a run is after this one is entered."""
        place = self.places.get(id)
        if place is None or not place.inside:
            return id
        return self._entered(place.initial[0]) if len(place.initial) == 1 else self._own(id)

    def _own(self, id: str) -> str:
        """Return the stand-in for being in a composite state, but in none or in several of its
        inner states.
        """
        return self.itself.setdefault(id, self.ids.name(("itself", id), itself(id)))

    def _together(self) -> Iterator[Transition]:
        done: set[str] = set()
        while left := [id for id in self.itself if id not in done]:
            for id in left:
                done.add(id)
                for one in self.places[id].initial if id else self._first:
                    yield Transition(self.itself[id], self._entered(one), TOGETHER)

    # transitions ----------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> Mapping[int, Transition]:
        """The Model's transition for each of the machine, by the `id()` of the latter."""
        return {id(arrow.transition): self._row(arrow) for arrow in self.arrows}

    def _row(self, arrow: Arrow) -> Transition:
        t = arrow.transition
        called = [*t.prepare, *t.before, *t.after]
        return Transition(
            arrow.source,
            None if arrow.target is None else self._entered(arrow.target),
            arrow.event,
            tuple(self._term(func, wanted) for func, wanted in arrow.conditions),
            tuple(Action(name_of(callback)) for callback in called),
            layer="jump" if self.places[arrow.source].inside else "core",
            doc=words_of(called),
        )

    def _term(self, func: Any, wanted: bool) -> Term:
        name = self.namer.name(identity(func, only(self.machine.models)), name_of(func))
        self.facts.setdefault(name, Fact(name, doc_of(func, self.owners)))
        return Term(name, wanted)
