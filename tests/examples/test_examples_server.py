"""The server over real sockets: two players and a spectator, who undo, come back, and are late."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from server.server import Server

from support.amounts import thorough
from support.servedgames import SEATS, Client, Reference, play

Play = Callable[[Server, int], Awaitable[None]]


def on_server(folder: Path, plays: Play, seconds: float = 60) -> None:
    """Play on a server, which then ends as if its process had been killed."""

    async def run() -> None:
        server = Server(folder, seconds)
        listening = await server.listen(0)
        try:
            port = listening.sockets[0].getsockname()[1]
            await asyncio.wait_for(plays(server, port), 20)
        finally:
            listening.close()
            await Client.close_all()
            for task in server.playing:
                task.cancel()
            await asyncio.wait(server.playing)

    asyncio.run(run())


def test_a_game_is_played_seen_and_found_again(tmp_path: Path) -> None:
    """Both players and a spectator see what a game without a server comes to."""

    async def begin(server: Server, port: int) -> None:
        ann, ben = [await Client.at(port, "one", seat) for seat in SEATS]
        looker = await Client.at(port, "one")
        ends = await asyncio.gather(play(ann, "Ann", 40), play(ben, "Ben", 40))
        seen = await looker.until(lambda line: line["number"] >= 40)
        assert seen == ends[0] == ends[1]
        assert seen["request"] == Reference().after(seen["number"])

    async def go_on(server: Server, port: int) -> None:
        ann, ben = [await Client.at(port, "one", seat) for seat in SEATS]
        end, _ = await asyncio.gather(play(ann, "Ann", 80), play(ben, "Ben", 80))
        assert end["request"] == Reference().after(end["number"])

    on_server(tmp_path, begin)
    on_server(tmp_path, go_on)


def test_an_answer_counts_once_and_only_of_who_is_asked(tmp_path: Path) -> None:
    async def plays(server: Server, port: int) -> None:
        ann, ben = [await Client.at(port, "one", seat) for seat in SEATS]
        asked = await ann.until(lambda line: line.get("waits_for") == ["Ann"])
        ben.say(to=asked["number"], answer={"word": "passed"})
        assert (
            "Ben is not asked, but Ann" in (await ben.until(lambda line: "error" in line))["error"]
        )
        for _ in range(3):
            ann.say(to=asked["number"], answer={"word": "passed"})
        assert "is answered" in (await ann.until(lambda line: "error" in line))["error"]
        after = await ben.until(lambda line: line.get("number", 0) > asked["number"])
        assert after["waits_for"] == ["Ben"]

    on_server(tmp_path, plays)


def test_who_has_decided_may_go_back_if_the_other_agrees(tmp_path: Path) -> None:
    async def plays(server: Server, port: int) -> None:
        ann, ben = [await Client.at(port, "one", seat) for seat in SEATS]
        first = await ann.until(lambda line: line.get("waits_for") == ["Ann"])
        ann.say(to=first["number"], answer={"word": "acted"})
        cast = await ben.until(lambda line: line.get("stack"))
        assert cast["stack"] == ["a spell of Ann"]
        ann.say(undo=True)
        assert (await ben.until(lambda line: line.get("undo")))["undo"] == ["Ann"]
        ben.say(undo=False)
        assert (await ann.until(lambda line: line.get("undo") == []))["stack"]
        ann.say(undo=True)
        await ben.until(lambda line: line.get("undo"))
        ben.say(undo=True)
        back = await ann.until(lambda line: line.get("number", 99) == first["number"])
        assert back["stack"] == []
        ann.say(to=first["number"], answer={"word": "passed"})
        assert (await ben.until(lambda line: line["number"] > first["number"]))["stack"] == []

    on_server(tmp_path, plays)


def test_who_is_late_passes_and_who_leaves_has_lost(tmp_path: Path) -> None:
    async def plays(server: Server, port: int) -> None:
        looker = await Client.at(port, "one")
        await looker.until(lambda line: line["request"]["at"]["turn"] == 2)
        ben = await Client.at(port, "one", "Ben")
        ben.say(leave=True)
        over = await looker.until(lambda line: line["request"]["is"] == "Over")
        assert (over["request"]["winners"], over["waits_for"]) == (["Ann"], [])

    on_server(tmp_path, plays, seconds=0.001)


WRONG: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"{", "truncated"),
    "another field": (b'{"jion": "one"}', "unknown field `jion`"),
    "no game": (b'{"join": "on"}', "did you mean 'one'"),
    "a wrong secret": (b'{"join": "one", "seat": "Ann", "secret": "x"}', "not the secret"),
    "no such seat": (b'{"join": "one", "seat": "Cleo"}', "not the secret"),
    "a path": (b'{"open": "../one", "seats": {"Ann": "x"}}', "no such game"),
    "other seats": (b'{"open": "one", "seats": {"Ann": "x"}}', "take other letters"),
    "nowhere": (b'{"to": 1}', "sit down at a table first"),
    "half a letter": (b'{"join": "\\ud800"}', "truncated"),
}


@pytest.mark.parametrize(("text", "says"), WRONG.values(), ids=WRONG)
def test_whatever_is_wrong_is_answered_by_one_line(text: bytes, says: str, tmp_path: Path) -> None:
    async def plays(server: Server, port: int) -> None:
        ann = await Client.at(port, "one", "Ann")
        await ann.hear()
        stranger = await Client.connected(port)
        stranger.writer.write(text + b"\n")
        assert says in (await stranger.hear())["error"]
        stranger.say(join="one")
        assert "number" in await stranger.hear()
        stranger.writer.write(b"x" * 100_000)
        with pytest.raises(ConnectionError):
            while True:
                await stranger.hear()

    on_server(tmp_path, plays)


@thorough
def test_a_full_disk_keeps_the_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the answer had done at the table is undone, and it is asked again."""

    async def plays(server: Server, port: int) -> None:
        ann = await Client.at(port, "one", "Ann")
        asked = await ann.until(lambda line: line.get("waits_for") == ["Ann"])
        with monkeypatch.context() as patch:
            patch.setattr("fsm.hosts.savefile._Saver._write", full)
            ann.say(to=asked["number"], answer={"word": "acted"})
            trouble = await ann.until(lambda line: "trouble" in line)
        assert "No space left" in trouble["trouble"]
        again = await ann.until(lambda line: "trouble" not in line)
        assert (again["number"], again["stack"]) == (asked["number"], [])

    def full(saver: Any, entry: Any) -> None:
        raise OSError(28, "No space left on device")

    on_server(tmp_path, plays)
