"""The Model: a turn, or a window inside it, as plain immutable data.

A Model is the only home of any order of steps, any skip, loop or jump. Everything else in this
package (the machine, the pictures, the checks, the paths) is computed from it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from fsm.errors import ModelError, suggest
from fsm.model.elements import (
    Duration,
    Event,
    Fact,
    Kind,
    Setting,
    State,
    Transition,
)
from fsm.model.wellformed import check_parts
from fsm.notebooks import Shown

_V = TypeVar("_V")


@dataclass(frozen=True)
class Model(Shown):
    """States, events, transitions and facts of one machine; frozen, with a fingerprint.

    Building one raises ModelError for a value of another type than its field says, and for a name that is
    unknown, there twice, or could not be read back from a file. Anything else that may be wrong with a model is
    data: see `fsm.analysis.checks`.
    """

    name: str
    initial: str
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    events: tuple[Event, ...] = (Event("done", "the state is finished", completion=True),)
    facts: tuple[Fact, ...] = ()
    title: str = ""
    edition: str = ""
    options: tuple[tuple[str, str | int | bool], ...] = ()
    durations: tuple[Duration, ...] = ()
    settings: tuple[Setting, ...] = ()
    window: Model | None = None
    _index: _Index = field(init=False, repr=False, compare=False, hash=False)
    _kept: dict[Hashable, Any] = field(init=False, repr=False, compare=False, hash=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", _Index.of(self))

    def __hash__(self) -> int:
        return hash((self.name, self.options, len(self.states), len(self.transitions)))

    # looking things up ---------------------------------------------------------------------

    def state(self, id: str) -> State:
        """The state with this id. Raises ModelError, with a suggestion, when there is none."""
        try:
            return self._index.states[id]
        except KeyError:
            raise ModelError(f"state {id!r} is not in {self.name}{suggest(id, self._index.states)}") from None

    def fact(self, name: str) -> Fact:
        """The fact with this name. Raises ModelError when there is none."""
        try:
            return self._index.facts[name]
        except KeyError:
            raise ModelError(f"fact {name!r} is not in {self.name}{suggest(name, self._index.facts)}") from None

    def transition(self, id: str) -> Transition:
        """The transition with this id. Raises ModelError when there is none."""
        for transition in self.transitions:
            if transition.id == id:
                return transition
        known = [t.id for t in self.transitions]
        raise ModelError(f"transition {id!r} is not in {self.name}{suggest(id, known)}")

    def duration(self, name: str) -> Duration | None:
        """The duration with this name, if the model has it."""
        return next((d for d in self.durations if d.name == name), None)

    def path(self, id: str) -> tuple[State, ...]:
        """The state and all that contain it, innermost first."""
        return self._index.paths[id]

    def enclosing(self, id: str, kind: Kind) -> State | None:
        """The phase, step or turn that contains this state (or is it)."""
        return next((s for s in self._index.paths[id] if s.kind == kind), None)

    def children(self, id: str) -> tuple[State, ...]:
        """The states directly inside this one, in the model's order."""
        return tuple(s for s in self.states if s.parent == id)

    @cached_property
    def leaves(self) -> tuple[State, ...]:
        """The states a run can be in: everything but turn, phases and steps."""
        return tuple(s for s in self.states if not s.composite)

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """The events that break the ordinary course of a turn."""
        return tuple(event.name for event in self.events if not event.completion)

    def of_kind(self, kind: Kind) -> tuple[State, ...]:
        """All states of one kind, in the model's order."""
        return tuple(s for s in self.states if s.kind == kind)

    def rows(self, source: str, event: str = "done") -> tuple[Transition, ...]:
        """The transitions that `event` may fire in this state, in the order they are tried.

        Innermost source first: a row whose source is a step or phase stands below the state's own.
        """
        return self._index.rows.get((source, event), ())

    def events_at(self, source: str) -> tuple[str, ...]:
        """The events for which this state has a row."""
        return tuple(e.name for e in self.events if (source, e.name) in self._index.rows)

    def kept(self, key: Hashable, make: Callable[[], _V]) -> _V:
        """What `make` computes of this model: computed once, kept as long as the model.

        Threads that ask at the same time may compute it each, but all get the same.
        """
        found: _V = self._kept[key] if key in self._kept else self._kept.setdefault(key, make())
        return found

    # deriving another model ------------------------------------------------------------------

    def without(self, *transitions: str) -> Model:
        """This model less the transitions with these ids. Raises ModelError for unknown ids."""
        gone = {self.transition(id).id for id in transitions}
        return replace(self, transitions=tuple(t for t in self.transitions if t.id not in gone))

    def with_(
        self,
        *,
        states: Iterable[State] = (),
        transitions: Iterable[Transition] = (),
        facts: Iterable[Fact] = (),
        events: Iterable[Event] = (),
        name: str = "",
    ) -> Model:
        """This model with more parts, added last. Raises ModelError when a name is taken."""
        return replace(
            self,
            name=name or self.name,
            states=self.states + tuple(states),
            transitions=self.transitions + tuple(transitions),
            facts=self.facts + tuple(facts),
            events=self.events + tuple(events),
        )

    # as plain data -----------------------------------------------------------------------------

    def to_json(self) -> dict[str, object]:
        """The model as plain JSON values; `fsm/schemas/model.schema.json` describes them."""
        from fsm.model.jsonform import dump

        return dump(self)

    @classmethod
    def from_json(cls, data: object) -> Model:
        """Build a model from plain JSON values. Raises ModelFileError naming the wrong place."""
        from fsm.model.jsonform import load

        return load(data)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything in the model: equal exactly when the models are equal."""
        from fsm.model.jsonform import fingerprint

        return fingerprint(self)


@dataclass(frozen=True, slots=True)
class _Index:
    """What a Model looks up often, computed once; building it is what refuses wrong names."""

    states: Mapping[str, State]
    facts: Mapping[str, Fact]
    paths: Mapping[str, tuple[State, ...]]
    rows: Mapping[tuple[str, str], tuple[Transition, ...]]

    @classmethod
    def of(cls, model: Model) -> _Index:
        check_parts(model)
        states = {s.id: s for s in model.states}
        paths = {s.id: tuple(_climb(model, states, s)) for s in model.states}
        return cls(states, {f.name: f for f in model.facts}, paths, _rows(model, paths))


def _climb(model: Model, states: Mapping[str, State], state: State) -> Iterator[State]:
    seen: set[str] = set()
    while True:
        if state.id in seen:
            raise ModelError(f"model {model.name!r}: state {state.id!r} contains itself; parents must form a tree")
        seen.add(state.id)
        yield state
        if not state.parent:
            return
        state = states[state.parent]


def _rows(model: Model, paths: Mapping[str, tuple[State, ...]]) -> dict[tuple[str, str], tuple[Transition, ...]]:
    own: dict[tuple[str, str], list[Transition]] = {}
    for t in model.transitions:
        own.setdefault((t.source, t.event), []).append(t)
    rows: dict[tuple[str, str], tuple[Transition, ...]] = {}
    for state in model.states:
        if state.composite:
            continue
        for event in model.events:
            found = [t for holder in paths[state.id] for t in own.get((holder.id, event.name), ())]
            if found:
                rows[state.id, event.name] = tuple(found)
    return rows
