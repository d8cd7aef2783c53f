"""Games as tokens and snapshots: pure functions from one to the next."""

from __future__ import annotations

import base64
import zlib

import pytest

import fsm
from fsm import Answer, stateless
from fsm.errors import AnswerError, FsmError, SnapshotError

MAGIC = fsm.load("magic")


def test_a_game_goes_on_from_token_to_token_and_from_snapshot_to_snapshot() -> None:
    game = fsm.TurnController(MAGIC, ["Ann", "Ben"])
    waiting, data = stateless.start(MAGIC, ["Ann", "Ben"]), game.snapshot()
    for request in game:
        assert waiting.request == stateless.at(MAGIC, waiting.saved).request == request
        waiting = stateless.answer(MAGIC, waiting.saved, request.quiet())
        data = stateless.answer(MAGIC, data, request.quiet()).saved
        if game.answer(request.quiet()).at.turn == 2:
            break
    assert waiting.saved == game.token()
    assert data == game.snapshot()
    assert fsm.TurnController.restore("magic", game.token()).snapshot() == data


def test_a_token_is_compact_text() -> None:
    token = fsm.TurnController(MAGIC, ["Ann", "Ben"]).token()
    assert len(token) <= 120
    assert token.replace("-", "").replace("_", "").isalnum()


def test_many_games_are_answered_and_one_error_stops_no_other() -> None:
    saved = stateless.start("magic", ["Ann", "Ben"]).saved
    good, bad, best = stateless.answer_many(
        "magic", [(saved, Answer()), (saved, Answer("passed")), (saved, Answer())]
    )
    assert isinstance(bad, AnswerError)
    assert good == best
    assert not isinstance(good, FsmError)
    assert good.request != stateless.at("magic", saved).request


BOMB = base64.urlsafe_b64encode(zlib.compress(b" " * 5_000_000)).decode()


@pytest.mark.parametrize(
    "wrong", ["", "x", "!!", "ä", BOMB, base64.urlsafe_b64encode(zlib.compress(b"{")).decode()]
)
def test_what_is_no_token_is_refused(wrong: str) -> None:
    with pytest.raises(SnapshotError, match="no token of a game"):
        stateless.at(MAGIC, wrong)


def test_a_token_of_something_else_is_refused() -> None:
    with pytest.raises(SnapshotError, match="not a snapshot of this version"):
        stateless.at(MAGIC, base64.urlsafe_b64encode(zlib.compress(b"[]")).decode())
    token = fsm.TurnController(MAGIC, ["Ann", "Ben"]).token()
    with pytest.raises(SnapshotError):
        stateless.at(MAGIC, token[:-9])


# the JSON of answers ------------------------------------------------------------------------------


def test_an_answer_goes_through_json() -> None:
    answer = Answer("acted", {"stack_empty": False}, (fsm.EndTurn(), fsm.AddTurn("Ann")))
    assert Answer.from_json(answer.to_json(), trusted=True) == answer
    assert Answer.from_json({"word": "passed"}, trusted=False) == Answer("passed")
    assert Answer.from_json(Answer("passed").to_json(), trusted=False) == Answer("passed")


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        (Answer("passed", {"stack_empty": True}), "facts"),
        (Answer("done", {}, (fsm.AddTurn("Ann"),)), "orders"),
        (Answer("done", {}, (fsm.Leave("Ben"),)), "orders"),
        (Answer(signal=fsm.Signal("end_turn")), "signal"),
    ],
)
def test_who_is_not_trusted_chooses_the_word_only(answer: Answer, word: str) -> None:
    with pytest.raises(AnswerError, match=f"leave out '{word}'"):
        Answer.from_json(answer.to_json(), trusted=False)
    assert Answer.from_json(answer.to_json(), trusted=True) == answer


@pytest.mark.parametrize("trusted", [True, False])
@pytest.mark.parametrize(
    "wrong", [None, 3, [], "done", {"is": "AddTurn"}, {"word": 3}, {"words": "done"}]
)
def test_what_is_no_answer_is_refused(wrong: object, trusted: bool) -> None:
    with pytest.raises(AnswerError, match="not an answer"):
        Answer.from_json(wrong, trusted=trusted)


def test_a_request_says_its_kind_and_whom_to_ask() -> None:
    game = fsm.TurnController(MAGIC, ["Ann", "Ben"])
    game.order(fsm.ControlNextTurn("Ben", by="Ann"))
    kinds = set()
    for request in game:
        kinds.add(request.kind)
        assert request.to_json()["is"] in ("Perform", "Priority", "CheckState")
        if request.at.turn == 2 and isinstance(request, fsm.Priority):
            assert (request.by, request.deciders) == (("Ben",), ("Ann",))
            break
        assert request.deciders == (
            request.by if request.at.turn == 1 else ("Ann",) if request.by else ()
        )
        game.answer(request.quiet())
    assert kinds == {"perform", "priority", "check_state"}
