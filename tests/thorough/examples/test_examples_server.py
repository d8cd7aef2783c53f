"""Two hundred games at once on a server that is killed fifty times: no decision is lost or counts
twice.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Any

from support.folders import EXAMPLES
from support.processes import Process, started
from support.servedgames import SEATS, Client, Reference, play

GAMES, KILLS, SOME = [f"game{number}" for number in range(200)], 50, 12
"""All games are played before the first kill and before the last one, else so many of them."""
SERVERS = """
import asyncio, os, sys
from pathlib import Path
import fsm
from server.server import Server

fsm.load("magic")
while True:
    server = os.fork()
    if not server:
        print("pid", os.getpid(), flush=True)
        asyncio.run(Server(Path(sys.argv[1])).serve(0))
    os.waitpid(server, 0)
"""
"""Starts the next server when one is killed, in a fraction of a new interpreter's time."""

Seen = dict[tuple[str, str], int]
"""How many answers each player of each game has seen."""


def next_server(servers: Process) -> tuple[int, int]:
    """Return the process and the port of the server that has just begun."""
    told = dict(servers.line().split() for _ in ("pid", "port"))
    return int(told["pid"]), int(told["port"])


async def round_of(servers: Process, games: list[str], lines: int, seen: Seen) -> None:
    """Play games at the same time. Kill the server after it has said so many lines."""
    server, port = next_server(servers)
    clients = {(name, seat): await Client.at(port, name, seat) for name in games for seat in SEATS}
    left = iter(range(lines, -1, -1))

    async def sit(client: Client, name: str, seat: str) -> None:
        def heard(number: int) -> None:
            assert number >= seen.get((name, seat), 0)
            seen[name, seat] = number
            if next(left, 1) == 0:
                os.kill(server, signal.SIGKILL)

        await play(client, seat, 10_000, heard)

    playing = [sit(client, *seat) for seat, client in clients.items()]
    ends = await asyncio.gather(*playing, return_exceptions=True)
    assert all(isinstance(end, ConnectionError) for end in ends)
    await Client.close_all()


async def looked_at(port: int) -> dict[str, Any]:
    """Return what a spectator sees of each game."""
    lookers = [await Client.at(port, name) for name in GAMES]
    is_seen = [looker.until(lambda line: "number" in line) for looker in lookers]
    found = dict(zip(GAMES, await asyncio.gather(*is_seen), strict=True))
    await Client.close_all()
    return found


def test_two_hundred_games_outlive_fifty_kills(tmp_path: Path) -> None:
    random, seen = Random(1), Seen()
    command = [sys.executable, "-c", SERVERS, str(tmp_path)]
    with started(command, cwd=EXAMPLES) as servers:
        for kill in range(KILLS):
            games = GAMES if kill in (0, KILLS - 1) else random.sample(GAMES, SOME)
            lines = len(games) * random.randrange(2, 20)
            asyncio.run(round_of(servers, games, lines, seen))
        lines_seen = asyncio.run(looked_at(next_server(servers)[1]))
    assert seen.keys() == {(name, seat) for name in GAMES for seat in SEATS}
    assert all(lines_seen[name]["number"] >= number for (name, _), number in seen.items())
    reference = Reference()
    for line in sorted(lines_seen.values(), key=lambda line: int(line["number"])):
        assert line["request"] == reference.after(line["number"])
        assert line["stack"] == reference.stack
    assert reference.game.number > 20
