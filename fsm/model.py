"""The Model: a turn, or a window inside it, as plain immutable data.

A Model is the only home of any order of steps, any skip, loop or jump. Everything else in this
package (the machine, the pictures, the checks, the paths) is computed from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeVar

from fsm.errors import ModelError, suggest

Kind = Literal["turn", "phase", "step", "action", "window", "stage", "choice", "final"]
Role = Literal["", "before", "begin", "action", "window", "end", "after", "hub", "resume", "procedure"]
Layer = Literal["core", "skip", "extra", "jump"]
Owner = Literal["game", "agenda", "controller"]
Timing = Literal["live", "latched", "once"]
Asks = Literal["", "perform", "priority", "check", "place", "resolve"]
Opens = Literal["", "natural", "conditional"]

COMPOSITE: frozenset[str] = frozenset({"turn", "phase", "step"})
_V = TypeVar("_V")
LAYERS: tuple[Layer, ...] = ("core", "skip", "extra", "jump")


@dataclass(frozen=True, slots=True)
class Fact:
    """A named boolean that guards read.

    `owner` says who answers it: the game (it rides on an answer), the agenda or the controller
    (both evaluate `test`, a primitive test with its arguments, see `fsm.primitives`).
    `timing`: "live" is read as it stands, "latched" stays true until its `scope` is cleared,
    "once" is live but the model reads it at one place only, so that it decides once.
    `group` names a set of facts of which exactly one holds.
    """

    name: str
    doc: str
    rule: str = ""
    owner: Owner = "game"
    timing: Timing = "live"
    scope: str = ""
    about: str = ""
    group: str = ""
    test: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """One literal of a guard: a fact, or its negation. Written "fact" or "not fact"."""

    fact: str
    value: bool = True

    @classmethod
    def parse(cls, text: str) -> Term:
        """Read "fact" or "not fact"."""
        word = text.strip()
        return cls(word[4:].strip(), False) if word.startswith("not ") else cls(word)

    def __str__(self) -> str:
        return self.fact if self.value else f"not {self.fact}"


@dataclass(frozen=True, slots=True)
class Action:
    """One primitive that a transition applies, with its arguments. Written "name(a, b)"."""

    name: str
    args: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Action:
        """Read "name" or "name(a, b)". Raises ModelError when the brackets do not match."""
        name, bracket, rest = text.strip().partition("(")
        if bracket and not rest.endswith(")"):
            raise ModelError(f"action {text!r} has no closing bracket; write 'name(a, b)'")
        args = tuple(part.strip() for part in rest[:-1].split(",")) if bracket else ()
        return cls(name.strip(), args)

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.args)})" if self.args else self.name


@dataclass(frozen=True, slots=True)
class Event:
    """What can make a transition fire. A completion event is not shown: the state just finishes."""

    name: str
    doc: str = ""
    completion: bool = False


@dataclass(frozen=True, slots=True)
class State:
    """One state, on any of the levels.

    `kind`: turn, phase and step are composite; an action asks the host for one thing, a window
    runs the window model, a stage asks nobody, a choice is a pseudo-state without duration, a
    final state ends the run (or, in a window model, closes the window).
    `name` is the short word that scenarios use ("upkeep"), `label` the one people read,
    `family` the word effects use when several states share it ("main"), `role` what the state
    is for (pictures collapse by role, never by name). `asks`, `action`: what an action asks of the
    host; `tells`: the game facts that it decides, which the answer must tell.
    """

    id: str
    kind: Kind
    name: str = ""
    label: str = ""
    parent: str = ""
    role: Role = ""
    rule: str = ""
    doc: str = ""
    family: str = ""
    asks: Asks = ""
    action: str = ""
    opens: Opens = ""
    tells: tuple[str, ...] = ()

    @property
    def composite(self) -> bool:
        """Is this a turn, phase or step, which contains other states?"""
        return self.kind in COMPOSITE

    @property
    def words(self) -> tuple[str, ...]:
        """The events that end this state in the ordinary course; for an action, what may be answered."""
        if self.composite or self.kind == "final":
            return ()
        if self.kind == "window":
            return ("closed",)
        return ("acted", "passed") if self.asks == "priority" else ("done",)


@dataclass(frozen=True, slots=True)
class Transition:
    """One arrow. `target` None: internal, "nothing happens". Source may be composite.

    Rows with one source and event are ordered: the first whose guard holds fires. The id is
    made from the ends, the event and the guard, so it is stable and readable.
    """

    source: str
    target: str | None
    event: str = "done"
    guard: tuple[Term, ...] = ()
    actions: tuple[Action, ...] = ()
    rule: str = ""
    layer: Layer = "core"
    generic: bool = False
    doc: str = ""

    @property
    def id(self) -> str:
        """Stable and readable: "upkeep_window -> upkeep_end on closed"."""
        words = [self.source, "->", self.target or "(stays)"]
        if self.event != "done":
            words += ["on", self.event]
        if self.guard:
            words.append(f"[{', '.join(map(str, self.guard))}]")
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Duration:
    """How long an effect can last, by name: it ends at a moment the model announces.

    `moment`: "begin", "end" (of a turn, phase or step, by family) or "mark" (an action
    `mark(what)`). `whose`: "any", or "yours" (only in a turn of the effect's player).
    `turn`: "any", or "next" (only in the next turn of that player which really begins).
    """

    name: str
    moment: Literal["begin", "end", "mark"]
    what: str
    whose: Literal["any", "yours"] = "any"
    turn: Literal["any", "next"] = "any"
    rule: str = ""
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Setting:
    """A yes-or-no of one game, fixed when it starts (not an option: it makes no other Model).

    `sides`: the default is yes exactly when the game starts with this many sides.
    """

    name: str
    doc: str = ""
    rule: str = ""
    default: bool = False
    sides: int | None = None


@dataclass(frozen=True)
class Model:
    """States, events, transitions and facts of one machine; frozen, with a fingerprint.

    Unknown and duplicate names raise ModelError when it is built. Anything else that may be wrong
    with it is data: see `fsm.checks`.
    """

    name: str
    initial: str
    states: tuple[State, ...]
    transitions: tuple[Transition, ...]
    events: tuple[Event, ...] = (Event("done", "the state is finished", completion=True),)
    facts: tuple[Fact, ...] = ()
    title: str = ""
    edition: str = ""
    options: tuple[tuple[str, object], ...] = ()
    durations: tuple[Duration, ...] = ()
    settings: tuple[Setting, ...] = ()
    window: Model | None = None
    _index: _Index = field(init=False, repr=False, compare=False, hash=False)

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
        from fsm.modelfile import dump

        return dump(self)

    @classmethod
    def from_json(cls, data: object) -> Model:
        """Build a model from plain JSON values. Raises ModelFileError naming the wrong place."""
        from fsm.modelfile import load

        return load(data)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything in the model: equal exactly when the models are equal."""
        from fsm.modelfile import fingerprint

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
        states = _unique(model, "state", ((s.id, s) for s in model.states))
        facts = _unique(model, "fact", ((f.name, f) for f in model.facts))
        events = _unique(model, "event", ((e.name, e) for e in model.events))
        _unique(model, "transition", ((t.id, t) for t in model.transitions))
        _unique(model, "duration", ((d.name, d) for d in model.durations))
        _unique(model, "setting", ((s.name, s) for s in model.settings))
        where = f"model {model.name!r}"
        if model.initial not in states:
            raise ModelError(f"{where}: initial state {model.initial!r} is unknown{suggest(model.initial, states)}")
        for state in model.states:
            if state.parent and (state.parent not in states or not states[state.parent].composite):
                known = [s.id for s in model.states if s.composite]
                raise ModelError(
                    f"{where}: state {state.id!r} stands in {state.parent!r}, which is no turn, phase or step"
                    f"{suggest(state.parent, known)}"
                )
        for t in model.transitions:
            for end in (t.source, t.target):
                if end is not None and end not in states:
                    raise ModelError(f"{where}: transition {t.id!r}: state {end!r} is unknown{suggest(end, states)}")
            if t.target is not None and states[t.target].composite:
                raise ModelError(f"{where}: transition {t.id!r} leads to the {states[t.target].kind} {t.target!r}; name a state in it")
            if t.event not in events:
                raise ModelError(f"{where}: transition {t.id!r}: event {t.event!r} is unknown{suggest(t.event, events)}")
            if t.layer not in LAYERS:
                raise ModelError(f"{where}: transition {t.id!r}: layer {t.layer!r} is unknown{suggest(t.layer, LAYERS)}")
            for term in t.guard:
                if term.fact not in facts:
                    raise ModelError(f"{where}: transition {t.id!r}: fact {term.fact!r} is unknown{suggest(term.fact, facts)}")
        paths = {s.id: tuple(_climb(model, states, s)) for s in model.states}
        return cls(states, facts, paths, _rows(model, paths))


def _unique(model: Model, what: str, pairs: Iterable[tuple[str, _V]]) -> dict[str, _V]:
    found: dict[str, _V] = {}
    for key, value in pairs:
        if not key:
            raise ModelError(f"model {model.name!r}: a {what} has no name")
        if key in found:
            raise ModelError(f"model {model.name!r}: {what} {key!r} is there twice; names are unique")
        found[key] = value
    return found


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
