"""A difference between two models, as frozen values: what only one has, and what both have otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from fsm.model import Duration, Event, Fact, Model, Setting, State, Transition
from fsm.views.diff.names import Names, Rename

Sign = Literal["+", "-", "~"]
What = Literal[
    "turn", "phase", "step", "stage", "procedure", "transition", "fact", "event", "duration", "setting", "window"
]
Part: TypeAlias = State | Transition | Fact | Event | Duration | Setting | Model


def name_of(part: Part) -> str:
    """The name a part is known by in its model: the id of a state or transition, the name of anything else."""
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
        """ "+" came, "-" went, "~" changed."""
        if self.a is None:
            return "+"
        return "-" if self.b is None else "~"

    @property
    def part(self) -> Part:
        """The part as it is in b; as it was in a if it is gone."""
        found = self.b if self.b is not None else self.a
        assert found is not None, "a change is of something"
        return found

    @property
    def id(self) -> str:
        """The name of `part`."""
        return name_of(self.part)

    def field(self, name: str) -> Field | None:
        """The field of that name, if it differs."""
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True, slots=True)
class Order:
    """The rows of one source and event that both models have stand in another order.

    `a`, `b`: their ids, first tried first. `was`: for each in b, its place in a, counted from 0.
    """

    source: str
    event: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    was: tuple[int, ...]


@dataclass(frozen=True)
class Difference:
    """All that differs from `a` to `b`.

    `names` are a's names in b's words. `head`: name, edition, options and the like. `states` are all levels,
    procedures too. `texts` are parts of which only words differ: citation, documentation or label. `window` is
    None when one of the two has no window model (then `parts` says so) or neither has.
    """

    a: Model
    b: Model
    names: Names
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
        """The phases and steps that go by another name."""
        return self.names.renames

    @property
    def changes(self) -> tuple[Change, ...]:
        """Everything that came, went or changed, but not mere words, and not inside the window."""
        return (*self.states, *self.transitions, *self.facts, *self.parts)

    @property
    def empty(self) -> bool:
        """Is there no difference at all, except perhaps the name?"""
        own = (self.renames, self.changes, self.orders, self.texts, [f for f in self.head if f.name != "name"])
        return not any(own) and (self.window is None or self.window.empty)
