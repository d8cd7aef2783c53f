"""The trace written while a game is played is the trace of the game, whatever is undone on the way."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from fsm.embedding import History, traced
from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.engine.watching import Answered
from fsm.model import Model
from fsm.state.orders import AddTurn
from support.playing import quiet


def played(game: TurnController | History, answers: int) -> None:
    for _ in range(answers):
        game.answer(quiet(game.request))


def lines(game: TurnController | History) -> list[str]:
    return list(game.trace.lines())


def test_the_file_has_all_that_happened_before_and_since(magic: Model, tmp_path: Path) -> None:
    game, file = TurnController(magic, ["A", "B"]), tmp_path / "game.jsonl"
    played(game, 30)
    with traced(game, file) as stop:
        for _ in range(12):
            game.answer(replace(quiet(game.request), orders=(AddTurn("B"),)))
            played(game, 9)
            assert file.read_text().splitlines() == lines(game)
    stop()
    played(game, 1)
    found = file.read_text().splitlines()
    assert found == lines(game)[: len(found)] != lines(game)
    written = Trace.read(found)
    assert written.replay(magic).number == game.number - 1
    game.trace.write(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_text().splitlines() == lines(game)


def test_a_restored_game_is_written_from_where_it_was_restored(
    magic: Model, tmp_path: Path
) -> None:
    game, file = TurnController(magic, ["A", "B"]), tmp_path / "game.jsonl"
    played(game, 30)
    game = TurnController.restore(magic, game.snapshot())
    with traced(game, file):
        played(game, 30)
    assert file.read_text().splitlines() == lines(game)
    assert not Trace.read(file.read_text().splitlines()).complete


def test_an_answer_that_a_later_watcher_refuses_is_taken_out_again(
    magic: Model, tmp_path: Path
) -> None:
    def refuse(answered: Answered) -> None:
        raise RuntimeError("no ink")

    game, file = TurnController(magic, ["A", "B"]), tmp_path / "game.jsonl"
    with traced(game, file):
        played(game, 80)
        for answers in (3, 0):
            with game.watch_answers(refuse), pytest.raises(RuntimeError, match="no ink"):
                played(game, 1)
            played(game, answers)
            assert not answers or file.read_text().splitlines() == lines(game)
    assert file.read_text().splitlines() == lines(game)


def test_a_history_that_goes_back_and_branches(magic: Model, tmp_path: Path) -> None:
    random, file = Random(7), tmp_path / "game.jsonl"
    history = History(TurnController(magic, ["A", "B"]))
    with traced(history, file):
        for _ in range(20):
            played(history, random.randint(1, 8))
            assert file.read_text().splitlines() == lines(history)
            history.undo(random.randint(0, min(5, len(history.answers))))
            for _ in range(random.randint(0, 3)):
                if history.undone:
                    history.redo()
    assert file.read_text().splitlines() == lines(history)


def test_a_long_game_takes_no_more_memory_than_a_short_one(magic: Model, tmp_path: Path) -> None:
    """None of its records are held, neither while it is played nor when the whole trace is written
    at its end.
    """

    def most(answers: int) -> int:
        game = TurnController(magic, ["A", "B"])
        tracemalloc.start()
        try:
            with traced(game, tmp_path / "game.jsonl"):
                played(game, answers)
            game.trace.write(tmp_path / "again.jsonl")
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    _, _, short, long = (
        most(250),
        most(250),
        most(50),
        most(250),
    )  # at first, for what is remembered for all games
    written = (tmp_path / "game.jsonl").read_text()
    assert written == (tmp_path / "again.jsonl").read_text()
    assert long < short + len(written) / 2


def test_a_file_that_cannot_be_opened(magic: Model, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="missing"):
        traced(TurnController(magic, ["A", "B"]), tmp_path / "missing" / "game.jsonl")
