"""Requests and answers cross JSON unchanged. Who is not trusted chooses a word and nothing more."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest
from hosts.conftest import Busy
from jsonschema import Draft202012Validator

import fsm
from fsm import Answer, Request, TurnController
from fsm.errors import AnswerError

SCHEMA = Draft202012Validator(
    json.loads(files("fsm").joinpath("schemas/wire.schema.json").read_text(encoding="utf-8"))
)


def sent(value: Any) -> Any:
    """Give a value the way through JSON, in the published form."""
    data = json.loads(json.dumps(value.to_json()))
    SCHEMA.validate(data)
    return data


def test_a_game_that_hears_only_json_is_the_same(game: TurnController) -> None:
    other, told = game.fork(), set[str]()

    def cross(request: Request) -> bool:
        told.update(sent(result)["state"] for result in request.orders)
        told.add(sent(request)["is"])
        return request.at.turn == 2

    def hear(answered: Any) -> None:
        answer = Answer.from_json(sent(answered.answer), trusted=True)
        assert answer == answered.answer
        other.answer(answer)

    game.watch(hear)
    fsm.drive(game, Busy(), until=cross)
    assert other.snapshot() == game.snapshot()
    assert sent(game.request)["at"]["active"] == "Ben"
    SCHEMA.validate(json.loads(json.dumps(game.snapshot())))
    asked = {"Perform", "Priority", "CheckState", "PlaceTriggers", "Resolve"}
    assert told == asked | {"done", "waiting"}


@pytest.mark.parametrize(
    "answer",
    [
        Answer("passed", {"stack_empty": True}),
        Answer("done", {}, (fsm.AddTurn("Ann"),)),
        Answer("done", {}, (fsm.Leave("Ben"),)),
    ],
    ids=["facts", "orders", "leaving"],
)
def test_who_is_not_trusted_chooses_the_word_only(answer: Answer) -> None:
    assert Answer.from_json(answer.to_json(), trusted=True) == answer
    with pytest.raises(AnswerError, match="leave out facts, orders"):
        Answer.from_json(answer.to_json(), trusted=False)
    assert Answer.from_json({"word": answer.word}, trusted=False) == Answer(answer.word)


@pytest.mark.parametrize("trusted", [True, False])
def test_what_is_no_answer_is_refused(trusted: bool) -> None:
    deep: object = {}
    for _ in range(100_000):
        deep = [deep]
    for wrong in (None, [], "done", {"is": "AddTurn"}, {"is": ["Answer"]}, {"word": 3}, deep):
        with pytest.raises(AnswerError, match="not an answer"):
            Answer.from_json(wrong, trusted=trusted)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("wrod", "done", "`wrod`"),
        ("facts", {"stack_empty": "yes"}, r"facts\["),
        ("orders", [{"is": "Answer"}], r"orders\[0\]"),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object, words: str) -> None:
    with pytest.raises(AnswerError, match=words):
        Answer.from_json({"is": "Answer", field: value}, trusted=True)
