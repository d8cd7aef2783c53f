"""Games as values: pure functions from what is saved to what is saved next."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import Answer, TurnController, stateless
from fsm.errors import AnswerError, SnapshotError
from fsm.model import Model


def test_a_game_goes_on_from_value_to_value(game: TurnController, magic: Model) -> None:
    waiting, data = stateless.start(magic, ["Ann", "Ben"]), game.snapshot()
    for request in game:
        assert waiting.request == stateless.at(magic, waiting.saved).request == request
        waiting = stateless.answer(magic, waiting.saved, request.quiet())
        after = stateless.answer(magic, data, request.quiet())
        assert after.request == waiting.request
        data = after.saved
        if game.answer(request.quiet()).at.turn == 2:
            break
    assert data == game.snapshot()
    assert TurnController.restore(magic, waiting.saved).snapshot() == data


def test_a_game_starts_with_teams_and_orders(magic: Model) -> None:
    teams = [["Ann", "Ben"], ["Cleo", "Dora"]]
    orders = [fsm.SkipStep("upkeep")]
    players = ["Ann", "Ben", "Cleo", "Dora"]
    started = stateless.start(magic, players, teams=teams, orders=orders)
    game = TurnController(magic, players, teams=teams, orders=orders)
    assert TurnController.restore(magic, started.saved).snapshot() == game.snapshot()


def test_an_answer_does_not_change_what_it_is_given(magic: Model) -> None:
    data = TurnController(magic, ["Ann", "Ben"]).snapshot()
    first = stateless.answer(magic, data, Answer())
    assert stateless.answer(magic, data, Answer()) == first
    assert stateless.at(magic, data).request != first.request


def test_of_many_answers_a_wrong_one_stops_no_other() -> None:
    saved = stateless.start("magic", ["Ann", "Ben"]).saved
    good, wrong, last = stateless.answer_many(
        "magic", [(saved, Answer()), (saved, Answer("passed")), (saved, Answer())]
    )
    assert isinstance(wrong, AnswerError)
    assert good == last == stateless.answer("magic", saved, Answer())


@pytest.mark.parametrize("wrong", ["", "x", "ä", [], {}, None], ids=repr)
def test_what_is_no_saved_game_is_refused(wrong: Any) -> None:
    with pytest.raises(SnapshotError):
        stateless.at("magic", wrong)


def test_a_saved_game_that_was_cut_is_refused() -> None:
    saved = stateless.start("magic", ["Ann", "Ben"]).saved
    with pytest.raises(SnapshotError):
        stateless.at("magic", saved[:-9])
