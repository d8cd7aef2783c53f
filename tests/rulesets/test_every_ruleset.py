"""What holds of every ruleset: a turn leaves nothing behind, and a game can be restored and
replayed at any point.
"""

from __future__ import annotations

import pytest

from fsm import TurnController
from fsm.engine import Record
from fsm.rulesets import names
from support.amounts import amount
from support.wanderer import Wanderer, loop_brought_near

MODELS = {name: loop_brought_near(name) for name in names()}


@pytest.mark.parametrize("name", names())
def test_nothing_of_a_turn_is_left_when_the_next_begins(name: str) -> None:
    begun = []

    def look(controller: TurnController) -> None:
        agenda, fresh = controller.agenda, controller.trace.entries[-8:]
        if any(isinstance(e, Record) and e.target == "turn_begin" for e in fresh):
            begun.append(controller.position.turn)
            assert agenda.suspended == () and not agenda.tallies
            assert len(agenda.begun) <= 2

    list(Wanderer(MODELS[name], 11, look).games(amount(2_500, 6_000)))
    assert len(begun) > 10


@pytest.mark.parametrize("name", names())
def test_a_game_goes_on_from_its_snapshot_as_it_would_have(name: str) -> None:
    model, pairs = MODELS[name], []

    def look(controller: TurnController) -> None:
        if len(controller.trace.entries) % 97 == 0:
            again = TurnController.restore(model, controller.snapshot())
            pairs.append((again.request, controller.request))
            assert again.agenda == controller.agenda

    list(Wanderer(model, 5, look).games(amount(2_500, 4_000)))
    assert len(pairs) > 10
    assert all(restored == there for restored, there in pairs)


@pytest.mark.parametrize("name", names())
def test_a_game_can_be_replayed(name: str) -> None:
    for game in Wanderer(MODELS[name], 9).games(amount(1_500, 3_000)):
        assert game.trace.replay(MODELS[name]).request == game.request
