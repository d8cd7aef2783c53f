"""Scenarios: what happens in a game, and which turn must result. They are read from JSON or TOML and checked.

    for scenario in load_scenarios("cases.json"):
        outcome = fsm.scenarios.player.play(scenario)

`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fsm.errors import ScenarioError
from fsm.model import Model
from fsm.runs.where import Where


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
        again = f" (visit {self.iteration})" if self.iteration > 1 else ""
        return f"turn {self.turn}, {self.step}{again}, at {self.at}"


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
    data: Mapping[str, Any] = field(default_factory=dict, repr=False)
    model: Model = field(kw_only=True, repr=False)


def load_scenarios(path: str | Path, ruleset: str | Model | None = None) -> list[Scenario]:
    """Read the scenarios of a JSON or TOML file.

    Parameters
    ----------
    path
        The path of the file. The file names a built-in ruleset, or a model file in its own folder or below it.
    ruleset
        A Model, or any specification that `fsm.load` takes. The scenarios are played with it, and `ruleset` and
        `options` of the file are ignored.

    Returns
    -------
    list of Scenario
        The scenarios, in the order of the file.

    Raises
    ------
    ScenarioError
        If the file or a scenario is wrong. The message names the file, the place and the remedy.
    RulesetError
        If `ruleset` is wrong.
    """
    from fsm.scenarios.reading import read

    place = Path(path)
    return parse_scenarios(read(place), str(path), ruleset)


def parse_scenarios(data: object, place: str, ruleset: str | Model | None = None) -> list[Scenario]:
    """Read the scenarios in plain values.

    Parameters
    ----------
    data
        A scenario as a dictionary, or a list of them.
    place
        The text with which error messages begin, for instance the path of a file. Model files that the scenarios name
        are searched in the folder of this path.
    ruleset
        As in `load_scenarios`.

    Returns
    -------
    list of Scenario
        The scenarios, in order.

    Raises
    ------
    ScenarioError
        If a scenario is wrong. The message names the place and the remedy.
    RulesetError
        If `ruleset` is wrong.
    """
    from fsm.rulesets import load
    from fsm.scenarios.parsing import parse

    folder, name = Path(place).parent, Path(place).stem
    model = load(ruleset) if isinstance(ruleset, str) else ruleset
    if not isinstance(data, list):
        return [parse(data, place, name or "scenario", folder, model)]
    found = [parse(one, _where(place, i, one), f"{name}[{i}]", folder, model) for i, one in enumerate(data)]
    ids: dict[str, int] = {}
    for i, scenario in enumerate(found):
        if scenario.id in ids:
            raise ScenarioError(
                f"{place}: [{i}].id: {scenario.id!r} is taken by [{ids[scenario.id]}]; ids are unique in a file"
            )
        ids[scenario.id] = i
    return found


def _where(place: str, index: int, one: object) -> str:
    id = one.get("id") if isinstance(one, dict) else None
    return f"{place}: [{index}] {id}" if isinstance(id, str) else f"{place}: [{index}]"
