"""What can be saved of a story: the trace, a scenario or a test up to a moment, and pictures of map
and timeline.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pprint import pformat

from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.model import Model
from fsm.rulesets import load as load_model
from fsm.rulesets import names
from fsm.scenarios import load, play
from fsm.scenarios.departures import departures_of
from fsm.scenarios.writer import expected, scenario_of
from fsm.views.drawing import draw
from fsm.views.drawing.timeline import timeline
from fsm.views.inspector.server import Reply
from fsm.views.inspector.stories import Story
from fsm.wording import plain

Export = Callable[[Story, int], Reply]


def _trace(story: Story, at: int) -> Reply:
    game = story.game(at)
    if game is None:
        raise FsmError("a log has no answers, so it is no trace: save a picture")
    return Reply(
        "application/jsonl", "".join(f"{line}\n" for line in game.trace.lines()), "game.jsonl"
    )


def _scenario(story: Story, at: int) -> Reply:
    return Reply(
        "application/json", json.dumps([_told(story, at)], indent=2) + "\n", "scenario.json"
    )


def _test(story: Story, at: int) -> Reply:
    told = _told(story, at)
    if not _is_built_in(story.model):
        raise FsmError(
            f"a test must import {plain(story.model.name)}, which is no built-in ruleset: save the scenario"
        )
    what = plain(story.name).replace("\\", "/").replace('"', "'")
    made = _TEST.format(what=what, at=at, scenario=pformat(told, width=110, sort_dicts=False))
    return Reply("text/x-python", made, "test_inspected.py")


_TEST = '''"""What the inspector showed of {what}, up to answer {at}."""

from fsm.scenarios import load, play

SCENARIO = {scenario}


def test_the_game_goes_as_it_did():
    (scenario,) = load([SCENARIO], place="inspected")
    outcome = play(scenario)
    assert outcome.ok, outcome.failures
'''


def _spec(model: Model) -> str:
    options = "&".join(f"{name}={str(value).lower()}" for name, value in model.options.items())
    return f"{model.name}?{options}" if options else model.name


def _is_built_in(model: Model) -> bool:
    with suppress(FsmError):
        return (
            model.name in names()
            and load_model(model.name, dict(model.options)).fingerprint == model.fingerprint
        )
    return False


def _told(story: Story, at: int) -> dict[str, object]:
    """Return the scenario up to a moment. Raises FsmError."""
    first, game = story.game(0), story.game(at)
    if first is None or game is None:
        raise FsmError("a log has no answers, so it is no scenario: save a picture")
    if not game.trace.complete:
        raise FsmError(
            "the game was restored, and a scenario starts at its beginning: save the trace"
        )
    acts = list(departures_of(first, game.trace.answers))
    if not all(departure.request.step for act in acts for departure in act):
        raise FsmError(
            "something happened between two steps, which scenarios cannot say: save the trace"
        )
    model, turn = story.model, game.position.turn
    data = scenario_of(
        model, _spec(model), "inspected", game.head, acts, through=turn, note=f"up to answer {at}"
    )
    with suppress(FsmError):  # what it expects is what happens when it is played
        data["expect"] = list(expected(play(load([data], model, place="scenario")[0])))
    return data


def _map(story: Story, at: int) -> Reply:
    return Reply("image/svg+xml", draw(story.model, now=story.standing(at).now), "map.svg")


def _timeline(story: Story, at: int) -> Reply:
    records: list[Record] = [record for _, fired in story.records(0, at) for record in fired]
    return Reply("image/svg+xml", timeline(story.model, records, title=story.name), "timeline.svg")


EXPORTS: Mapping[str, Export] = {
    "trace": _trace,
    "scenario": _scenario,
    "test": _test,
    "map": _map,
    "timeline": _timeline,
}
