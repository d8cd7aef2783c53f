"""Scenarios: what happens in a game and what turn flow must result, read from JSON or TOML and checked.

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
    """The `iteration`-th visit of a step within the `turn`-th turn that really begins.

    `at`: "begin", "priority", or the id of an action or window of that step.
    """

    turn: int
    step: str
    iteration: int = 1
    at: str = "priority"

    @property
    def where(self) -> Where:
        """The visit, without the place in it."""
        return Where(self.turn, self.step, self.iteration)

    def __str__(self) -> str:
        again = f" (visit {self.iteration})" if self.iteration > 1 else ""
        return f"turn {self.turn}, {self.step}{again}, at {self.at}"


@dataclass(frozen=True)
class Item:
    """One thing that happens. `place` names it in messages; `fields` has every field of its verb.

    `name`: the file's `id`, which also names the object on the stack that does it.
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
    """One entry of `expect`: keys that combine."""

    place: str
    entry: Mapping[str, Any]


@dataclass(frozen=True)
class Scenario:
    """One scenario, checked against `model`, by which it is played. `data` is the object as the file has it."""

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
    """The scenarios in a JSON or TOML file.

    A file names a built-in ruleset, or a model file in its own folder or below it. With `ruleset`, a Model or any
    specification that `fsm.load` takes, that one is played instead, whatever `ruleset` and `options` the file has.
    Raises ScenarioError naming file, place and remedy, and RulesetError when `ruleset` is wrong.
    """
    from fsm.scenarios.reading import read

    place = Path(path)
    return parse_scenarios(read(place), str(path), ruleset)


def parse_scenarios(data: object, place: str, ruleset: str | Model | None = None) -> list[Scenario]:
    """The scenarios in plain values (one object, or a list), checked.

    `place` begins every error message: the path of their file, say; a model file that they name is looked for beside
    it. `ruleset` is as for `load_scenarios`. Raises ScenarioError.
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
