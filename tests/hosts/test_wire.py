"""The wire format: what a controller asks and is answered crosses JSON unchanged, in the published
shape.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import fsm
from fsm import AddPhase, AddTurn, Answer, Effect, Over, Priority, Signal, TurnController
from fsm.errors import AnswerError
from fsm.hosts import wire
from fsm.rulesets import names
from support.amounts import sample
from support.wanderer import Wanderer
from wireschema import wire_schema

PUBLISHED = json.loads(
    files("fsm").joinpath("schemas/wire.schema.json").read_text(encoding="utf-8")
)
SCHEMA = Draft202012Validator(PUBLISHED)


def crossed(value: Any) -> Any:
    data = json.loads(json.dumps(wire.dump(value)))
    SCHEMA.validate(data)
    return data


def test_the_published_schema_is_that_of_the_classes() -> None:
    assert wire_schema() == PUBLISHED
    Draft202012Validator.check_schema(PUBLISHED)


@pytest.mark.parametrize("name", sample(names(), 1, seed=2))
def test_whole_games_cross_the_wire(name: str) -> None:
    """A twin that hears every answer only as JSON makes the same requests."""
    twins: dict[int, TurnController] = {}
    heard: set[str] = set()

    def look(game: TurnController) -> None:
        head = game.trace.head
        if id(game) not in twins:
            twins.clear()
            twins[id(game)] = TurnController(
                game.model, head.players, teams=head.teams, settings=head.settings
            )
        twin = twins[id(game)]
        answer = next(entry for entry in reversed(game.trace.entries) if isinstance(entry, Answer))
        assert wire.answer_of(crossed(answer)) == answer
        twin.answer(wire.answer_of(crossed(answer)))
        assert wire.request_of(crossed(twin.request)) == game.request == twin.request
        heard.add(type(game.request).__name__)
        heard.update(crossed(result)["state"] for result in game.results)

    list(Wanderer(fsm.load(name), 5, look).games(600))
    assert {"Perform", "Priority", "CheckState", "done", "waiting", "nothing"} <= heard


@pytest.mark.parametrize("name", sample(names(), 1, seed=2))
def test_every_snapshot_has_the_published_shape(name: str) -> None:
    looked = 0

    def look(game: TurnController) -> None:
        nonlocal looked
        looked += 1
        if looked % 7 == 0:
            SCHEMA.validate(json.loads(json.dumps(game.snapshot())))

    list(Wanderer(fsm.load(name), 6, look).games(1_500))


def test_answers_with_orders_and_signals() -> None:
    for order in (AddTurn("B"), AddPhase(("combat", "main")), Effect("x", "until_end_of_turn")):
        answer = Answer("acted", {"stack_empty": True}, (order,), Signal("end_turn"))
        assert wire.answer_of(crossed(answer)) == answer


def test_what_is_left_out_has_its_default() -> None:
    assert wire.answer_of({"is": "Answer"}) == Answer()
    assert wire.answer_of({"is": "Answer", "word": "passed"}) == Answer("passed")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (None, 'send an object with "is"'),
        ([], 'send an object with "is"'),
        ({}, 'send an object with "is"'),
        ({"is": "Signal", "event": "end_turn"}, 'send an object with "is"'),
        ({"is": "eval"}, "'eval' is not one of"),
        ({"is": ["Answer"]}, "is not one of"),
        ({"is": "Answer", "wrod": "done"}, "no field 'wrod'"),
        ({"is": "Answer", "word": 3}, "Answer.word cannot be 3"),
        ({"is": "Answer", "facts": {"stack_empty": "yes"}}, "Answer.facts cannot be"),
        ({"is": "Answer", "orders": [{"is": "Effect"}]}, "Effect"),
        ({"is": "Answer", "orders": [{"is": "Answer"}]}, "Answer.orders cannot be"),
        ({"is": "Answer", "signal": {"is": "AddTurn", "player": "A"}}, "Answer.signal cannot be"),
    ],
)
def test_what_is_no_answer_is_refused(sent: object, said: str) -> None:
    with pytest.raises(AnswerError, match="this is not an answer") as refused:
        wire.answer_of(sent)
    assert said in str(refused.value)


def test_deep_nonsense_is_refused() -> None:
    sent: object = {}
    for _ in range(100_000):
        sent = [sent]
    with pytest.raises(AnswerError):
        wire.answer_of(sent)


def test_errors_cross_the_wire() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    with pytest.raises(AnswerError) as refused:
        game.answer(Answer("passed"))
    data = crossed(refused.value)
    assert (data["error"], data["message"]) == ("AnswerError", str(refused.value))


def test_a_request_is_told_with_all_its_fields() -> None:
    """A browser need not know what is left out."""
    game = TurnController(fsm.load("magic"), ["A", "B"])
    while not isinstance(game.request, Priority):
        game.answer(Answer("done", dict.fromkeys(game.request.facts, False)))
    data = crossed(game.request)
    assert data["player"] == "A" and data["players"] == ["A"] and data["expired"] == []
    assert data["at"]["step"] == "upkeep" and data["at"]["turn"] == 1
    assert crossed(Over(game.position, "over"))["is"] == "Over"
