"""Players of the server in `examples/server`: a client, and bots that decide alike in every run."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, ClassVar

import fsm

SEATS = {"Ann": "the secret of Ann", "Ben": "the secret of Ben"}


class Client:
    """A connection to the server. `opened` are all of them."""

    opened: ClassVar[list[Client]] = []

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.opened.append(self)

    @classmethod
    async def connected(cls, port: int) -> Client:
        """Connect, and no more."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    @classmethod
    async def at(cls, port: int, name: str, seat: str = "") -> Client:
        """Connect, open a game, and sit down or look on."""
        client = await cls.connected(port)
        client.say(open=name, seats=SEATS)
        client.say(join=name, seat=seat, secret=SEATS.get(seat, ""))
        return client

    def say(self, **said: object) -> None:
        self.writer.write(json.dumps(said).encode() + b"\n")

    async def hear(self) -> Any:
        """Return the next line. Raises ConnectionError if there is none."""
        text = await self.reader.readline()
        if not text.endswith(b"\n"):
            raise ConnectionResetError
        return json.loads(text)

    async def until(self, fits: Callable[[Any], object]) -> Any:
        """Return the next line that fits."""
        while not fits(line := await self.hear()):
            pass
        return line

    @classmethod
    async def close_all(cls) -> None:
        for client in cls.opened:
            client.writer.close()
        closed = [client.writer.wait_closed() for client in cls.opened]
        await asyncio.gather(*closed, return_exceptions=True)
        cls.opened.clear()


def decision(number: int, stack: list[str]) -> str:
    """What a bot answers to the request of this number."""
    return "acted" if number % 11 == 3 and not stack else "passed"


class Reference(fsm.hosts.StackHost):
    """The same game, played without a server."""

    def __init__(self) -> None:
        super().__init__()
        self.game = fsm.TurnController("magic", list(SEATS))

    def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        if decision(self.game.number, self.stack) == "passed":
            return request.passed()
        self.stack.append(f"a spell of {request.player}")
        return request.acted()

    def after(self, answers: int) -> Any:
        """Return the request after so many answers, as the server writes it."""
        fsm.drive(self.game, self, until=lambda request: self.game.number == answers)
        return json.loads(json.dumps(self.game.request.to_json()))


async def play(
    client: Client, seat: str, answers: int, heard: Callable[[int], object] = abs
) -> Any:
    """Decide for a seat until the game has so many answers. Return the last line.

    `heard` is called with the number of answers that each line tells.
    """
    while True:
        line = await client.until(lambda line: "number" in line)
        heard(line["number"])
        if line["number"] >= answers:
            return line
        if seat in line["waits_for"]:
            word = decision(line["number"], line["stack"])
            client.say(to=line["number"], answer={"word": word})
