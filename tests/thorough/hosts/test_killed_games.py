"""A program that is killed at any moment while it plays loses nothing that anybody has seen."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import fsm
from fsm.hosts import StackHost, load_game
from support.processes import started

KILLS = 15
PROGRAM = """
import sys
from pathlib import Path
import fsm
from fsm.hosts import load_game, saving
from thorough.hosts.test_killed_games import Table

file, kind, sync = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "sync"
host = Table()
game = load_game(file, state=host) if file.exists() else fsm.TurnController("magic", ["Ann", "Ben"])
if kind == "history":
    game = fsm.History(game, state=host)
with saving(game, file, state=host, sync=sync):
    print("plays", flush=True)
    fsm.drive(game, host, until=lambda request: print(game.number, flush=True))
"""


def catch_up(game: fsm.TurnController, host: Any, number: int) -> None:
    fsm.drive(game, host, until=lambda request: game.number == number)


class Table(StackHost):
    """Somebody casts a spell in each upkeep. The state is long, so that a kill may cut a line."""

    def __init__(self) -> None:
        super().__init__()
        self.notes = list[str]()

    def on_priority(self, request: fsm.Priority) -> fsm.Answer | None:
        if request.at.step != "upkeep" or self.stack:
            return None
        self.notes = [f"turn {request.at.turn}, Æther {n}" for n in range(60)]
        self.stack.append("spell")
        return request.acted(fsm.Effect("growth", request.player))


@pytest.mark.parametrize(("kind", "sync"), [("game", "sync"), ("history", "")])
def test_a_killed_game_goes_on_from_the_last_whole_answer(
    kind: str, sync: str, tmp_path: Path
) -> None:
    file, random, seen = tmp_path / "game.jsonl", Random(1), 0
    tests = Path(__file__).parents[2]
    reference, host = fsm.TurnController("magic", ["Ann", "Ben"]), Table()
    for _ in range(KILLS):
        command = [sys.executable, "-c", PROGRAM, str(file), kind, sync]
        with started(command, cwd=tests) as program:
            assert program.line() == "plays"
            for _ in range(random.randrange(1, 12)):
                program.pause()
            assert program.end(signal.SIGKILL) < 0
            printed = program.stdout.rpartition("\n")[0].split()
        seen = max(seen, int(printed[-1]) if printed[-1].isdigit() else 0)

        again = Table()
        game: Any = load_game(file, state=again)
        assert game.number >= seen
        catch_up(reference, host, game.number)
        assert game.request == reference.request
        assert vars(again) == vars(host)
    assert seen > KILLS
