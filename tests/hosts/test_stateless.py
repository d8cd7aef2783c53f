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
        values: list[Any] = [waiting.saved, game.snapshot()]
        for saved in values:
            assert stateless.at("magic", saved).request == waiting.request == request
            after = stateless.answer("magic", saved, request.quiet())
            assert stateless.answer("magic", saved, request.quiet()) == after
        game.answer(request.quiet())
        assert after.saved == game.snapshot()
        waiting = stateless.answer("magic", waiting.saved, request.quiet())
        if request.at.step == "draw":
            break


def test_a_game_starts_in_the_middle() -> None:
    start = fsm.StartAt("draw", 2)
    waiting = stateless.start("magic", ["Ann", "Ben"], start=start)
    assert (waiting.request.at.turn, waiting.request.at.step) == (2, "draw")
    assert stateless.at("magic", waiting.saved) == waiting


def test_of_many_answers_a_wrong_one_stops_no_other() -> None:
    saved = stateless.start("magic", ["Ann", "Ben"]).saved
    badly: Any = "done"
    pairs = [(saved, Answer()), (saved, Answer("passed")), ("x", Answer()), (saved, badly)]
    good, wrong, lost, bad, last = stateless.answer_many("magic", [*pairs, (saved, Answer())])
    assert isinstance(wrong, AnswerError) and isinstance(bad, AnswerError)
    assert isinstance(lost, SnapshotError)
    assert good == last == stateless.answer("magic", saved, Answer())


@pytest.mark.parametrize("wrong", ["", "x", "ä", [], {}, None], ids=repr)
def test_what_is_no_saved_game_is_refused(wrong: Any) -> None:
    with pytest.raises(SnapshotError):
        stateless.at("magic", wrong)
    with pytest.raises(SnapshotError):
        stateless.answer("magic", wrong, Answer())
