"""A game that is saved after each answer is never behind what its players have seen, nor ahead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import History, TurnController
from fsm.hosts import saving, write_safely


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def test_each_answer_is_saved_as_the_game_stands_then(game: TurnController, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with saving(game, lambda: write_safely(file, game.snapshot())):
        for request in game:
            game.answer(request.quiet())
            assert read(file) == game.snapshot()
            if game.position.step == "upkeep":
                break
    last = game.order(fsm.Leave("Ben"))
    assert TurnController.restore("magic", read(file)).request != last


def test_what_cannot_be_saved_is_not_answered(game: TurnController) -> None:
    def full() -> None:
        raise OSError("no space left")

    before = game.snapshot()
    with saving(game, full), pytest.raises(OSError, match="no space left"):
        fsm.drive(game, fsm.BaseHost())
    assert game.snapshot() == before


def test_a_history_is_saved_with_each_answer_and_not_when_it_goes_back(
    game: TurnController,
) -> None:
    history, store = History(game), list[Any]()
    with saving(history, lambda: store.append(history.snapshot())):
        fsm.drive(history, fsm.BaseHost(), until=lambda request: request.at.step == "upkeep")
        history.undo()
    given = len(history.answers) + 1
    assert [len(data["answers"]) for data in store] == list(range(1, given + 1))


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    write_safely(file, {"turn": 1})
    with pytest.raises(TypeError):
        write_safely(file, {"turn": object()})
    assert read(file) == {"turn": 1}
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(OSError, match=r"missing.game\.json"):
        write_safely(tmp_path / "missing" / "game.json", {})
