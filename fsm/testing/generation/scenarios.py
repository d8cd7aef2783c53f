"""Writes paths as scenario files, which `fsm run` plays.

Scenarios describe a game and not single answers. So some paths change a little, and a few cannot be written. Each
scenario is played before it is returned. Its expectations are what happened, and its note says which targets of the
path it takes and which need another format.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from fsm.coverage import Target, covered, data_of
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios import Outcome, parse_scenarios, play
from fsm.scenarios.departures import Departure, Spots, departures
from fsm.scenarios.writer import expected, items_of
from fsm.testing.generation.path import Path, PathSet

Item = dict[str, Any]


@dataclass(frozen=True)
class PathScenario:
    """One path as a scenario: its data, the targets of the path that it takes, and those that are left."""

    data: Item
    takes: tuple[Target, ...]
    left: tuple[Target, ...]


def as_scenarios(found: PathSet, ruleset: str) -> str:
    """Return all paths that can be written as scenarios, as one file. `ruleset` is the specification of the ruleset."""
    return json.dumps([scenario.data for scenario in scenarios(found, ruleset)], indent=1, ensure_ascii=False) + "\n"


def scenarios(found: PathSet, ruleset: str) -> Iterator[PathScenario]:
    """Yield each path that can be written as a scenario."""
    for number, path in enumerate(found, 1):
        scenario = _scenario_of(path, found.criterion, ruleset, number)
        if scenario is not None:
            yield scenario


def _scenario_of(path: Path, criterion: str, ruleset: str, number: int) -> PathScenario | None:
    name, _, query = ruleset.partition("?")
    data: Item = {"id": f"path-{number}", "ruleset": name, "players": len(path.start.players)}
    data |= {"options": dict(path.model.options)} if query else {}
    data |= {"teams": [list(team) for team in path.start.teams]} if path.start.teams else {}
    data |= {"settings": dict(path.start.settings)} if path.start.settings else {}
    data |= {"through_turn": _last_turn(path), "given": list(_given(path)), "expect": []}
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


# given items ------------------------------------------------------------------------------------------------


def _given(path: Path) -> Iterator[Item]:
    """Yield what departs from a quiet game, answer by answer."""
    controller, requests, model = path.start.controller(path.model), Spots(), path.model
    window = {f.name for f in model.window.facts} if model.window is not None else set[str]()
    for number, answer in enumerate(path.answers):
        request = controller.request
        for departure in departures(model, requests.name(request), request, answer):
            yield from _items(departure, window, f"act-{number}")
        controller.answer(answer)


def _items(departure: Departure, window: set[str], name: str) -> Iterator[Item]:
    spot, what = departure.spot, departure.what
    when: Item = {"turn": spot.turn, "step": spot.step, "iteration": spot.iteration}
    if not spot.step:
        return
    if what is True:
        yield {"when": when | {"at": "priority"}, "do": "trigger", "id": name}
    elif isinstance(what, tuple) and spot.state != spot.stage and what[0] in window:
        yield {"when": when | {"at": "begin"}, "do": "tell", "fact": what[0], "value": what[1]}
    else:
        try:
            yield from items_of(departure)
        except KeyError:
            return


# expectations -----------------------------------------------------------------------------------------------


def _played(data: Item, model: Model) -> Outcome | None:
    """Play the scenario. Leave out one item after another that cannot be played."""
    for _ in range(len(data["given"]) + 1):
        try:
            return play(parse_scenarios(data, "path", model)[0])
        except FsmError as error:
            wrong = next((n for n in range(len(data["given"])) if f"given[{n}]" in str(error)), None)
            if wrong is None:
                return None
            del data["given"][wrong]
    return None


def _holds(data: Item, model: Model) -> bool:
    """Whether the expectations hold, if necessary without the order of actions."""
    for expect in (data["expect"], [e for e in data["expect"] if "tba_order" not in e]):
        data["expect"] = expect
        try:
            if play(parse_scenarios(data, "path", model)[0]).ok:
                return True
        except FsmError:
            continue
    return False
