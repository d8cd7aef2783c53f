"""What values look like: short, on one line, and useful."""

from __future__ import annotations

import fsm
from fsm import Answer, EndTurn, Leave, TurnController
from fsm.model import Model
from support.playing import until


def test_a_game_says_where_it_stands(magic: Model) -> None:
    game = TurnController(magic, ["Ann", "Ben"], trace=True)
    until(game, lambda r: r.at.turn == 3 and isinstance(r, fsm.Priority) and r.player == "Ben")
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Priority of Ben>"
    assert repr(game.request) == f"<{game.request}>" == "<turn 3 of Ann, upkeep: Priority of Ben>"
    game.order(Leave("Ann"))
    assert repr(game) == "<TurnController magic, turn 3 of Ann, upkeep: Over, won by Ben>"
    assert repr(game.trace) == "<Trace magic of Ann, Ben>"


def test_an_answer_shows_its_word_facts_and_orders() -> None:
    assert repr(Answer()) == "Answer('done', {}, ())"
    told = Answer("acted", {"stack_empty": True}, (EndTurn(),))
    assert repr(told) == "Answer('acted', {'stack_empty': True}, (EndTurn(),))"
