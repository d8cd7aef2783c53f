"""Writes paths as scenario files, which `fsm run` plays.

Scenarios describe a game and not single answers. So some paths change a little, and a few cannot be
written. Each scenario is played before it is returned. Its expectations are what happened, and its
note says which targets of the path it takes and which need another format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fsm.coverage import Target, covered, data_of
from fsm.errors import FsmError, ScenarioError
from fsm.model import Model
from fsm.scenarios import Outcome, load, play
from fsm.scenarios.writing import departures_of, expected, scenario_of
from fsm.testing.path import Path, PathSet

Item = dict[str, Any]


@dataclass(frozen=True)
class PathScenario:
    """One path as a scenario: its data, the targets of the path that it takes, and those that are
    left.
    """

    data: Item
    takes: tuple[Target, ...]
    left: tuple[Target, ...]


def as_scenarios(found: PathSet, ruleset: str) -> str:
    """Return all paths that can be written as scenarios, as one file. `ruleset` is the
    specification of the ruleset.
    """
    return (
        json.dumps(
            [scenario.data for scenario in scenarios(found, ruleset)], indent=1, ensure_ascii=False
        )
        + "\n"
    )


def scenarios(found: PathSet, ruleset: str) -> Iterator[PathScenario]:
    """Yield each path that can be written as a scenario."""
    for number, path in enumerate(found, 1):
        scenario = _scenario_of(path, found.criterion, ruleset, number)
        if scenario is not None:
            yield scenario


def _scenario_of(path: Path, criterion: str, ruleset: str, number: int) -> PathScenario | None:
    acts = departures_of(path.start.controller(path.model), path.answers)
    data = scenario_of(
        path.model, ruleset, f"path-{number}", path.trace.head, acts, through=_last_turn(path)
    )
    outcome = _played(data, path.model)
    if outcome is None or outcome.bounded:
        return None
    data["expect"] = list(expected(outcome))
    taken = covered(path.model, criterion, data_of(path.model, [outcome.trace])).taken
    takes = tuple(t for _, t in path.takes if t.key in taken)
    left = tuple(t for _, t in path.takes if t.key not in taken)
    if not takes or not _holds(data, path.model):
        return None
    return PathScenario(data | {"note": _note(criterion, takes, left)}, takes, left)


def _last_turn(path: Path) -> int:
    return max((record.turn for record in path.trace.records), default=1) or 1


def _note(criterion: str, takes: Iterable[Target], left: Iterable[Target]) -> str:
    more = "; ".join(t.id for t in left)
    note = f"{criterion}: takes {'; '.join(t.id for t in takes)}"
    return f"{note}. What a scenario cannot tell: {more}" if more else note


# expectations -------------------------------------------------------------------------------------


def _played(data: Item, model: Model) -> Outcome | None:
    """Play the scenario. Leave out one item after another that cannot be played."""
    for _ in range(len(data["given"]) + 1):
        try:
            return play(load(data, model, place="path")[0])
        except ScenarioError as error:
            item = error.place.partition(".")[0]
            kept = [one for n, one in enumerate(data["given"]) if f"given[{n}]" != item]
            if len(kept) == len(data["given"]):
                return None
            data["given"] = kept
        except FsmError:
            return None
    return None


def _holds(data: Item, model: Model) -> bool:
    """Whether the expectations hold, if necessary without the order of actions."""
    for expect in (data["expect"], [e for e in data["expect"] if "tba_order" not in e]):
        data["expect"] = expect
        try:
            if play(load(data, model, place="path")[0]).ok:
                return True
        except FsmError:
            continue
    return False
