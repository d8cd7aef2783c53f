"""Fifty games at once on a server that is killed twelve times: no decision is lost or counts twice."""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from support.folders import EXAMPLES
from support.processes import Process, started
from support.servedgames import SEATS, Client, Reference, play

GAMES, KILLS, SECONDS = 50, 12, 60
"""There are fewer kills if they would take more than so many seconds."""


@contextmanager
def serving(folder: Path) -> Iterator[tuple[Process, int]]:
    """A server and its port, once it listens."""
    command = [sys.executable, "-m", "server", "0", str(folder)]
    with started(command, cwd=EXAMPLES) as server:
        yield server, int(server.line().removeprefix("port "))


Seen = dict[tuple[str, str], int]
"""How many answers each player of each game has seen."""


async def sit(client: Client, name: str, seat: str, seen: Seen) -> None:
    """Play for a seat until the server is gone."""

    def heard(number: int) -> None:
        assert number >= seen.get((name, seat), 0)
        seen[name, seat] = number

    await play(client, seat, 10_000, heard)


async def round_of(server: Process, port: int, seconds: float, seen: Seen) -> None:
    """Play all games at the same time, until the server is killed."""
    seats = [(f"game{number}", seat) for number in range(GAMES) for seat in SEATS]
    clients = await asyncio.gather(*(Client.at(port, *seat) for seat in seats))
    playing = [
        asyncio.create_task(sit(client, *seat, seen))
        for client, seat in zip(clients, seats, strict=True)
    ]
    await asyncio.wait(playing, timeout=seconds)
    assert server.end(signal.SIGKILL) < 0
    await asyncio.wait(playing)
    assert all(isinstance(task.exception(), ConnectionError) for task in playing)
    await Client.close_all()


async def looked_at(port: int) -> dict[str, Any]:
    """Return what a spectator sees of each game."""
    lookers = {f"game{n}": await Client.at(port, f"game{n}") for n in range(GAMES)}
    is_seen = [looker.until(lambda line: "number" in line) for looker in lookers.values()]
    found = dict(zip(lookers, await asyncio.gather(*is_seen), strict=True))
    await Client.close_all()
    return found


def test_fifty_games_outlive_twelve_kills(tmp_path: Path) -> None:
    random, seen, kills, end = Random(1), Seen(), 0, time.monotonic() + SECONDS
    while kills < KILLS and time.monotonic() < end:
        with serving(tmp_path) as (server, port):
            asyncio.run(round_of(server, port, random.uniform(0.5, 2), seen))
        kills += 1
    with serving(tmp_path) as (_, port):
        lines = asyncio.run(looked_at(port))
    assert all(lines[name]["number"] >= number for (name, _), number in seen.items())
    reference = Reference()
    for line in sorted(lines.values(), key=lambda line: int(line["number"])):
        assert line["request"] == reference.after(line["number"])
        assert line["stack"] == reference.stack
    assert reference.game.number > 20
