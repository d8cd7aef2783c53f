"""What a scenario consists of: what happens in a game, and which turn must result. The parser makes
the values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from fsm.model import Model
from fsm.runs.where import Where
from fsm.state.setup import StartAt


@dataclass(frozen=True, slots=True)
class When:
    """A moment in a game.

    Attributes
    ----------
    turn
        The number of the turn, of those that really begin, counted from 1.
    step
        The name of the step.
    iteration
        Which visit to that step this is in the turn, counted from 1.
    at
        "begin", "priority", or the id of an action or window of that step.
    """

    turn: int
    step: str
    iteration: int = 1
    at: str = "priority"

    @property
    def where(self) -> Where:
        """The visit, without the moment in it."""
        return Where(self.turn, self.step, self.iteration)

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
        The verb.
    fields
        The values of every field of the verb.
    when
        The moment at which it happens, or None for a part of another item.
    then
        The items that it contains.
    name
        The `id` in the file. It is also the name of the object on the stack that does it.
    """

    place: str
    do: str
    fields: Mapping[str, Any]
    when: When | None = None
    then: tuple[Item, ...] = ()
    name: str = ""

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]

    def __deepcopy__(self, memo: object) -> Item:
        return self


def every_item(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items with all that they contain."""
    for item in items:
        yield item
        yield from every_item(item.then)


@dataclass(frozen=True)
class Expectation:
    """One entry of `expect`. All of its keys must hold together.

    Attributes
    ----------
    place
        What messages call the entry: where it is in the file.
    entry
        The keys and their values.
    """

    place: str
    entry: Mapping[str, Any]


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
        What must result.
    options
        The options of the ruleset.
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
    given: tuple[Item, ...] = ()
    expect: tuple[Expectation, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    teams: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, bool] = field(default_factory=dict)
    start: StartAt | None = None
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    model: Model = field(kw_only=True, repr=False)
