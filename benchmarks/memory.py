"""The process that holds many live games: `python -m benchmarks.memory GAMES ANSWERS` prints what
each takes.

Counted is what the process grows by, in resident memory, for controllers with all they keep, their
traces included; each game has players of its own. Not counted is what games share, the Model and
the Machine, and what the program that plays them has anyway: the players' names, a tuple for each
game.
"""

from __future__ import annotations

import gc
import json
import sys
from pathlib import Path

from benchmarks.games import RULESET, strangers
from benchmarks.hosts import NullHost
from fsm import rulesets
from fsm.embedding.host import drive
from fsm.engine.controller import TurnController
from fsm.model import Model

ROOM = 100 * 2**20
"""Bytes after which no more games are started, however many were asked for."""


def measure(games: int, answers: int) -> dict[str, float | None]:
    """Hold so many games that have been given so many answers; how many there were, and bytes for
    each.

    A tenth more are started first and not counted: they fill the holes that building the Model
    left.
    """
    model = rulesets.load(RULESET)
    live: list[TurnController | None] = [None] * (games + games // 10 + 1)
    uncounted = games // 10 + 1
    players = [strangers() for _ in live]
    for number in range(uncounted):
        live[number] = _game(model, players[number], answers)
    began = resident()
    if began is None:
        return {"games": games, "each": None}
    counted = 0
    for number in range(uncounted, len(live)):
        live[number] = _game(model, players[number], answers)
        counted += 1
        if counted % 100 == 0 and (resident() or 0) - began > ROOM:
            break
    return {"games": counted, "each": ((resident() or 0) - began) / counted}


def resident() -> int | None:
    """The resident memory of this process in bytes; None where it cannot be known."""
    gc.collect()
    table = Path("/proc/self/statm")
    if table.exists():
        import resource

        return int(table.read_text("ascii").split()[1]) * resource.getpagesize()
    return _peak()


def _peak() -> int | None:
    """The most it has been, which grows with the games held: in bytes on macOS, KiB elsewhere."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def _game(model: Model, players: tuple[str, str], answers: int) -> TurnController:
    controller = TurnController(model, players)
    drive(controller, NullHost(), until=lambda _: controller.number == answers)
    return controller


if __name__ == "__main__":
    print(json.dumps(measure(*map(int, sys.argv[1:3]))))
