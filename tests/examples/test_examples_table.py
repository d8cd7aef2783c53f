"""The table over real sockets: what strangers and players may do, and what happens
when nothing can be saved.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from table.table import Table

from support.tools import package


def on_table(file: Path, play: Callable[[Table], Awaitable[None]]) -> None:
    """Play at a table, which then ends as if its process had been killed."""

    async def run() -> None:
        table = Table(file, again=0.01)
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(play(table), 20)
        finally:
            task.cancel()
            await asyncio.wait([task])

    asyncio.run(run())


async def cast(table: Table, seat: str, number: int) -> None:
    """This seat casts a spark in answer to the request of this number, and the table takes it in."""
    table.hear(table.join(seat), json.dumps({"number": number, "choice": "Cast a spark"}))
    await asyncio.sleep(0)
    await asyncio.sleep(0)


def test_an_answer_that_cannot_be_saved_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    async def play(table: Table) -> None:
        ben = table.join("Ben")
        await ben.next()
        with monkeypatch.context() as patch:
            patch.setattr("fsm.hosts.savefile._Saver._write", full)
            await cast(table, "Ann", table.game.number)
            news = await ben.next()
            assert news.keys() == {"trouble"}
            assert "No space left on device" in news["trouble"]
        while not (news := await ben.next()).get("number"):
            pass
        assert (news["trouble"], news["game"]["stack"]) == ("", [])
        assert table.asked == "Ann"

    on_table(tmp_path / "table.jsonl", play)


def test_an_answer_counts_once_and_is_there_after_a_restart(tmp_path: Path) -> None:
    """Nobody else may read the file."""
    seen = list[Any]()

    async def play(table: Table) -> None:
        table.hear(table.join("Ben"), '{"wish": "stop"}')
        number = table.game.number
        for _ in range(3):
            await cast(table, "Ann", number)
        seen.append(table.join("Ben").news)

    async def look(table: Table) -> None:
        seen.append(table.join("Ben").news)
        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}

    on_table(tmp_path / "table.jsonl", play)
    on_table(tmp_path / "table.jsonl", look)
    assert seen[0] == seen[1]
    assert (seen[1]["end"], seen[1]["game"]["stack"]) == (True, ["Ann"])


# the network --------------------------------------------------------------------------------------


def visited(file: Path, visit: Callable[[Any, dict[str, str]], Awaitable[None]]) -> None:
    """Visit a table that is served at a port of this machine, with the link of each seat."""
    aiohttp = package("aiohttp")
    from table.server import serving

    async def play(table: Table) -> None:
        async with serving(table, 0) as links, aiohttp.ClientSession() as session:
            await visit(session, links)

    on_table(file, play)


def test_only_the_secret_link_in_a_page_of_this_server_leads_to_a_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not another site, nor one whose name has come to mean this machine."""
    caplog.set_level(logging.DEBUG)

    async def visit(session: Any, links: dict[str, str]) -> None:
        async def status(link: str, **headers: str) -> int:
            async with session.get(link, headers=headers) as response:
                return int(response.status)

        ann, own = links["Ann"], links["Ann"].rpartition("/Ann/")[0]
        for wrong in (own + "/Ann", ann[:-1], ann + "x", links["Ben"].replace("Ben", "Ann")):
            assert await status(wrong) == await status(wrong + "/socket") == 404
        for origin in ("http://evil.example", "null", own + ".evil"):
            assert await status(ann + "/socket", Origin=origin) == 403
        assert await status(ann, Host=f"evil.example:{own.rpartition(':')[2]}") == 403
        assert await status(ann) == 200
        async with session.ws_connect(ann + "/socket", headers={"Origin": own}) as line:
            assert (await line.receive_json())["seat"] == "Ann"
        assert ann.rpartition("/")[2] not in caplog.text

    visited(tmp_path / "table.jsonl", visit)


def test_odd_messages_change_nothing_and_a_flood_is_cut_off(tmp_path: Path) -> None:
    odd = ["[" * 4000, "9" * 4000, "null", "", '{"wish": {}}', '"\\ud800"', "NaN"]

    async def visit(session: Any, links: dict[str, str]) -> None:
        async with session.ws_connect(links["Ann"] + "/socket") as line:
            first = await line.receive_json()
            for text in odd:
                await line.send_str(text)
                news = await line.receive_json()
                assert news.pop("error")["is"] == "AnswerError"
                assert news == first
            with suppress(ConnectionError):
                for _ in range(25):
                    await line.send_str("x")
            async for _ in line:
                pass
            assert line.close_code == 1008
        async with session.ws_connect(links["Ann"] + "/socket") as line:
            assert await line.receive_json() == first

    visited(tmp_path / "table.jsonl", visit)
