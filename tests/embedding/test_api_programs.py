"""The programs of the interface's design, as a user would write them."""

from __future__ import annotations

import pytest

import fsm
from fsm.rulesets import names


@pytest.mark.parametrize("name", names())
def test_an_empty_game_is_a_loop_of_two_lines(name: str) -> None:
    game = fsm.TurnController(fsm.load(name), ["Ann", "Ben"])
    for request in game:
        assert game.answer(request.quiet()) is game.request
        if game.request.at.turn == 4:
            break
    assert game.position.active == "Ben"
