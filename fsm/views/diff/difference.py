"""The difference between two models, as frozen values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fsm.model import Duration, Event, Fact, Model, Setting, State, Transition
from fsm.views.diff.names import NameMapping, Rename

Sign = Literal["+", "-", "~"]
What = Literal[
    "turn",
    "phase",
    "step",
    "stage",
    "procedure",
    "transition",
    "fact",
    "event",
    "duration",
    "setting",
    "window",
]
Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting | Model


def name_of(part: Part) -> str:
    """Return the id of a state or transition, or the name of any other part."""
    return part.id if isinstance(part, State | Transition) else part.name


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a part, with its value on both sides."""

    name: str
    a: object
    b: object


@dataclass(frozen=True, slots=True)
class Change:
    """A part that only `b` has (+), that only `a` has (-), or that differs in some `fields` (~)."""

    what: What
    a: Part | None
    b: Part | None
    fields: tuple[Field, ...] = ()

    @property
    def sign(self) -> Sign:
        """ "+" for added, "-" for removed, "~" for changed."""
        if self.a is None:
            return "+"
        return "-" if self.b is None else "~"

    @property
    def part(self) -> Part:
        """The part as it is in `b`, or as it was in `a` if it was removed."""
        found = self.b if self.b is not None else self.a
        assert found is not None, "a change is of something"
        return found

    @property
    def id(self) -> str:
        """The name of `part`."""
        return name_of(self.part)

    def field(self, name: str) -> Field | None:
        """Return the field of this name if it differs."""
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True, slots=True)
class Order:
    """Transitions of one source and event that both models have, but in another order.

    `a` and `b` have their ids in the order in which they are tried. `was` has, for each one in `b`,
    its index in `a`.
    """

    source: str
    event: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    was: tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """All that differs from one model to another.

    Attributes
    ----------
    a
        The first Model.
    b
        The second Model.
    names
        The names that parts of `a` have in `b`.
    head
        The fields of the models themselves that differ, such as name, edition and options.
    states
        The changed states of all levels and the changed procedures.
    transitions
        The changed transitions.
    orders
        The transitions that are tried in another order.
    facts
        The changed facts.
    parts
        The other changed parts, such as events, durations and settings. If only one model has a
        window, it is here.
    texts
        The parts of which only words differ: citation, documentation, label or plain words.
    window
        The difference of the windows, or None if not both models have one.
    """

    a: Model
    b: Model
    names: NameMapping
    head: tuple[Field, ...] = ()
    states: tuple[Change, ...] = ()
    transitions: tuple[Change, ...] = ()
    orders: tuple[Order, ...] = ()
    facts: tuple[Change, ...] = ()
    parts: tuple[Change, ...] = ()
    texts: tuple[Change, ...] = ()
    window: Difference | None = None

    @property
    def renames(self) -> tuple[Rename, ...]:
        """The phases and steps that have another name."""
        return self.names.renames

    @property
    def changes(self) -> tuple[Change, ...]:
        """All parts that were added, removed or changed.

        Parts of which only words differ and parts of the window are not included.
        """
        return (*self.states, *self.transitions, *self.facts, *self.parts)

    @property
    def empty(self) -> bool:
        """Whether nothing differs, except perhaps the name."""
        own = (
            self.renames,
            self.changes,
            self.orders,
            self.texts,
            [f for f in self.head if f.name != "name"],
        )
        return not any(own) and (self.window is None or self.window.empty)
