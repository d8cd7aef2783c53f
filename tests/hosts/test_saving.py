"""A game that is saved after each answer is never behind what its players have seen, nor ahead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import History, Over, TurnController
from fsm.hosts import saving, write_safely
from fsm.model import Model


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def test_each_answer_is_saved_as_the_game_stands_then(game: TurnController, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    with saving(game, lambda: write_safely(file, game.snapshot())):
        for request in game:
            game.answer(request.quiet())
            assert read(file) == game.snapshot()
            if game.position.turn == 2:
                break
    restored = TurnController.restore("magic", read(file))
    assert restored.request == game.request

    game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert read(file) == restored.snapshot()


def test_what_cannot_be_saved_is_not_answered(game: TurnController) -> None:
    def full() -> None:
        raise OSError("no space left")

    before = game.snapshot()
    with saving(game, full):
        for _ in range(2):
            with pytest.raises(OSError, match="no space left"):
                game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert game.snapshot() == before
    game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert game.snapshot() != before


def test_the_end_of_the_game_is_saved(game: TurnController) -> None:
    store = list[Any]()
    saving(game, lambda: store.append(game.snapshot()))
    game.order(fsm.Leave("Ben"))
    assert len(store) == 1
    assert isinstance(TurnController.restore("magic", store[0]).request, Over)


def test_a_history_is_saved_with_each_answer_and_not_when_it_goes_back(
    game: TurnController,
) -> None:
    history, store = History(game), list[Any]()
    with saving(history, lambda: store.append(history.snapshot())):
        fsm.drive(history, fsm.BaseHost(), until=lambda request: request.at.step == "upkeep")
        saved = len(store)
        history.undo()
    assert len(store) == saved
    assert [len(data["answers"]) for data in store] == list(range(1, saved + 1))
    assert History.restore("magic", store[-1]).answers == [*history.answers, *history.undone]


def test_a_file_that_is_not_written_to_the_end_leaves_the_old_one(
    game: TurnController, tmp_path: Path
) -> None:
    file = tmp_path / "game.json"
    write_safely(file, {"turn": game.snapshot()})
    with pytest.raises(TypeError):
        write_safely(file, {"turn": object()})
    assert read(file) == {"turn": game.snapshot()}
    assert list(tmp_path.iterdir()) == [file]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"missing.game\.json"):
        write_safely(tmp_path / "missing" / "game.json", {})


def test_a_torn_file_is_refused(game: TurnController, magic: Model) -> None:
    """A snapshot that lacks any of its parts is no game."""
    whole = game.snapshot()
    for name in whole:
        torn = {key: value for key, value in whole.items() if key != name}
        with pytest.raises(fsm.errors.SnapshotError):
            TurnController.restore(magic, torn)
