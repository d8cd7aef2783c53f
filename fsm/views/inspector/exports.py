"""What can be saved of a story: the trace or a scenario up to a moment, and pictures of the map and the timeline."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress

from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.scenarios import parse_scenarios, play
from fsm.scenarios.departures import departures_of
from fsm.scenarios.writer import expected, scenario_of
from fsm.views.drawing import draw
from fsm.views.drawing.timeline import timeline
from fsm.views.inspector.server import Reply
from fsm.views.inspector.stories import Story

Export = Callable[[Story, int], Reply]


def _trace(story: Story, at: int) -> Reply:
    game = story.game(at)
    if game is None:
        raise FsmError("a log has no answers, so it is no trace: save a picture")
    return Reply("application/jsonl", "".join(f"{line}\n" for line in game.trace.lines()), "game.jsonl")


def _scenario(story: Story, at: int) -> Reply:
    first, game = story.game(0), story.game(at)
    if first is None or game is None:
        raise FsmError("a log has no answers, so it is no scenario: save a picture")
    if not game.trace.complete:
        raise FsmError("the game was restored, and a scenario starts at its beginning: save the trace")
    acts = list(departures_of(first, game.trace.answers))
    if not all(departure.request.step for act in acts for departure in act):
        raise FsmError("something happened between two steps, which scenarios cannot say: save the trace")
    model, turn = story.model, game.position.turn
    data = scenario_of(model, model.name, "inspected", game.head, acts, through=turn, note=f"up to answer {at}")
    with suppress(FsmError):  # what it expects is what happens when it is played
        data["expect"] = list(expected(play(parse_scenarios([data], "scenario", model)[0])))
    return Reply("application/json", json.dumps([data], indent=2) + "\n", "scenario.json")


def _map(story: Story, at: int) -> Reply:
    return Reply("image/svg+xml", draw(story.model, now=story.standing(at).now), "map.svg")


def _timeline(story: Story, at: int) -> Reply:
    records: list[Record] = [record for _, fired in story.records(0, at) for record in fired]
    return Reply("image/svg+xml", timeline(story.model, records, title=story.name), "timeline.svg")


EXPORTS: Mapping[str, Export] = {"trace": _trace, "scenario": _scenario, "map": _map, "timeline": _timeline}
