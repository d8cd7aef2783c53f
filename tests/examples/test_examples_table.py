"""The table over real sockets and real SQLite: what strangers and players may do, and what happens
when nothing can be saved.
"""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from table.store import Store
from table.table import Table

from support.amounts import amount
from support.tools import package

SEATS = ("Ann", "Ben")


def on_table(file: Path, play: Callable[[Table], Awaitable[None]]) -> None:
    """Play at a table, which then ends as if its process had been killed."""

    async def run() -> None:
        table = Table(Store(file), again=0.01)
        task = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        try:
            await asyncio.wait_for(play(table), 20)
            assert not task.done() or task.result() is None
        finally:
            task.cancel()
            await asyncio.wait([task])
            table.store.rows.close()

    asyncio.run(run())


def acted(number: int, word: str = "acted", **more: object) -> str:
    return json.dumps({"number": number, "answer": {"is": "Answer", "word": word, **more}})


def stored(file: Path) -> tuple[int, Any]:
    """The count of answers and the cards that lie in the file."""
    rows = sqlite3.connect(file)
    [(number, game)] = rows.execute("SELECT number, game FROM tables")
    rows.close()
    return number, json.loads(game)


async def heard(table: Table) -> None:
    """Let the table take in what it was told."""
    await asyncio.sleep(0)
    await asyncio.sleep(0)


# answers ------------------------------------------------------------------------------------------


def test_an_answer_that_is_sent_again_counts_once(tmp_path: Path) -> None:
    """In the same moment, and later."""

    async def play(table: Table) -> None:
        tabs = [table.join("Ann") for _ in range(2)]
        number = tabs[0].news["number"]
        for _ in range(2):
            for tab in tabs:
                table.hear(tab, acted(number))
            await heard(table)
        assert table.saved.game.stack == ["Ann"]
        assert table.saved.game.hand["Ann"] == table.saved.game.hand["Ben"] - 1

    on_table(tmp_path / "table.db", play)


@pytest.mark.parametrize("seed", range(amount(1, 20)))
def test_whatever_tabs_send_the_table_goes_on(seed: int, tmp_path: Path) -> None:
    random = Random(seed)

    async def play(table: Table) -> None:
        tabs = [table.join(seat) for seat in SEATS]
        for _ in range(40):
            number = table.saved.number
            says = random.choice([acted(number, word) for word in ("passed", "acted", "done", "x")])
            orders = [{"is": "AddTurn", "player": "Ann"}]
            wish = json.dumps({"wish": random.choice(["sleep", "wake", None])})
            for tab in tabs:
                table.hear(tab, random.choice([says, says, acted(number, orders=orders), wish]))
                await heard(table)
        assert table.saved.number > 20

    on_table(tmp_path / "table.db", play)


# the file -----------------------------------------------------------------------------------------


def test_an_answer_that_cannot_be_saved_is_shown_once_it_is(tmp_path: Path) -> None:
    file = tmp_path / "table.db"

    async def play(table: Table) -> None:
        ann, ben = (table.join(seat) for seat in SEATS)
        before, number = stored(file), (await ann.next())["number"]
        await ben.next()
        table.store.rows.execute("PRAGMA query_only = ON")
        table.hear(ann, acted(number))
        for tab in (ann, ben):
            news = await tab.next()
            assert news.keys() == {"trouble"}
            assert "attempt to write a readonly database" in news["trouble"]
        assert stored(file) == before

        table.store.rows.execute("PRAGMA query_only = OFF")
        while not (news := await ben.next()).get("number"):
            pass
        assert (news["trouble"], news["game"]["stack"]) == ("", ["Ann"])
        assert (news["number"], news["game"]) == stored(file)

    on_table(file, play)


def test_a_table_is_as_it_was_after_a_restart_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    seen = list[Any]()

    async def play(table: Table) -> None:
        table.hear(table.join("Ann"), acted(table.saved.number))
        table.hear(table.join("Ben"), '{"wish": "stop"}')
        await heard(table)
        seen.append(table.join("Ben").news)

    async def look(table: Table) -> None:
        seen.append(table.join("Ben").news)
        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}

    on_table(tmp_path / "table.db", play)
    on_table(tmp_path / "table.db", look)
    assert seen[0] == seen[1]
    assert (seen[1]["end"], seen[1]["game"]["stack"]) == (True, ["Ann"])


# the network --------------------------------------------------------------------------------------


class Visitor:
    """Somebody who knows the links, and the machine that they lead to."""

    def __init__(self, session: Any, table: Table, links: dict[str, str]) -> None:
        self.session, self.table, self.links = session, table, links
        self.host = urlsplit(links["Ann"]).netloc

    async def status(self, path: str, **headers: str) -> int:
        async with self.session.get(f"http://{self.host}{path}", headers=headers) as response:
            return int(response.status)

    def path(self, seat: str) -> str:
        return urlsplit(self.links[seat]).path

    def sits(self, seat: str, **headers: str) -> Any:
        return self.session.ws_connect(self.links[seat] + "/socket", headers=headers)


def visited(file: Path, visit: Callable[[Visitor], Awaitable[None]]) -> None:
    """Visit a table that is served at a port of this machine."""
    aiohttp = package("aiohttp")
    from table.server import serving

    async def play(table: Table) -> None:
        async with serving(table, 0) as links, aiohttp.ClientSession() as session:
            await visit(Visitor(session, table, links))

    on_table(file, play)


async def closing(line: Any) -> int:
    """The code with which the server closes the connection."""
    async for _ in line:
        pass
    return int(line.close_code)


def test_only_the_secret_link_in_a_page_of_this_server_leads_to_a_seat(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Not another site, nor one whose name has come to mean this machine."""
    caplog.set_level(logging.DEBUG)

    async def visit(who: Visitor) -> None:
        ann, secret = who.path("Ann"), who.path("Ben").rpartition("/")[2]
        for path in ("/Ann", ann[:-1], ann + "x", f"/Ann/{secret}", f"/Eve/{secret}"):
            assert await who.status(path) == await who.status(path + "/socket") == 404
        for origin in ("http://evil.example", "null", f"http://{who.host}.evil"):
            assert await who.status(ann + "/socket", Origin=origin) == 403
        assert await who.status(ann, Host=f"evil.example:{who.host.rpartition(':')[2]}") == 403
        assert await who.status(ann) == 200
        async with who.sits("Ann", Origin=f"http://{who.host}") as line:
            assert (await line.receive_json())["seat"] == "Ann"
        assert ann.rpartition("/")[2] not in caplog.text

    visited(tmp_path / "table.db", visit)


def test_odd_messages_change_nothing_and_large_ones_close_the_connection(tmp_path: Path) -> None:
    odd = ["[" * 4000, "9" * 4000, "null", "", '{"wish": {}}', '"\\ud800"', "NaN"]

    async def visit(who: Visitor) -> None:
        async with who.sits("Ann") as line:
            first = await line.receive_json()
            for text in odd:
                await line.send_str(text)
                news = await line.receive_json()
                assert news.pop("error")["error"] == "AnswerError"
                assert news == first
            await line.send_str(" " * 4097)
            assert await closing(line) == 1009
        assert who.table.tabs == []

    visited(tmp_path / "table.db", visit)


def test_a_flood_is_cut_off_and_the_other_seat_is_served(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        async with who.sits("Ann") as flooder, who.sits("Ben") as ben:
            with suppress(ConnectionError):
                for _ in range(25):
                    await flooder.send_str("x" * 4000)
            await ben.receive_json()
            await ben.send_json({"wish": "stop"})
            assert (await ben.receive_json())["end"]
            assert await closing(flooder) == 1008

    visited(tmp_path / "table.db", visit)


def test_a_seat_has_five_tabs_at_most_and_a_closed_one_comes_back(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        lines = [await who.sits("Ann") for _ in range(5)]
        async with who.sits("Ann") as sixth:
            assert await closing(sixth) == 1013
        await lines.pop().close()
        async with who.sits("Ann") as fifth:
            assert (await fifth.receive_json())["seat"] == "Ann"
        for line in lines:
            await line.close()

    visited(tmp_path / "table.db", visit)
