"""A game saved after each answer: never behind what its players have seen, and never ahead."""

from __future__ import annotations

import json

import pytest

from fsm import Over, TurnController
from fsm.hosts import saving
from fsm.model import Model
from support.playing import leaves, quiet


def test_it_is_saved_once_for_each_answer_as_it_stands_then(magic: Model) -> None:
    game, store = TurnController(magic, ["A", "B"]), list[str]()
    stop = saving(game, lambda: store.append(json.dumps(game.snapshot())))
    for number in range(1, 120):
        game.answer(quiet(game.request))
        assert len(store) == number
        assert TurnController.restore(magic, json.loads(store[-1])).request == game.request
    stop()
    game.answer(quiet(game.request))
    assert len(store) == 119


def test_what_cannot_be_saved_is_not_answered(magic: Model) -> None:
    """The disk is full, and free again: the same answer can be given, and nothing is saved twice."""
    game, store, full = TurnController(magic, ["A", "B"]), list[dict[str, object]](), [False]

    def save() -> None:
        if full[0]:
            raise OSError("no space left")
        store.append(game.snapshot())

    saving(game, save)
    game.answer(quiet(game.request))
    full[0] = True
    before = game.snapshot()
    for _ in range(2):
        with pytest.raises(OSError, match="no space"):
            game.answer(quiet(game.request))
        assert game.snapshot() == before == store[-1]
    full[0] = False
    game.answer(quiet(game.request))
    assert len(store) == 2 and store[-1] == game.snapshot() != before


def test_the_end_of_the_game_is_saved(magic: Model) -> None:
    game, store = TurnController(magic, ["A", "B"]), list[dict[str, object]]()
    saving(game, lambda: store.append(game.snapshot()))
    while not isinstance(game.request, Over):
        game.answer(quiet(game.request, signal=leaves("B")))
    assert isinstance(TurnController.restore(magic, store[-1]).request, Over)
