"""The parts of a Model: states, events, facts, guards, actions and transitions, as frozen values."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from fsm.errors import ModelError

Kind = Literal["turn", "phase", "step", "action", "window", "stage", "choice", "final"]
Role = Literal["", "before", "begin", "action", "window", "end", "after", "hub", "resume", "procedure"]
Layer = Literal["core", "skip", "extra", "jump"]
Owner = Literal["game", "agenda", "controller"]
Timing = Literal["live", "latched", "once"]
Asks = Literal["", "perform", "priority", "check", "place", "resolve"]
Opens = Literal["", "natural", "conditional", "conditional_round"]

COMPOSITE: frozenset[str] = frozenset({"turn", "phase", "step"})
STAND_IN = "stand-in"
"""The family of states that only a Model has: for not having started, for being in a state and in none inside it."""
LAYERS: tuple[Layer, ...] = ("core", "skip", "extra", "jump")


@dataclass(frozen=True, slots=True)
class Fact:
    """A named boolean that guards read.

    `owner` says who answers it: the game (it rides on an answer), the agenda or the controller
    (both evaluate `test`, a primitive test with its arguments, see `fsm.state.primitives`).
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

    @property
    def readable(self) -> bool:
        """Does `parse` read what is written of it as this action again?"""
        return _WRITTEN.fullmatch(str(self)) is not None and Action.parse(str(self)) == self


_WRITTEN = re.compile(r"[^\s()]+(\([^()]*\))?")
"""How an action is written in a file; the schema has the same pattern."""


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
    host, `manner`: how or by whom it is done, where the rulebook has several ways; `tells`: the game
    facts that it decides, which the answer must tell. `opens`: when a window opens (what the words mean
    is for the window's model to say). A window's `doc` says which abilities are placed as it opens.
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
    manner: str = ""

    @property
    def composite(self) -> bool:
        """Is this a turn, phase or step, which contains other states?"""
        return self.kind in COMPOSITE

    @property
    def stand_in(self) -> bool:
        """Is it a state only of the Model, not of the machine that the Model was read from? It is never counted."""
        return self.family == STAND_IN

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

    `sides`, `players`: the default is yes exactly when the game starts with this many sides, or players.
    """

    name: str
    doc: str = ""
    rule: str = ""
    default: bool = False
    sides: int | None = None
    players: int | None = None

    def standing(self, sides: int, players: int) -> bool:
        """The default in a game of this many sides and players."""
        if self.sides is None and self.players is None:
            return self.default
        return self.sides in (None, sides) and self.players in (None, players)


@dataclass(frozen=True)
class Parts:
    """What a Model consists of. `fsm.Model` describes each field; it is these parts and the questions to them."""

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
    window: Parts | None = None
