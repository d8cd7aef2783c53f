"""Games as values: pure functions from what is saved to what is saved next."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import Answer, TurnController, stateless
from fsm.errors import AnswerError, SnapshotError


def test_a_game_goes_on_from_value_to_value() -> None:
    """What is given is not changed."""
    players, teams = ["Ann", "Ben", "Cleo"], [["Ann", "Ben"], ["Cleo"]]
    orders = [fsm.SkipStep("untap", "Ann")]
    waiting = stateless.start("magic", players, teams=teams, orders=orders)
    game = TurnController("magic", players, teams=teams, orders=orders)
    for request in game:
        assert stateless.at("magic", waiting.saved).request == waiting.request == request
        after = stateless.answer("magic", waiting.saved, request.quiet())
        assert stateless.answer("magic", waiting.saved, request.quiet()) == after
        game.answer(request.quiet())
        assert after.saved == game.token()
        waiting = after
        if request.at.step == "draw":
            break


def test_a_game_starts_in_the_middle() -> None:
    start = fsm.StartAt("draw", 2)
    waiting = stateless.start("magic", ["Ann", "Ben"], start=start)
    assert (waiting.request.at.turn, waiting.request.at.step) == (2, "draw")
    assert stateless.at("magic", waiting.saved) == waiting


def test_a_wrong_answer_is_refused() -> None:
    saved = stateless.start("magic", ["Ann", "Ben"]).saved
    with pytest.raises(AnswerError):
        stateless.answer("magic", saved, Answer("passed"))


@pytest.mark.parametrize("wrong", ["", "x", "ä", [], {}, None], ids=repr)
def test_what_is_no_saved_game_is_refused(wrong: Any) -> None:
    with pytest.raises(SnapshotError):
        stateless.at("magic", wrong)
    with pytest.raises(SnapshotError):
        stateless.answer("magic", wrong, Answer())
