"""What a scenario consists of: what happens in a game, and what must come of it.

`fsm.scenarios.reading` makes these values from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from fsm.model import Model
from fsm.runs.turns import Where
from fsm.state.setup import StartAt

if TYPE_CHECKING:
    from fsm.scenarios.verbs import Verb
    from fsm.state.orders import Order

MOST = 1000
"""A scenario names at most so many players, and so many of anything."""
Name: TypeAlias = Annotated[str, Meta(min_length=1)]
First: TypeAlias = Annotated[int, Meta(ge=1)]
Number: TypeAlias = Annotated[int, Meta(ge=0)]
Count: TypeAlias = Annotated[int, Meta(ge=1, le=MOST)]
Names: TypeAlias = tuple[Name, ...] | Name
"""A list of names. One name stands for a list of it."""
SomeNames: TypeAlias = Annotated[tuple[Name, ...], Meta(min_length=1)] | Name


class Shape(Struct, forbid_unknown_fields=True):
    """An object in a file."""


class At(Shape):
    """A visit of a step.

    Attributes
    ----------
    turn
        The number of the turn, of those that really begin, counted from 1.
    step
        The name of the step.
    iteration
        Which visit to that step this is in the turn, counted from 1.
    """

    turn: First
    step: Name
    iteration: First = 1

    @property
    def where(self) -> Where:
        """The visit."""
        return Where(self.turn, self.step, self.iteration)


class When(At):
    """A moment in a game.

    Attributes
    ----------
    at
        "begin", "priority", or the id of an action or window of that step.
    """

    at: Name = ""

    def __str__(self) -> str:
        return f"{self.where}, at {self.at}"


@dataclass(frozen=True)
class Item:
    """One thing that happens.

    Attributes
    ----------
    place
        What messages call the item: where it is in the file.
    do
        The name of the verb.
    what
        What the verb does: an order to the turn, or a change of the scripted game.
    when
        The moment at which it happens, or None for a part of another item or before turn 1.
    then
        The items that it contains.
    name
        The `id` in the file. It is also the name of the object on the stack that does it.
    during
        The abilities that trigger during the procedure that it begins.
    """

    place: str
    do: str
    what: Order | Verb
    when: When | None = None
    then: tuple[Item, ...] = ()
    name: str = ""
    during: tuple[str, ...] = ()


@dataclass(frozen=True)
class Scenario:
    """One scenario, checked against the model with which it is played.

    Attributes
    ----------
    id
        The id of the scenario.
    ruleset
        The specification of the ruleset that the file names.
    players
        The names of the players in seat order.
    through_turn
        The number of the last turn that is played.
    given
        What happens in the game.
    expect
        What must result: entries, of which all keys must hold together.
    teams
        Groups of players who share turns.
    settings
        Values for the model's settings, by name.
    start
        Where the game starts in the middle, or None.
    data
        The scenario as it is in the file.
    model
        The model with which the scenario is played.
    """

    id: str
    ruleset: str
    players: tuple[str, ...]
    through_turn: int
    given: tuple[Item, ...]
    expect: tuple[Mapping[str, Any], ...]
    teams: tuple[tuple[str, ...], ...]
    settings: Mapping[str, bool]
    start: StartAt | None
    data: Mapping[str, Any] = field(repr=False)
    model: Model = field(repr=False)
