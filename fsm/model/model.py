"""The Model: a turn, or a window inside it, as plain immutable data.

Only the Model says in which order steps come, and which skips, loops and jumps there are.
Everything else in this package (the machine, the pictures, the checks, the paths) is computed from
it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from fsm.errors import ModelError
from fsm.model.elements import (
    Duration,
    Event,
    Fact,
    Kind,
    Parts,
    State,
    Transition,
)
from fsm.model.jsonform import behaviour_fingerprint, dump, fingerprint, load
from fsm.model.shown import Shown
from fsm.model.wellformed import check_parts

_V = TypeVar("_V")


@dataclass(frozen=True)
class Model(Parts, Shown):
    """The states, events, transitions and facts of one machine. A Model is frozen and has a
    fingerprint.

    A Model refuses only what could not be used or written to a file. `fsm.checks` reports
    anything else that may be wrong with it.

    Attributes
    ----------
    name
        The name of the model.
    initial
        The id of the state in which a run begins.
    states
        The states. Those that contain others are turns, phases and steps.
    transitions
        The transitions. The first one whose guard holds fires.
    events
        The events. The default is the one event "done".
    facts
        The facts that guards read.
    title, edition
        What the model is called in documents, and the edition of its rulebook.
    rulebook
        The rulebook with its date, in full: "Comprehensive Rules of 16 January 2026". "" if the
        edition says enough.
    options
        The options of the ruleset with which the model was built.
    durations
        How long effects can last.
    settings
        The settings that a game of this model can have.
    window
        The model of the window that opens inside the turn, or None.

    Raises
    ------
    ModelError
        If a value has another type than its field says, or if a name is unknown, is used twice, or
        could not be read back from a file.
    """

    window: Model | None = None
    _index: _Index = field(init=False, repr=False, compare=False, hash=False)
    _kept: dict[Hashable, Any] = field(
        init=False, repr=False, compare=False, hash=False, default_factory=dict
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "_index", _Index.of(self))

    def __copy__(self) -> Model:
        """A Model never changes, so a copy would be of no use."""
        return self

    def __deepcopy__(self, memo: object) -> Model:
        """As `copy.copy` does."""
        return self

    def __dask_tokenize__(self) -> str:
        """Let Dask know it by its fingerprint, and not by all that it holds."""
        return self.fingerprint

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[object, ...]]:
        """Pickle a built-in Model by its name and options, and any other by its JSON form: nothing
        that is kept.
        """
        from fsm.model.pickling import reduced  # few Models travel

        return reduced(self)

    def __repr__(self) -> str:
        edition = f", {self.edition}" if self.edition else ""
        return f"<Model {self.name}{edition}: {len(self.states)} states, {len(self.transitions)} transitions>"

    def __hash__(self) -> int:
        return hash((self.name, self.options, len(self.states), len(self.transitions)))

    # looking things up ---------------------------------------------------------------------

    def state(self, id: str) -> State:
        """Return the state with this id.

        Parameters
        ----------
        id
            The id of the state.

        Returns
        -------
        State
            The state.

        Raises
        ------
        ModelError
            If there is none. The message suggests a similar id.
        """
        try:
            return self._index.states[id]
        except KeyError:
            raise ModelError(
                f"state {id!r} is not in {self.name}",
                kind="unknown-state",
                found=id,
                known=self._index.states,
            ) from None

    def fact(self, name: str) -> Fact:
        """Return the fact with this name.

        Parameters
        ----------
        name
            The name of the fact.

        Returns
        -------
        Fact
            The fact.

        Raises
        ------
        ModelError
            If there is none. The message suggests a similar name.
        """
        try:
            return self._index.facts[name]
        except KeyError:
            raise ModelError(
                f"fact {name!r} is not in {self.name}",
                kind="unknown-fact",
                found=name,
                known=self._index.facts,
            ) from None

    def transition(self, id: str) -> Transition:
        """Return the transition with this id.

        Parameters
        ----------
        id
            The id of the transition.

        Returns
        -------
        Transition
            The transition.

        Raises
        ------
        ModelError
            If there is none. The message suggests a similar id.
        """
        for transition in self.transitions:
            if transition.id == id:
                return transition
        known = [t.id for t in self.transitions]
        raise ModelError(
            f"transition {id!r} is not in {self.name}",
            kind="unknown-transition",
            found=id,
            known=known,
        )

    def duration(self, name: str) -> Duration | None:
        """Return the duration with this name.

        Parameters
        ----------
        name
            The name of the duration.

        Returns
        -------
        Duration or None
            The duration, or None if there is none.
        """
        return next((d for d in self.durations if d.name == name), None)

    def path(self, id: str) -> tuple[State, ...]:
        """Return the state and all states that contain it, innermost first.

        Parameters
        ----------
        id
            The id of the state.

        Returns
        -------
        tuple of State
            The states. The first one is the state itself.
        """
        return self._index.paths[id]

    def enclosing(self, id: str, kind: Kind) -> State | None:
        """Return the state of this kind that contains the given state, or is it.

        Parameters
        ----------
        id
            The id of the state.
        kind
            The kind of the containing state: "phase", "step" or "turn".

        Returns
        -------
        State or None
            The state, or None if there is none.
        """
        for state in self._index.paths[id]:
            if state.kind == kind:
                return state
        return None

    def children(self, id: str) -> tuple[State, ...]:
        """Return the states directly inside this one, in the model's order.

        Parameters
        ----------
        id
            The id of the state.

        Returns
        -------
        tuple of State
            The states inside.
        """
        return tuple(s for s in self.states if s.parent == id)

    @cached_property
    def leaves(self) -> tuple[State, ...]:
        """The states that a run can be in: all states that are no turn, phase or step."""
        return tuple(s for s in self.states if not s.composite)

    @cached_property
    def machines(self) -> Mapping[str, Model]:
        """The model of the turn, and that of the window if there is one, as "turn" and "window"."""
        return {"turn": self} if self.window is None else {"turn": self, "window": self.window}

    @cached_property
    def played(self) -> bool:
        """Whether a TurnController can play the model, which then has completions.

        Other machines wait for any event at any time.
        """
        completions = {event.name for event in self.events if event.completion}
        return any(row.event in completions for row in self.transitions)

    @cached_property
    def signals(self) -> tuple[str, ...]:
        """The events that interrupt the ordinary course of a turn."""
        return tuple(event.name for event in self.events if not event.completion)

    @cached_property
    def leaving(self) -> str:
        """The event by which a player leaves the game, in the turn or in its window, or "" if there
        is none.
        """
        events = (*self.events, *(self.window.events if self.window is not None else ()))
        return next((event.name for event in events if event.is_leaving), "")

    def of_kind(self, kind: Kind) -> tuple[State, ...]:
        """Return all states of one kind, in the model's order.

        Parameters
        ----------
        kind
            The kind, for instance "step".

        Returns
        -------
        tuple of State
            The states.
        """
        return tuple(s for s in self.states if s.kind == kind)

    def rows(self, source: str, event: str = "done") -> tuple[Transition, ...]:
        """Return the transitions that an event can fire in a state, in the order in which they are
        tried.

        A transition of the state itself is tried before one of the step or phase that contains it.

        Parameters
        ----------
        source
            The id of the state.
        event
            The name of the event.

        Returns
        -------
        tuple of Transition
            The transitions. It is empty if there are none.
        """
        return self._index.rows.get((source, event), ())

    @cached_property
    def choices(self) -> tuple[tuple[State, str, tuple[Transition, ...]], ...]:
        """Every state with each of its events and the transitions for that event, as `rows` returns
        them.
        """
        return tuple((s, e, self.rows(s.id, e)) for s in self.leaves for e in self.events_at(s.id))

    def above(self, transition: Transition, source: str) -> tuple[Transition, ...]:
        """Return the transitions that are tried before another one.

        Parameters
        ----------
        transition
            A transition of the model.
        source
            The id of a state in which it can fire.

        Returns
        -------
        tuple of Transition
            The transitions, in the order in which they are tried.
        """
        rows = self.rows(source, transition.event)
        return rows[: rows.index(transition)]

    def events_at(self, source: str) -> tuple[str, ...]:
        """Return the names of the events for which this state has a transition.

        Parameters
        ----------
        source
            The id of the state.

        Returns
        -------
        tuple of str
            The names of the events, in the model's order.
        """
        return tuple(e.name for e in self.events if (source, e.name) in self._index.rows)

    def kept(self, key: Hashable, make: Callable[[], _V]) -> _V:
        """Return a value that is computed from this model once and kept as long as the model.

        Threads that ask at the same time may each compute it, but all get the same value.

        Parameters
        ----------
        key
            The key of the value. It must differ from all other keys that are used with this model.
        make
            A function without arguments that computes the value.

        Returns
        -------
        object
            What `make` returned when the value was computed.
        """
        kept = self._kept
        found: _V = kept[key] if key in kept else kept.setdefault(key, make())
        return found

    # deriving another model ------------------------------------------------------------------

    def without(self, *transitions: str) -> Model:
        """Return this model without some transitions.

        Parameters
        ----------
        *transitions
            The ids of the transitions.

        Returns
        -------
        Model
            The new model.

        Raises
        ------
        ModelError
            If an id is unknown.
        """
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
        """Return this model with more parts, which are added last.

        Parameters
        ----------
        states, transitions, facts, events
            The parts to add.
        name
            The name of the new model. The default is the name of this one.

        Returns
        -------
        Model
            The new model.

        Raises
        ------
        ModelError
            If a name is taken, or a new part does not fit the model.
        """
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
        """Return the model as plain JSON values. `fsm/schemas/model.schema.json` describes them."""
        return dump(self)

    @classmethod
    def from_json(cls, data: object) -> Model:
        """Return the model that plain JSON values describe.

        Parameters
        ----------
        data
            What `to_json` returned, perhaps after a way through JSON.

        Returns
        -------
        Model
            The model.

        Raises
        ------
        ModelFileError
            If the data does not describe a model. The message names the wrong place.
        """
        return load(data, cls)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything in the model. Equal models have equal fingerprints."""
        return fingerprint(self)

    @cached_property
    def behaviour_fingerprint(self) -> str:
        """A short hash of everything but citations, texts, and what the model and its edition are
        called.

        Models that differ only in these have equal ones, and each restores the snapshots of the
        other.
        """
        return behaviour_fingerprint(self)


@dataclass(frozen=True, slots=True)
class _Index:
    """What a Model looks up often, computed once. `of` refuses wrong names."""

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
            raise ModelError(
                f"model {model.name!r}: state {state.id!r} contains itself; parents must form a tree"
            )
        seen.add(state.id)
        yield state
        if not state.parent:
            return
        state = states[state.parent]


def _rows(
    model: Model, paths: Mapping[str, tuple[State, ...]]
) -> dict[tuple[str, str], tuple[Transition, ...]]:
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
