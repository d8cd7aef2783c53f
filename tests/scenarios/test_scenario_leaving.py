"""Players leave by the event that the model has for it, whatever its name is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm import Answer, Signal, TurnController
from fsm.errors import AnswerError, ModelError, ScenarioError
from fsm.model import Event, Model
from fsm.scenarios import Outcome, play
from fsm.scenarios.departures import departures_of
from fsm.scenarios.writer import scenario_of
from fsm.testing.randomgames import play as play_random

UPKEEP = {"turn": 1, "step": "upkeep", "at": "priority"}
LEAVES: dict[str, Any] = {
    "players": 3,
    "through_turn": 3,
    "given": [{"when": UPKEEP, "do": "player_leaves", "player": "B"}],
    "expect": [{"turn_order": ["A", "C", "A"]}],
}


def conceding(model: Model, **more: Any) -> Model:
    """The model with another name for the event by which a player leaves, in the turn and in its
    window.
    """
    data = json.loads(json.dumps(model.to_json()).replace('"player_left"', '"conceded"'))
    for part in (data, data["window"]):
        next(event for event in part["events"] if event["name"] == "conceded").update(more)
    return Model.from_json(data)


def played(model: Model, data: dict[str, Any] = LEAVES) -> Outcome:
    return play(fsm.scenarios.load(data, model, place="leaving")[0])


def test_the_event_by_which_a_player_leaves_may_have_any_name(magic: Model) -> None:
    usual, renamed = played(magic), played(conceding(magic, leaving=True))
    assert usual.ok and renamed.ok, renamed.failures
    names = [r.transition.replace("conceded", "player_left") for r in renamed.records]
    assert names == [r.transition for r in usual.records] and names != [
        r.transition for r in renamed.records
    ]


def test_an_event_of_another_name_takes_nobody_out_unless_the_model_says_so(magic: Model) -> None:
    model = conceding(magic)
    assert model.leaving == ""
    controller = TurnController(model, ("A", "B", "C"))
    controller.answer(Answer(signal=Signal("conceded", "B")))
    assert not controller.agenda.left
    with pytest.raises(
        ScenarioError, match=r"is not known in magic \(it needs the event player_left\)"
    ):
        played(model)


def test_that_a_player_leaves_is_checked_under_any_name(magic: Model) -> None:
    controller = TurnController(conceding(magic, leaving=True), ("A", "B", "C"))
    with pytest.raises(AnswerError, match="player 'Z' is not in this game"):
        controller.answer(Answer(signal=Signal("conceded", "Z")))


def test_a_game_that_somebody_leaves_is_written_with_the_verb(magic: Model) -> None:
    model = conceding(magic, leaving=True)
    trace = played(model).trace
    acts = departures_of(TurnController(model, trace.head.players), trace.answers)
    data = scenario_of(model, "magic", "again", trace.head, acts, through=3)
    assert {"do": "player_leaves", "player": "B", "when": {**UPKEEP, "iteration": 1}} in data[
        "given"
    ]
    assert [turn.active for turn in played(model, data).turns] == ["A", "C", "A"]


def test_random_games_of_such_a_model_keep_the_invariants(magic: Model) -> None:
    assert play_random(conceding(magic, leaving=True), 20) is None


def test_a_player_leaves_by_one_event_only(magic: Model) -> None:
    with pytest.raises(
        ModelError, match="a player leaves by 'player_left' and by 'conceded'; one event is right"
    ):
        replace(magic, events=(*magic.events, Event("conceded", leaving=True)))
    usual = fsm.load("magic")
    assert usual.leaving == "player_left" and "leaving" not in json.dumps(usual.to_json()["events"])
