"""What can be saved of a story: the trace, a scenario or a test up to a moment, and pictures of map
and timeline.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from pprint import pformat

from fsm.engine.records import Record
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Model
from fsm.rulesets import load as load_model
from fsm.rulesets import names
from fsm.scenarios import load, play
from fsm.scenarios.writing import departures_of, expected, scenario_of
from fsm.views.draw import draw
from fsm.views.inspector.server import Reply
from fsm.views.inspector.stories import Story
from fsm.views.timelines import timeline
from fsm.wording import plain

Export = Callable[[Story, int], Reply]


def _trace(story: Story, at: int) -> Reply:
    head, game, answers = story.head, story.start(), story.answers(at)
    records = [record for _, fired in story.records(0, 0) for record in fired]
    with Trace.of(game) as trace:
        for answer in answers:
            game.answer(answer)
    if head is not None:
        trace = Trace(head, [*records, *trace.entries])
    return Reply("application/jsonl", "".join(f"{line}\n" for line in trace.lines()), "game.jsonl")


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
    head, model = story.head, story.model
    if head is None or head.snapshot is not None:
        raise FsmError(
            "what came before is not known, and a scenario starts at its beginning: save the "
            "trace, or begin one with the game (TurnController(..., trace=True))"
        )
    acts = list(departures_of(story.start(), story.answers(at)))
    if not all(departure.request.at.step for act in acts for departure in act):
        raise FsmError(
            "something happened between two steps, which scenarios cannot say: save the trace"
        )
    turn, note = story.game(at).position.turn, f"up to answer {at}"
    data = scenario_of(model, _spec(model), "inspected", head, acts, through=turn, note=note)
    with suppress(FsmError):  # what it expects is what happens when it is played
        data["expect"] = list(expected(play(load([data], model, place="scenario")[0])))
    return data


def _map(story: Story, at: int) -> Reply:
    return Reply("image/svg+xml", draw(story.game(at)), "map.svg")


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
