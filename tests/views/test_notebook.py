"""In a notebook models, games and traces show their picture, and their text where there is none."""

from __future__ import annotations

import fsm
from support.drawings import loaded
from support.drawnsvg import read


def played() -> fsm.TurnController:
    game = fsm.TurnController("magic", ["Ann", "Ben"], trace=True)
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    return game


def test_each_shows_its_picture_and_its_text() -> None:
    game = played()
    assert game.trace
    shown = {"a turn at a glance": loaded("magic"), "Now: ": game, "Turn 1 of Ann": game.trace}
    for words, value in shown.items():
        bundle = value._repr_mimebundle_()
        assert bundle["text/plain"] == str(value)
        assert read(bundle["image/svg+xml"]).says(words)


def test_without_a_model_there_is_the_text() -> None:
    game = played()
    assert game.trace
    back = fsm.Trace.read(list(game.trace.lines()))
    assert back._repr_mimebundle_() == {"text/plain": str(back)}
