"""Writes paths as scenario files, which `fsm run` plays.

Scenarios describe a game and not single answers. So some paths change a little, and a few cannot be
written. Each scenario is played before it is returned. Its expectations are what happened, and its
note says which targets of the path it takes and which need another format.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.coverage import covered, data_of
from fsm.errors import FsmError, ScenarioError
from fsm.model import Model
from fsm.scenarios import Outcome, load, play
from fsm.scenarios.writing import expected, scenario_of
from fsm.testing.path import Path, PathSet

Item = dict[str, Any]


def scenarios(found: PathSet, ruleset: str) -> Iterator[Item]:
    """Yield each path that can be written as a scenario. `ruleset` is the specification of the
    ruleset.
    """
    for number, path in enumerate(found, 1):
        game, name = path.start.controller(path.model), f"path-{number}"
        data, _ = scenario_of(game, path.answers, path.trace.head, ruleset, name)
        outcome = _played(data, path.model)
        if outcome is not None and not outcome.bounded:
            data |= {"expect": [*expected(outcome)], "note": _note(path, found.criterion, outcome)}
            if data["note"] and _holds(data, path.model):
                yield data


def _note(path: Path, criterion: str, outcome: Outcome) -> str:
    """Return which targets of its path a scenario takes, or "" if none."""
    taken = covered(path.model, criterion, data_of(path.model, [outcome.trace])).taken
    takes = [target.id for _, target in path.takes if target.key in taken]
    left = [target.id for _, target in path.takes if target.key not in taken]
    more = f". What a scenario cannot tell: {'; '.join(left)}" if left else ""
    return f"{criterion}: takes {'; '.join(takes)}{more}" if takes else ""


def _played(data: Item, model: Model) -> Outcome | None:
    """Play the scenario. Leave out one item after another that cannot be played."""
    while True:
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


def _holds(data: Item, model: Model) -> bool:
    """Whether the expectations hold, if necessary without the order of actions."""
    for expect in (data["expect"], [e for e in data["expect"] if "tba_order" not in e]):
        data["expect"] = expect
        outcome = _played(data, model)
        if outcome is not None and outcome.ok:
            return True
    return False
