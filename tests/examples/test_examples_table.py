"""The table over real sockets and real SQLite: what strangers and players may do, and what happens
on a full disk.
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import pickle
import socket
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
import table.table
from table.store import Store
from table.table import Tab, Table

from fsm.errors import SnapshotError
from support.amounts import amount
from support.tools import package

Play = Callable[[Table], Awaitable[None]]
SEATS = ("Ann", "Ben")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server tries again to save sooner than it does for people."""
    monkeypatch.setattr(table.table, "AGAIN", 0.01)


@asynccontextmanager
async def running(file: Path) -> AsyncIterator[Table]:
    """A table that is played in the background, and then ends as if its process had been killed."""
    played = Table(Store(file))
    run = asyncio.create_task(played.run())
    await asyncio.sleep(0)
    try:
        yield played
        assert not run.done() or run.result() is None
    finally:
        run.cancel()
        await asyncio.wait([run])
        played.store.rows.close()


def on_table(file: Path, play: Play) -> None:
    async def at_it() -> None:
        async with running(file) as played:
            await asyncio.wait_for(play(played), 20)

    asyncio.run(at_it())


def saying(number: int, word: str = "acted", **more: object) -> str:
    return json.dumps({"number": number, "answer": {"is": "Answer", "word": word, **more}})


def kept(file: Path) -> tuple[int, Any, Any]:
    """The count of answers, the cards and the wishes that lie in the file."""
    rows = sqlite3.connect(file)
    [(number, game, stops)] = rows.execute("SELECT number, game, stops FROM tables")
    rows.close()
    return number, json.loads(game), json.loads(stops)


async def until(tab: Tab, field: str) -> dict[str, Any]:
    """The first news that say something about this."""
    while True:
        news = await tab.next()
        if news.get(field):
            return news


# answers ------------------------------------------------------------------------------------------


def test_two_answers_in_one_moment_count_once(tmp_path: Path) -> None:
    """From two tabs of a seat, before the table has had time to take the first in."""

    async def play(played: Table) -> None:
        tabs = [played.join("Ann") for _ in "ab"]
        for tab in tabs:
            played.hear(tab, saying(tab.news["number"]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert played.saved.game.stack == ["Ann"]
        assert tabs[0].news == tabs[1].news

    on_table(tmp_path / "table.db", play)


def test_an_answer_to_an_earlier_request_is_dropped(tmp_path: Path) -> None:
    async def play(played: Table) -> None:
        tab = played.join("Ann")
        earlier = tab.news["number"]
        for _ in range(3):
            played.hear(tab, saying(earlier))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert played.saved.game.hand["Ann"] == played.saved.game.hand["Ben"] - 1

    on_table(tmp_path / "table.db", play)


@pytest.mark.parametrize("seed", range(amount(2, 60)))
def test_no_answer_ends_the_game_but_giving_up(seed: int, tmp_path: Path) -> None:
    """Whatever tabs send, the table goes on, or the game is over by its rules."""
    random = Random(seed)

    def message(number: int) -> str:
        if random.random() < 0.1:
            return json.dumps(
                {"wish": random.choice(["sleep", "wake", "stop", "unstop", "x", None, []])}
            )
        facts = {
            random.choice(["attackers_declared", "sba_performed", "x"]): random.choice(
                [True, False, 1, "x"]
            )
        }
        more: dict[str, object] = {"facts": facts if random.random() < 0.5 else {}}
        if random.random() < 0.1:
            event, player = (
                random.choice(["player_left", "end_turn", "x"]),
                random.choice([*SEATS, "", "x"]),
            )
            more["signal"] = {"is": "Signal", "event": event, "player": player}
        if random.random() < 0.1:
            more["orders"] = [{"is": "AddTurn", "player": "Ann"}]
        return saying(number, random.choice(["passed", "acted", "done", "x"]), **more)

    async def play(played: Table) -> None:
        played.store.rows.execute("PRAGMA synchronous = OFF")
        tabs = [played.join(seat) for seat in SEATS]
        for _ in range(100):
            for tab in tabs:
                played.hear(tab, message(played.saved.number))
                await asyncio.sleep(0)
                await asyncio.sleep(0)

    on_table(tmp_path / "table.db", play)


def test_only_the_newest_state_waits_for_a_tab_that_does_not_read(tmp_path: Path) -> None:
    async def play(played: Table) -> None:
        slow, other = played.join("Ann"), played.join("Ann")
        for _ in range(50):
            played.hear(slow, "x")
            played.hear(slow, json.dumps({"wish": "stop"}))
        assert slow.news.pop("error")["message"] == "this is not a message: send a JSON object"
        assert slow.news.keys() == other.news.keys()
        assert slow.news["end"]

    on_table(tmp_path / "table.db", play)


# the file -----------------------------------------------------------------------------------------


@asynccontextmanager
async def full(played: Table, file: Path) -> AsyncIterator[str]:
    played.saved.game.log.append(
        "x" * 20_000
    )  # the next row needs pages that the file does not have
    rows = played.store.rows
    [(pages,)] = rows.execute("PRAGMA page_count")
    rows.execute(f"PRAGMA max_page_count = {pages}").fetchall()
    yield "database or disk is full"
    rows.execute("PRAGMA max_page_count = 1000000").fetchall()


@asynccontextmanager
async def locked(played: Table, file: Path) -> AsyncIterator[str]:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield "database is locked"
    other.close()


@asynccontextmanager
async def read_only(played: Table, file: Path) -> AsyncIterator[str]:
    played.store.rows.execute("PRAGMA query_only = ON")
    yield "attempt to write a readonly database"
    played.store.rows.execute("PRAGMA query_only = OFF")


@pytest.mark.parametrize("unwritable", [full, locked, read_only])
def test_an_answer_that_cannot_be_saved_is_shown_once_it_is(
    unwritable: Any, tmp_path: Path
) -> None:
    file = tmp_path / "table.db"

    async def play(played: Table) -> None:
        ann, ben = (played.join(seat) for seat in SEATS)
        before, first = kept(file), (await ann.next())["number"]
        await ben.next()
        async with unwritable(played, file) as reason:
            played.hear(ann, saying(first))
            for tab in (ann, ben):
                news = await tab.next()
                assert news == {"trouble": news["trouble"]}
                assert reason in news["trouble"]
            assert played.join("Ann").news == news
            played.hear(ann, saying(first))
            assert await ann.next() == news
            assert kept(file) == before
        seen = await until(ben, "number")
        assert (seen["trouble"], seen["game"]["stack"]) == ("", ["Ann"])
        assert (seen["number"], seen["game"]) == kept(file)[:2]

    on_table(file, play)


def test_a_server_that_dies_on_a_full_disk_never_had_the_answer(tmp_path: Path) -> None:
    file, sent = tmp_path / "table.db", []

    async def dies(played: Table) -> None:
        ann = played.join("Ann")
        sent.append(saying((await ann.next())["number"]))
        played.store.rows.execute("PRAGMA query_only = ON")
        played.hear(ann, sent[0])
        await until(ann, "trouble")

    async def comes_back(played: Table) -> None:
        ann = played.join("Ann")
        assert ann.news["game"]["stack"] == []
        await ann.next()
        played.hear(ann, sent[0])
        assert (await until(ann, "number"))["game"]["stack"] == ["Ann"]

    async def again(played: Table) -> None:
        ann = played.join("Ann")
        before = await ann.next()
        played.hear(ann, sent[0])
        assert await ann.next() == before

    for play in (dies, comes_back, again):
        on_table(file, play)


def test_a_wish_that_cannot_be_saved_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "table.db"

    async def play(played: Table) -> None:
        ben = played.join("Ben")
        before = kept(file)
        async with read_only(played, file):
            played.hear(ben, '{"wish": "stop"}')
            news = await ben.next()
            assert "cannot save at the moment" in news["error"]["message"]
            assert not news["end"]
        assert kept(file) == before
        played.hear(ben, '{"wish": "stop"}')
        assert (await ben.next())["end"]
        assert kept(file) != before

    on_table(file, play)


class Marks:
    """Leaves a mark when it is unpickled."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.mark,)


def test_a_file_cannot_name_code(tmp_path: Path) -> None:
    file, mark = tmp_path / "table.db", tmp_path / "mark"

    async def leave(played: Table) -> None:
        played.hear(played.join("Ben"), '{"wish": "stop"}')

    on_table(file, leave)
    rows = sqlite3.connect(file)
    with rows:
        rows.execute("UPDATE tables SET stops = ?", [pickle.dumps(Marks(mark))])
    rows.close()
    store = Store(file)
    with pytest.raises(SnapshotError, match="its row is damaged"):
        store.load()
    store.rows.close()
    assert not mark.exists()


def test_wishes_are_there_after_a_restart(tmp_path: Path) -> None:
    file, seen = tmp_path / "table.db", []

    async def wish(played: Table) -> None:
        ben = played.join("Ben")
        for word in ("stop", "wake"):
            played.hear(ben, json.dumps({"wish": word}))
        seen.append((played.saved.stops.dump(), await ben.next()))

    async def look(played: Table) -> None:
        seen.append((played.saved.stops.dump(), await played.join("Ben").next()))

    on_table(file, wish)
    on_table(file, look)
    assert seen[0] == seen[1]
    assert (seen[1][1]["end"], seen[1][1]["asleep"]) == (True, False)


def test_only_its_owner_may_read_the_file(tmp_path: Path) -> None:
    async def look(played: Table) -> None:
        files = sorted(tmp_path.iterdir())
        assert [file.name for file in files] == ["table.db", "table.db-shm", "table.db-wal"]
        assert {file.stat().st_mode & 0o077 for file in files} == {0}

    on_table(tmp_path / "table.db", look)


# the network --------------------------------------------------------------------------------------


class Visitor:
    """Somebody who knows the links, and the machine that they lead to."""

    def __init__(self, session: Any, played: Table, links: dict[str, str]) -> None:
        self.session, self.played, self.links = session, played, links
        parts = urlsplit(links["Ann"])
        self.host, self.port = parts.netloc, parts.port

    async def status(self, path: str, **headers: str) -> int:
        async with self.session.get(f"http://{self.host}{path}", headers=headers) as response:
            return int(response.status)

    def path(self, seat: str) -> str:
        return urlsplit(self.links[seat]).path

    def sits(self, seat: str, **headers: str) -> Any:
        return self.session.ws_connect(self.links[seat] + "/socket", headers=headers)

    async def upgrade(self, seat: str, **headers: str) -> int:
        """The answer to somebody who asks for a WebSocket with these headers."""
        key = base64.b64encode(bytes(16)).decode()
        asks = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13"}
        return await self.status(
            self.path(seat) + "/socket", **asks, **{"Sec-WebSocket-Key": key}, **headers
        )


def visited(file: Path, visit: Callable[[Visitor], Awaitable[None]]) -> None:
    """Visit a table that is served at a port of this machine."""
    aiohttp = package("aiohttp")
    from table.server import serving

    async def play(played: Table) -> None:
        async with serving(played, 0) as links, aiohttp.ClientSession() as session:
            await visit(Visitor(session, played, links))

    on_table(file, play)


def test_another_site_cannot_play_for_a_player(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        own = f"http://{who.host}"
        elsewhere = (
            "http://evil.example",
            "null",
            "",
            "http://127.0.0.1:1",
            f"https://{who.host}",
            f"{own}.evil",
        )
        for origin in elsewhere:
            assert await who.upgrade("Ann", Origin=origin) == 403
        assert await who.upgrade("Ann", Origin=own) == 101
        assert await who.upgrade("Ann", Origin=own.replace("127.0.0.1", "localhost")) == 403
        local = f"localhost:{who.port}"
        assert await who.upgrade("Ann", Host=local, Origin=f"http://{local}") == 101

    visited(tmp_path / "table.db", visit)


def test_a_script_that_has_the_link_needs_no_origin(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        assert await who.upgrade("Ann") == 101
        async with who.sits("Ben") as line:
            assert (await line.receive_json())["seat"] == "Ben"

    visited(tmp_path / "table.db", visit)


def test_a_name_that_leads_to_this_machine_is_not_enough(tmp_path: Path) -> None:
    """DNS rebinding: a stranger's page, whose name has come to mean 127.0.0.1, has the origin that
    it asks for.
    """

    async def visit(who: Visitor) -> None:
        rebound = f"evil.example:{who.port}"
        assert await who.status(who.path("Ann"), Host=rebound) == 403
        assert await who.upgrade("Ann", Host=rebound, Origin=f"http://{rebound}") == 403

    visited(tmp_path / "table.db", visit)


def test_only_the_secret_link_leads_to_a_seat(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        ann, ben = (who.path(seat) for seat in SEATS)
        secrets = [path.rpartition("/")[2] for path in (ann, ben)]
        assert await who.status(ann) == 200
        assert all(len(secret) > 40 for secret in secrets) and len(set(secrets)) == 2
        others = (f"/Ann/{secrets[1]}", f"/Eve/{secrets[0]}", "/Eve/x", "/Ann/%ff%00")
        for path in ("/Ann", "/Ann/", ann[:-1], ann + "x", *others):
            assert await who.status(path) == await who.status(path + "/socket") == 404
        assert await raw(
            who, b"GET /Ann/\xff\xfe HTTP/1.1\r\nHost: " + who.host.encode() + b"\r\n\r\n"
        ) in (400, 404)

    visited(tmp_path / "table.db", visit)


async def raw(who: Visitor, request: bytes) -> int:
    """The status of the answer to these bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", who.port)
    writer.write(request)
    status = int((await reader.readline()).split()[1])
    writer.close()
    await writer.wait_closed()
    return status


def test_links_stay_and_are_in_no_log_and_no_referrer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    paths = []

    async def visit(who: Visitor) -> None:
        paths.append([who.path(seat) for seat in SEATS])
        async with who.session.get(who.links["Ann"]) as response:
            assert response.headers["Referrer-Policy"] == "no-referrer"
            page = await response.text()
        async with who.sits("Ann") as line:
            first = json.dumps(await line.receive_json())
        await who.status("/Ann/x")
        for path in paths[0]:
            secret = path.rpartition("/")[2]
            assert secret not in caplog.text + page + first

    visited(tmp_path / "table.db", visit)
    visited(tmp_path / "table.db", visit)
    assert paths[0] == paths[1]


async def closing(line: Any) -> int:
    """The code with which the server closes the connection."""
    async for _ in line:
        pass
    return int(line.close_code)


def test_a_message_that_is_too_large_or_no_text_closes_the_connection(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        async with who.sits("Ann") as line:
            await line.send_str(" " * 4097)
            assert await closing(line) == 1009
        async with who.sits("Ann") as line:
            await line.send_bytes(b"{}")
            assert await closing(line) == 1003
        assert who.played.tabs == []

    visited(tmp_path / "table.db", visit)


ODD = [
    "[" * 4000,
    '{"a":' * 800,
    "9" * 4000,
    '{"number": 1e999',
    "null",
    "",
    '{"wish": {}}',
    '"\\ud800"',
    "NaN",
]


def test_odd_messages_are_refused_and_change_nothing(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        async with who.sits("Ann") as line:
            first = await line.receive_json()
            for text in ODD:
                await line.send_str(text)
                answered = await line.receive_json()
                assert answered.pop("error")["error"] == "AnswerError"
                assert answered == first
            deep = '{"is": "Answer", "orders": ' + "[" * 1500 + "]" * 1500 + "}"
            await line.send_str(f'{{"number": {first["number"]}, "answer": {deep}}}')
            assert (await line.receive_json())["error"]["message"].startswith("this is not ")

    visited(tmp_path / "table.db", visit)


@pytest.mark.parametrize("kind", ["text", "ping"])
def test_a_flood_is_cut_off_and_the_other_seat_is_served(kind: str, tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        async with who.sits("Ann") as flooder, who.sits("Ben") as ben:

            async def flood() -> None:
                with suppress(ConnectionError):
                    while not flooder.closed:
                        await (flooder.send_str("x" * 4000) if kind == "text" else flooder.ping())
                        await asyncio.sleep(0)  # the server runs in the same loop

            task = asyncio.create_task(flood())
            await ben.receive_json()
            for word in ("stop", "unstop"):
                await ben.send_json({"wish": word})
                assert (await ben.receive_json())["end"] == (word == "stop")
            assert await closing(flooder) == 1008
            await task
        assert who.played.tabs == []

    visited(tmp_path / "table.db", visit)


def test_a_tab_that_never_reads_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package("aiohttp")
    monkeypatch.setattr("table.server.PATIENCE", 0.1)

    async def visit(who: Visitor) -> None:
        who.played.saved.game.log.append("x" * 10_000_000)  # more than the system buffers
        with socket.socket() as mute:
            mute.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            mute.setblocking(False)
            await asyncio.get_running_loop().sock_connect(mute, ("127.0.0.1", who.port))
            mute.sendall(
                f"GET {who.path('Ann')}/socket HTTP/1.1\r\nHost: {who.host}\r\nConnection: Upgrade\r\n"
                "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                f"Sec-WebSocket-Key: {base64.b64encode(bytes(16)).decode()}\r\n\r\n".encode()
            )
            while not who.played.tabs:
                await asyncio.sleep(0.01)
            who.played.saved.game.log.clear()
            async with who.sits("Ben") as ben:
                assert (await ben.receive_json())["seat"] == "Ben"
                while len(who.played.tabs) == 2:
                    await asyncio.sleep(0.01)
                assert [tab.seat for tab in who.played.tabs] == ["Ben"]

    visited(tmp_path / "table.db", visit)


def test_a_seat_has_five_tabs_at_most(tmp_path: Path) -> None:
    async def visit(who: Visitor) -> None:
        lines = [await who.sits("Ann") for _ in range(5)]
        for line in lines:
            await line.receive_json()
        async with who.sits("Ann") as sixth:
            assert await closing(sixth) == 1013
        async with who.sits("Ben") as ben:
            assert (await ben.receive_json())["seat"] == "Ben"
        await lines.pop().close()
        async with who.sits("Ann") as fifth:
            assert (await fifth.receive_json())["seat"] == "Ann"
        for line in lines:
            await line.close()

    visited(tmp_path / "table.db", visit)
