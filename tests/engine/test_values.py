"""What values look like: short, on one line, and useful."""

from __future__ import annotations

import pytest

import fsm
from fsm import Answer, EndTurn, Leave, TurnController
from fsm.model import Model
from fsm.rulesets import names
from support.playing import until


def test_a_game_says_where_it_stands(magic: Model) -> None:
    game = TurnController(magic, ["Ann", "Ben"], trace=True)
    until(game, lambda r: r.at.turn == 3 and isinstance(r, fsm.Priority) and r.player == "Ben")
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Priority of Ben>"
    assert repr(game.request) == f"<{game.request}>" == "<turn 3 of Ann, upkeep: Priority of Ben>"
    game.order(Leave("Ann"))
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Over, won by Ben>"
    assert repr(game.trace).startswith(f"<Trace magic of Ann, Ben: {game.number} answers, ")


@pytest.mark.parametrize("name", names())
def test_every_repr_fits_a_line(name: str) -> None:
    model = fsm.load(name)
    game = TurnController(model, ["Ann", "Ben"])
    assert repr(model).startswith(f"<Model {name}, ") and len(repr(model)) < 80
    for request in game:
        for value in (game, request):
            assert len(repr(value)) < 120 and "\n" not in repr(value)
        if game.answer(request.quiet()).at.turn == 2:
            break


def test_an_answer_shows_what_is_not_usual() -> None:
    assert repr(Answer()) == "Answer('done')"
    assert (
        repr(Answer("passed", {"stack_empty": True})) == "Answer('passed', {'stack_empty': True})"
    )
    assert repr(Answer("acted", {}, (EndTurn(),))) == "Answer('acted', {}, (EndTurn(),))"
