"""The Model: a turn, or a window inside it, as plain immutable data.

Only the Model says in which order steps come, and which skips, loops and jumps there are.
Everything else in this package (the machine, the pictures, the checks, the paths) is computed from
it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cached_property, lru_cache, wraps
from itertools import chain, count
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fsm.errors import ModelError, ModelFileError
from fsm.model.elements import (
    LEAVING,
    Duration,
    Event,
    Fact,
    Kind,
    Role,
    Setting,
    State,
    Transition,
)
from fsm.model.valid import problems_of

_V = TypeVar("_V")
_F = TypeVar("_F", bound=Callable[..., Any])
TEXTS = frozenset({"rule", "doc", "label", "says", "denies"})
"""The fields of parts that only people read: citations, documentation, labels and plain words."""
_NAMES = frozenset({"name", "title", "edition", "rulebook", "options"})
"""What a model and its edition are called."""
_SMALL_WORDS = frozenset({"", "of", "the", "and", "a", "to"})
Bundle = dict[str, str]
"""What a notebook shows, by MIME type."""


class Shown:
    """A value that a notebook shows as text and picture."""

    __slots__ = ()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        """Called by a notebook: its text, and its picture where it can be drawn."""
        from fsm.views.draw import bundle

        return bundle(self)


class Model(
    Shown,
    Struct,
    frozen=True,
    dict=True,
    weakref=True,
    forbid_unknown_fields=True,
    tag_field="format",
    tag="fsm-model-1",
):
    """The states, events, transitions and facts of one machine. A Model is frozen and has a
    fingerprint.

    A Model refuses only what could not be used or written to a file. `fsm.check` reports anything
    else that may be wrong with it.

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
        The model of the window that opens inside the turn, or None. If there are several kinds of
        windows, it has a loop for each. A state of the kind "window" says which one it enters.
    roles
        The roles that players can have, besides those that every model knows.

    Raises
    ------
    ModelError
        If a value has another type than its field says, or if a name is unknown, is used twice, or
        could not be read back from a file.
    """

    name: str
    initial: str
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    events: tuple[Event, ...] = (Event("done", "the state is finished", completion=True),)
    facts: tuple[Fact, ...] = ()
    title: str = ""
    edition: str = ""
    rulebook: str = ""
    options: dict[str, str | int | bool] = {}
    durations: tuple[Duration, ...] = ()
    settings: tuple[Setting, ...] = ()
    window: Model | None = None
    roles: tuple[Role, ...] = ()

    def __post_init__(self) -> None:
        for problem in problems_of(self):
            raise ModelError(f"model {self.name!r}: {problem}")

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"<Model {self.name}>"

    # looking things up ---------------------------------------------------------------------------

    @cached_property
    def _states(self) -> Mapping[str, State]:
        return {state.id: state for state in self.states}

    @cached_property
    def _facts(self) -> Mapping[str, Fact]:
        return {fact.name: fact for fact in self.facts}

    @cached_property
    def _transitions(self) -> Mapping[str, Transition]:
        return {row.id: row for row in self.transitions}

    @cached_property
    def _paths(self) -> Mapping[str, tuple[State, ...]]:
        return {state.id: tuple(self._climb(state)) for state in self.states}

    def _climb(self, state: State | None) -> Iterator[State]:
        while state is not None:
            yield state
            state = self._states.get(state.parent)

    @cached_property
    def _rows(self) -> Mapping[tuple[str, str], tuple[Transition, ...]]:
        own = defaultdict[str, list[Transition]](list)
        for row in self.transitions:
            own[row.source].append(row)
        found = defaultdict[tuple[str, str], list[Transition]](list)
        for state in self.leaves:
            for holder in self.path(state.id):
                for row in own[holder.id]:
                    found[state.id, row.event].append(row)
        return {place: tuple(rows) for place, rows in found.items()}

    def state(self, id: str) -> State:
        """Return the state with this id. Raises ModelError, which suggests a similar id."""
        return self._found("state", id, self._states)

    def fact(self, name: str) -> Fact:
        """Return the fact with this name. Raises ModelError, which suggests a similar name."""
        return self._found("fact", name, self._facts)

    def transition(self, id: str) -> Transition:
        """Return the transition with this id. Raises ModelError, which suggests a similar id."""
        return self._found("transition", id, self._transitions)

    def _found(self, kind: str, name: str, known: Mapping[str, _V]) -> _V:
        return known[ModelError.known_name(kind, name, known, self.name)]

    def path(self, id: str) -> tuple[State, ...]:
        """Return the state with this id and all states that contain it, innermost first."""
        return self._paths[id]

    def enclosing(self, id: str, kind: Kind) -> State | None:
        """Return the state of this kind ("phase", "step" or "turn") that contains the state with
        this id, or is it, or None.
        """
        return next((state for state in self.path(id) if state.kind == kind), None)

    def children(self, id: str) -> tuple[State, ...]:
        """Return the states directly inside the one with this id, in the model's order."""
        return tuple(s for s in self.states if s.parent == id)

    def of_kind(self, kind: Kind) -> tuple[State, ...]:
        """Return all states of one kind, in the model's order."""
        return tuple(s for s in self.states if s.kind == kind)

    @cached_property
    def leaves(self) -> tuple[State, ...]:
        """The states that a run can be in: all states that are no turn, phase or step."""
        return tuple(s for s in self.states if not s.composite)

    def rows(self, source: str, event: str = "done") -> tuple[Transition, ...]:
        """Return the transitions that an event can fire in a state, in the order in which they are
        tried.

        A transition of the state itself is tried before one of the step or phase that contains it.
        """
        return self._rows.get((source, event), ())

    def events_at(self, source: str) -> tuple[str, ...]:
        """Return the names of the events for which a state has a transition."""
        return tuple(e.name for e in self.events if (source, e.name) in self._rows)

    @cached_property
    def choices(self) -> tuple[tuple[State, str, tuple[Transition, ...]], ...]:
        """Every state with each of its events and the transitions for that event."""
        rows = self._rows.items()
        return tuple((self.state(id), event, found) for (id, event), found in rows)

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
        is_there = any(LEAVING in machine.signals for machine in self.machines.values())
        return LEAVING if is_there else ""

    def role(self, name: str) -> Role | None:
        """Return the role of this name that the model declares, or None."""
        return next((role for role in self.roles if role.name == name), None)

    def beginnings(self, place: str) -> tuple[str, ...]:
        """Return the ids of the states with which a place begins, after the point at which it can
        be skipped.

        A place is the id of a state, the name of a phase or step, or "turn". A step has precedence
        over a phase of the same name. Of an unknown place there are none.
        """
        found = [state.id for state in self.leaves if state.id == place]
        for kind in ("step", "phase", "turn"):
            homes = [home.id for home in self.of_kind(kind) if place in (home.id, home.name)]
            begins = (state for state in self.leaves if state.role == "begin")
            found = found or [state.id for state in begins if state.parent in homes]
        return tuple(found)

    @cached_property
    def kept(self) -> dict[Hashable, Any]:
        """What was computed from this model once, and is kept as long as the model, by keys that
        differ from all others. See `per_model`.
        """
        return {}

    # deriving another model ----------------------------------------------------------------------

    def without(self, *transitions: str) -> Model:
        """Return this model without the transitions with these ids. Raises ModelError if an id is
        unknown.
        """
        gone = {self.transition(id).id for id in transitions}
        return replace(self, transitions=tuple(t for t in self.transitions if t.id not in gone))

    # as plain data -------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the model as plain JSON values. `fsm/schemas/model.schema.json` describes them."""
        return msgspec.json.decode(_text_of(self))  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: object) -> Model:
        """Return the model that plain JSON values describe: what `to_json` returned, perhaps after
        a way through JSON.

        Raises
        ------
        ModelFileError
            If a value is not one of its place, which the message names.
        ModelError
            If the values make no Model.
        """
        from fsm.files import Shapes  # most Models are built

        if isinstance(data, dict):
            data = {key: value for key, value in data.items() if key != "$schema"}
        return Shapes("model", ModelFileError).value(data, cls)  # type: ignore[no-any-return]

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything in the model. Equal models have equal fingerprints."""
        return _hash(self.to_json())

    @cached_property
    def behaviour_fingerprint(self) -> str:
        """A short hash of everything but citations, texts, and what the model and its edition are
        called.

        Models that differ only in these have equal ones, and each restores the snapshots of the
        other.
        """
        return _hash(json.loads(_text_of(self), object_hook=_without_texts))

    def __reduce__(self) -> tuple[Callable[[bytes], Model], tuple[bytes]]:
        return _arrived, (_text_of(self),)

    def __deepcopy__(self, memo: object) -> Model:
        return self


_text_of = msgspec.json.Encoder(enc_hook=str, order="deterministic").encode


@lru_cache(maxsize=64)
def _arrived(text: bytes) -> Model:
    """Return a model that was pickled. A process that gets it several times makes it once."""
    return Model.from_json(msgspec.json.decode(text))


class Builds(Protocol):
    """A table, which makes a Model."""

    def build(self) -> Model:
        """Return the Model."""


ModelLike: TypeAlias = Model | Builds | str | PathLike[str]
"""What names or makes a Model is accepted wherever a Model is: a specification, the path of a model
file, a Table.
"""


def as_model(what: ModelLike) -> Model:
    """Return the Model that something is, names or makes.

    Raises FsmError if there is no such Model.
    """
    if isinstance(what, Model):
        return what
    from fsm.rulesets import model_of_any  # who has a Model does without rulesets

    return model_of_any(what)


def per_model(function: _F) -> _F:
    """Decorate a function of a Model or a Graph, so that each of its values is computed once and
    kept with the Model. Further arguments must be hashable.

    Threads that ask at the same time may each compute it, but all get the same value.
    """

    @wraps(function)
    def found(model: Any, /, *args: Any) -> Any:
        # the function alone starts a game faster: see the bar "a start" of benchmarks/bars.py
        key: Hashable = (function, *args) if args else function
        kept = model.kept
        if key not in kept:
            kept.setdefault(key, function(model, *args))
        return kept[key]

    return cast("_F", found)


def _without_texts(part: Mapping[str, object]) -> Mapping[str, object]:
    """Return a part of a model, or a model, without what only people read."""
    texts = TEXTS | _NAMES if "states" in part else TEXTS
    return {name: value for name, value in part.items() if name not in texts}


def _hash(value: object) -> str:
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


# codes of steps -----------------------------------------------------------------------------------


def step_codes(model: Model) -> dict[str, str]:
    """Two letters for each step, for where there is no room for more: the initials of its name, or
    the first two letters of a single word.

    Steps of one family that would share a code get its first letter and a number (M1, M2); others
    another letter of their name, a consonant if there is one.
    """
    codes = dict[str, str]()
    names = {step.id: step.name or step.id for step in model.of_kind("step")}
    families = {id: getattr(model.enclosing(id, "phase"), "family", "") for id in names}
    wanted = {id: _initials(name) for id, name in names.items()}
    for id, code in wanted.items():
        letters = filter(str.isalnum, names[id][1:].upper())
        others = sorted(letters, key="AEIOU".__contains__)
        tried = [code, *(code[0] + letter for letter in others)]
        alike = [families[other] for other in names if wanted[other] == code]
        stem = code
        if len(alike) > len({*alike}) == 1 and alike[0]:
            tried = []
            stem = alike[0][0].upper()
        numbered = (f"{stem}{number}" for number in count(1))
        taken = {*wanted.values()} - {code} | {*codes.values()}
        codes[id] = next(each for each in chain(tried, numbered) if each not in taken)
    return codes


def _initials(name: str) -> str:
    words = [word for word in re.split(r"[-_ ]", name) if word not in _SMALL_WORDS] or [name]
    letters = words[0] if len(words) == 1 else words[0][0] + words[1][0]
    return letters[:2].upper()
