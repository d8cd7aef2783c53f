"""The table as its players use it: two tabs of a real browser, and a server that dies in the middle
of a turn.
"""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

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
        with sqlite3.connect(self.file) as rows:
            [(number, turn, game)] = rows.execute("SELECT number, turn, game FROM tables")
        rows.close()
        return number, json.loads(turn), json.loads(game)


class Game:
    """Two tabs and a server, and what was seen and stored before each click."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.server, self.seen, self.wrong = Server(file), list[Any](), list[str]()
        self.tabs = {seat: browser.new_page() for seat in SEATS}
        for seat, tab in self.tabs.items():
            tab.set_default_timeout(20_000)
            tab.on("pageerror", lambda error: self.wrong.append(str(error)))
            tab.goto(self.server.links[seat])

    def play(self, click: Callable[[Game, int, Any], None]) -> list[Any]:
        """Play the opening; `click` does each click, and whatever else it likes."""
        for count, (seat, words) in enumerate(OPENING):
            self.settle(seat)
            click(self, count, self.tabs[seat].get_by_role("button", name=words, exact=True))
        for tab in self.tabs.values():
            tab.get_by_text("The game is over").wait_for()
        self.note()
        return self.seen

    def settle(self, seat: str) -> None:
        """Wait until this seat is asked and both tabs show it, and note what there is."""
        self.tabs[seat].get_by_role("button").first.wait_for()
        number = int(self.tabs[seat].evaluate("document.body.dataset.number"))
        for tab in self.tabs.values():
            tab.wait_for_function("n => document.body.dataset.number == n", arg=number)
        self.note()
        assert number == self.server.stored()[0]

    def note(self) -> None:
        parts = "[...document.querySelectorAll('h1, p, #sides, #buttons, #log, :checked')]"
        shown = parts + ".map(part => part.id + ' ' + part.innerText).join('|')"
        self.seen.append(
            (self.server.stored(), [tab.evaluate(shown) for tab in self.tabs.values()])
        )

    def line(self, state: str) -> None:
        """Wait until both tabs know that the server is there, or that it is not."""
        for tab in self.tabs.values():
            tab.locator(f"#line{state}").wait_for()

    def close(self) -> None:
        for tab in self.tabs.values():
            tab.close()
        self.server.kill()
        assert self.wrong == []


@pytest.fixture
def browser() -> Iterator[Any]:
    package("aiohttp")
    with chromium() as program:
        yield program


def undisturbed(game: Game, count: int, button: Any) -> None:
    button.click()


def killed(game: Game, count: int, button: Any) -> None:
    """Kill the server before every click. Every second click is made while there is no server."""
    seat = OPENING[count][0]
    before = game.seen[-1]
    game.server.kill()
    game.line(".off")
    if count % 2:
        button.click()
    game.server.start()
    game.line(":not(.off)")
    if count % 2 == 0:
        game.settle(seat)
        assert game.seen.pop() == before
        button.click()


def test_a_server_killed_before_every_click_loses_nothing(browser: Any, tmp_path: Path) -> None:
    seen = []
    for click in (undisturbed, killed):
        game = Game(browser, tmp_path / f"{click.__name__}.db")
        seen.append(game.play(click))
        game.close()
    assert seen[1] == seen[0]


def test_what_lies_in_the_file_is_shown_as_text(browser: Any, tmp_path: Path) -> None:
    game, markup = Game(browser, tmp_path / "table.db"), "<img src=x onerror=alert(1)>"
    game.settle("Ann")
    game.server.kill()
    with sqlite3.connect(game.server.file) as rows:
        rows.execute("UPDATE tables SET game = json_set(game, '$.log', json_array(?))", [markup])
    rows.close()
    game.server.start()
    for tab in game.tabs.values():
        tab.get_by_text(markup).wait_for()
        assert tab.locator("img").count() == 0
    game.close()


def test_a_file_of_something_else_is_told_in_one_line(tmp_path: Path) -> None:
    package("aiohttp")
    file = tmp_path / "table.db"
    file.write_text("not a database " * 100)
    command = [sys.executable, "-m", "table", "--port", "0", "--file", str(file)]
    done = processes.run(command, cwd=EXAMPLES)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"table: the table in {file} cannot be served: file is not a database\n"
