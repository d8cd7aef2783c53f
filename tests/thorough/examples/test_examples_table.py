"""The table as its players use it: two tabs of a real browser, and a server that dies in the middle
of a turn.
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from table.table import Table

from support import processes
from support.explorerpage import chromium
from support.folders import EXAMPLES
from support.tools import package

SEATS = ("Ann", "Ben")
OPENING = [
    ("Ann", "Cast a spark"),
    ("Ann", "Pass"),
    ("Ben", "Cast a spark"),
    ("Ann", "Pass"),
    ("Ann", "Pass"),
    ("Ben", "Pass"),
    ("Ann", "Pass"),
    ("Ben", "Give up"),
]
"""Who clicks what."""


class Server:
    """The server, which can be killed and started again at the same port."""

    def __init__(self, file: Path) -> None:
        self.file, self.port = file, 0
        self.start()

    def start(self) -> None:
        place = ["--port", str(self.port), "--file", str(self.file)]
        self.opened = ExitStack()
        running = processes.started([sys.executable, "-m", "table", *place], cwd=EXAMPLES)
        self.process = self.opened.enter_context(running)
        self.links = {}
        for seat in SEATS:
            line = self.process.line()
            found = re.fullmatch(rf"{seat} sits at (http://127\.0\.0\.1:(\d+)/\S+)", line)
            assert found is not None
            self.links[seat], self.port = found[1], int(found[2])

    def kill(self) -> None:
        self.process.end(signal.SIGKILL)
        self.opened.close()

    def stored(self) -> tuple[int, Any, Any]:
        """What lies in the file: the count of answers, the turn, the cards."""
        table = Table(self.file)
        return table.game.number, table.game.fork().snapshot(), table.cards.shown()


class Game:
    """Two tabs and a server, and what goes wrong in the tabs."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.server, self.wrong = Server(file), list[str]()
        self.tabs = {seat: browser.new_page() for seat in SEATS}
        for seat, tab in self.tabs.items():
            tab.set_default_timeout(20_000)
            tab.on("pageerror", lambda error: self.wrong.append(str(error)))
            tab.goto(self.server.links[seat])

    def settled(self, seat: str) -> Any:
        """Wait until this seat is asked and both tabs show it. Return what is stored and shown."""
        self.tabs[seat].get_by_role("button").first.wait_for()
        number = self.server.stored()[0]
        parts = "[...document.querySelectorAll('h1, p, #sides, #buttons, #log, :checked')]"
        shown = parts + ".map(part => part.id + ' ' + part.innerText).join('|')"
        for tab in self.tabs.values():
            tab.wait_for_function("n => document.body.dataset.number == n", arg=number)
        return self.server.stored(), [tab.evaluate(shown) for tab in self.tabs.values()]

    def line(self, state: str) -> None:
        """Wait until both tabs know that the server is there, or that it is not."""
        for tab in self.tabs.values():
            tab.locator(f"#line{state}").wait_for()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    package("aiohttp")
    with chromium() as browser:
        game = Game(browser, tmp_path / "table.jsonl")
        yield game
        game.server.kill()
    assert game.wrong == []


def test_a_server_killed_before_every_click_loses_nothing(game: Game) -> None:
    """Every second click is made while there is no server."""
    for count, (seat, words) in enumerate(OPENING):
        button = game.tabs[seat].get_by_role("button", name=words, exact=True)
        before = game.settled(seat)
        game.server.kill()
        game.line(".off")
        if count % 2:
            button.click()
        game.server.start()
        game.line(":not(.off)")
        if count % 2 == 0:
            assert game.settled(seat) == before
            button.click()
    for tab in game.tabs.values():
        tab.get_by_text("The game is over").wait_for()
    assert game.server.stored()[2]["life"] == {"Ann": 9, "Ben": 9}
