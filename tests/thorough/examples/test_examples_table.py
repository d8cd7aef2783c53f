"""The table as its players use it: two tabs of a real browser, and a server that dies in the middle of a turn."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from table.store import Store
from table.table import Table

from support.explorerpage import chromium
from support.folders import EXAMPLES
from support.tools import missing

try:
    import aiohttp  # noqa: F401
except ImportError:
    HAS_AIOHTTP = False
else:
    HAS_AIOHTTP = True

PATIENCE = 20_000
"""Milliseconds that a page may take until it shows what it should."""


class Server:
    """The server, which can be killed and started again."""

    def __init__(self, file: Path) -> None:
        self.port = 0  # any that is free; started again, the server takes the same one, where its tabs look for it
        self.file, self.log = file, file.with_suffix(".log")
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "table", "--port", str(self.port), "--file", str(self.file)]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(command, cwd=EXAMPLES, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.process.stdout is not None
        found = re.fullmatch(r"Ann sits at http://127\.0\.0\.1:(\d+)/Ann\n", self.process.stdout.readline())
        assert found is not None
        self.port = int(found[1])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()

    def saved(self) -> tuple[int, Any, Any]:
        """What lies in the file: the count of answers, the turn, the cards."""
        with sqlite3.connect(self.file) as rows:
            [(number, turn, game)] = rows.execute("SELECT number, turn, game FROM tables")
        rows.close()
        return number, json.loads(turn), json.loads(game)


class Tab:
    """One player's tab."""

    def __init__(self, browser: Any, server: Server, seat: str) -> None:
        self.page = browser.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(f"http://127.0.0.1:{server.port}/{seat}")

    def click(self, words: str) -> None:
        self.page.get_by_role("button", name=words, exact=True).click()

    def knows(self, number: int) -> None:
        """Wait until the tab has heard of so many answers."""
        self.page.wait_for_function("number => document.body.dataset.number == number", arg=number)

    def asked(self) -> int:
        """Wait until this player is to decide, and say after how many answers."""
        self.page.get_by_role("button").first.wait_for()
        return int(self.page.evaluate("document.body.dataset.number"))

    def connected(self, connected: bool = True) -> None:
        self.page.locator("#line" + (":not(.off)" if connected else ".off")).wait_for()

    def wish(self, words: str) -> None:
        """Tick a box; the server's word that it is so comes back with the next view."""
        self.page.get_by_label(words).check()

    def text(self) -> str:
        """All that the player can read, but for the state of the line."""
        parts = "[...document.querySelectorAll('h1, p, #sides, #buttons, #log, :checked')]"
        return str(self.page.evaluate(parts + ".map(part => part.id + ' ' + part.innerText).join('|')"))


OPENING = [
    ("Ann", "Cast a spark"), ("Ann", "Pass"), ("Ben", "Cast a spark"), ("Ann", "Pass"), ("Ann", "Pass"),
    ("Ben", "Pass"), ("Ann", "Pass"), ("Ben", "Pass"), ("Ann", "Attack"), ("Ann", "Pass"), ("Ben", "Pass"),
    ("Ben", "Pass"), ("Ben", "Do not attack"), ("Ben", "Give up"),
]
"""Who clicks what. Ben, who has asked for it, has priority in Ann's end step before his own turn begins."""


class Game:
    """Two tabs and a server, and what was seen and saved before each click."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.server = Server(file)
        self.tabs = {seat: Tab(browser, self.server, seat) for seat in ("Ann", "Ben")}
        self.seen: list[object] = []

    def play(self, click: Callable[[int, Game, str, str], None]) -> list[object]:
        """Play the opening; `click` does each click, and whatever else it likes."""
        self.tabs["Ann"].asked()
        self.tabs["Ben"].wish("but always ask")
        for count, (seat, words) in enumerate(OPENING):
            self.settle(seat)
            click(count, self, seat, words)
        for tab in self.tabs.values():
            tab.page.get_by_text("The game is over").wait_for()
        self.note()
        return self.seen

    def settle(self, seat: str) -> None:
        """Wait until this seat is asked and both tabs show it, and note what there is."""
        number = self.tabs[seat].asked()
        assert number == self.server.saved()[0]
        for tab in self.tabs.values():
            tab.knows(number)
        self.note()

    def note(self) -> None:
        self.seen.append((self.server.saved(), [tab.text() for tab in self.tabs.values()]))

    def close(self) -> None:
        for tab in self.tabs.values():
            tab.page.close()
        self.server.kill()
        assert [tab.wrong for tab in self.tabs.values()] == [[], []]
        assert self.server.log.read_text() == ""


def undisturbed(count: int, game: Game, seat: str, words: str) -> None:
    """Nothing else happens."""
    game.tabs[seat].click(words)


def killed(count: int, game: Game, seat: str, words: str) -> None:
    """The server is killed before every click; every second click is made while there is no server."""
    before = game.seen[-1]
    game.server.kill()
    for tab in game.tabs.values():
        tab.connected(False)
    assert game.seen[-1] == (game.server.saved(), [tab.text() for tab in game.tabs.values()])
    if count % 2:
        game.tabs[seat].click(words)
    game.server.start()
    for tab in game.tabs.values():
        tab.connected()
    if count % 2 == 0:
        game.settle(seat)
        assert game.seen.pop() == before
        game.tabs[seat].click(words)


REFUSED = {
    '{"is": "Answer", "word": "passed", "orders": [{"is": "AddTurn", "player": "Ann"}]}': "a player orders no turns",
    '{"is": "Answer", "word": "passed", "signal": {"is": "Signal", "event": "end_turn"}}': "signals no more",
    '{"is": "Answer", "word": "done"}': "'done' does not answer a Priority",
    '{"is": "Answer", "wrod": "passed"}': "Answer has no field 'wrod'",
    '[1]': "send an object with \"is\": \"Answer\"",
}


@pytest.fixture
def browser() -> Iterator[Any]:
    if not HAS_AIOHTTP:
        missing("the Python package 'aiohttp'")
    with chromium() as program:
        yield program


def test_a_server_killed_before_every_click_loses_nothing(browser: Any, tmp_path: Path) -> None:
    seen = []
    for name, click in (("calm", undisturbed), ("killed", killed)):
        game = Game(browser, tmp_path / f"{name}.db")
        try:
            seen.append(game.play(click))
        finally:
            game.close()
    assert seen[1] == seen[0]


def test_an_answer_that_is_sent_again_counts_once(browser: Any, tmp_path: Path) -> None:
    game = Game(browser, tmp_path / "table.db")
    try:
        game.tabs["Ann"].asked()
        game.tabs["Ann"].page.evaluate(
            "() => { send(answer('acted')); for (let n = 0; n < 5; n++) line.send(JSON.stringify(pending)); }"
        )
        game.settle("Ann")
        game.tabs["Ann"].click("Pass")
        game.settle("Ben")
        _, _, cards = game.server.saved()
        assert cards["stack"] == ["Ann"]
    finally:
        game.close()


def test_two_answers_in_one_moment_count_once(tmp_path: Path) -> None:
    """Before the table has had time to take the first in."""

    async def answers() -> list[str]:
        table, sent = Table(Store(tmp_path / "table.db")), list[dict[str, Any]]()
        running = asyncio.create_task(table.run())
        await asyncio.sleep(0)
        table.join("Ann", sent.append)
        assert table.asked == "Ann"
        message = json.dumps({"number": sent[-1]["number"], "answer": {"is": "Answer", "word": "acted"}})
        table.hear("Ann", sent.append, message)
        table.hear("Ann", sent.append, message)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        running.cancel()
        table.store.rows.close()
        return table.saved.game.stack

    assert asyncio.run(answers()) == ["Ann"]


def test_what_a_tab_may_not_say_is_refused(browser: Any, tmp_path: Path) -> None:
    game = Game(browser, tmp_path / "table.db")
    try:
        game.tabs["Ann"].asked()
        for answer, sentence in REFUSED.items():
            game.tabs["Ann"].page.evaluate("answer => send(JSON.parse(answer))", answer)
            game.tabs["Ann"].page.get_by_text(sentence).wait_for()
        game.tabs["Ben"].page.evaluate("send({is: 'Answer', word: 'passed'})")
        game.settle("Ann")
        assert game.server.saved()[0] == game.tabs["Ann"].asked()
    finally:
        game.close()
