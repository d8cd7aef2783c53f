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
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from support import processes
from support.explorerpage import chromium
from support.folders import EXAMPLES
from support.tools import missing, package, tool

PATIENCE = 20_000
"""Milliseconds that a page may take until it shows what it should."""
SEATS = ("Ann", "Ben")


class Server:
    """The server, which can be killed and started again."""

    def __init__(self, file: Path) -> None:
        self.port = 0  # any that is free; started again, the server takes the same one, where its tabs look for it
        self.file, self.log = file, file.with_suffix(".log")
        self.start()

    def start(self) -> None:
        command = [
            sys.executable,
            "-m",
            "table",
            "--port",
            str(self.port),
            "--file",
            str(self.file),
        ]
        self.opened = ExitStack()
        with self.log.open("a") as log:
            running = processes.started(command, cwd=EXAMPLES, stderr=log)
            self.process = self.opened.enter_context(running)
        self.links = {}
        for seat in SEATS:
            line = self.process.line()
            found = re.fullmatch(
                rf"{seat} sits at (http://127\.0\.0\.1:(\d+)/{seat}/[\w-]{{43}})", line
            )
            assert found is not None
            self.links[seat], self.port = found[1], int(found[2])

    def kill(self) -> None:
        self.process.end(signal.SIGKILL)
        self.opened.close()

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
        self.page.goto(server.links[seat])

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
        """Tick a box, and wait until the server has saved that it is so."""
        box = self.page.get_by_label(words)
        box.check()
        self.page.wait_for_function("box => box.checked && !box.disabled", arg=box.element_handle())

    def text(self) -> str:
        """All that the player can read, but for the state of the line."""
        parts = "[...document.querySelectorAll('h1, p, #sides, #buttons, #log, :checked')]"
        return str(
            self.page.evaluate(parts + ".map(part => part.id + ' ' + part.innerText).join('|')")
        )


OPENING = [
    ("Ann", "Cast a spark"),
    ("Ann", "Pass"),
    ("Ben", "Cast a spark"),
    ("Ann", "Pass"),
    ("Ann", "Pass"),
    ("Ben", "Pass"),
    ("Ann", "Pass"),
    ("Ben", "Pass"),
    ("Ann", "Attack"),
    ("Ann", "Pass"),
    ("Ben", "Pass"),
    ("Ben", "Pass"),
    ("Ben", "Do not attack"),
    ("Ben", "Give up"),
]
"""Who clicks what. Ben, who has asked for it, has priority in Ann's end step before his own turn
begins.
"""


class Game:
    """Two tabs and a server, and what was seen and saved before each click."""

    def __init__(self, browser: Any, file: Path) -> None:
        self.server = Server(file)
        self.tabs = {seat: Tab(browser, self.server, seat) for seat in SEATS}
        self.logged = ""
        self.seen: list[Any] = []

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
        assert self.server.log.read_text() == self.logged


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
    "[1]": 'send an object with "is": "Answer"',
}


@pytest.fixture
def browser() -> Iterator[Any]:
    package("aiohttp")
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


@contextmanager
def no_space_left(folder: Path) -> Iterator[None]:
    """Nothing more fits on the disk."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        while True:
            file.write(bytes(4096))
    yield
    filler.unlink()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 300 kB in memory. What a server logs goes elsewhere."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = processes.run([tool("mount"), "-t", "tmpfs", "-o", "size=300k", "tmpfs", disk])
    if mounted.returncode:
        pytest.skip("only root may mount a disk")
    (disk / "table.log").symlink_to(tmp_path / "table.log")
    yield disk
    processes.run([tool("umount"), "--lazy", disk], check=True)


def test_a_full_disk_is_told_and_the_game_goes_on_when_there_is_room(
    browser: Any, small_disk: Path
) -> None:
    game = Game(browser, small_disk / "table.db")
    game.logged = "The server cannot save at the moment (database or disk is full).\n"
    stays_unsaved(game, lambda: no_space_left(small_disk))


def test_a_file_that_may_not_grow_is_told_and_the_game_goes_on_when_it_may(
    browser: Any, tmp_path: Path
) -> None:
    """As on a full disk, where nobody is root."""
    resource = package("resource")
    if not hasattr(resource, "prlimit"):
        missing("prlimit")

    @contextmanager
    def no_growth() -> Iterator[None]:
        size = (tmp_path / "table.db-wal").stat().st_size
        before = resource.prlimit(game.server.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(game.server.process.pid, resource.RLIMIT_FSIZE, (size, before[1]))
        yield
        resource.prlimit(game.server.process.pid, resource.RLIMIT_FSIZE, before)

    game = Game(browser, tmp_path / "table.db")
    game.logged = "The server cannot save at the moment (disk I/O error).\n"
    stays_unsaved(game, no_growth)


def stays_unsaved(game: Game, unwritable: Callable[[], Any]) -> None:
    """Meanwhile all tabs say so and show what is saved; afterwards the game goes on."""
    words = game.logged.strip()
    try:
        ann, ben = game.tabs.values()
        game.settle("Ann")
        before = game.seen[-1]
        with unwritable():
            ann.click("Cast a spark")
            for tab in (ann, ben):
                tab.page.get_by_text(words).wait_for()
            assert game.server.saved() == before[0]
            assert re.sub(r"trouble [^|]*", "trouble ", ben.text()) == before[1][1]
            assert ann.page.get_by_text("casts a spark").count() == 0
        ann.page.get_by_text("Ann casts a spark").wait_for()
        game.settle("Ann")
        assert game.server.saved()[2]["stack"] == ["Ann"]
        for tab in (ann, ben):
            assert tab.page.get_by_text(words).count() == 0
    finally:
        game.close()


def test_a_log_is_shown_as_text(browser: Any, tmp_path: Path) -> None:
    """Whatever lies in the file is no part of the page."""
    game, markup = Game(browser, tmp_path / "table.db"), "<img src=x onerror=alert(1)>"
    try:
        game.settle("Ann")
        game.server.kill()
        with sqlite3.connect(game.server.file) as rows:
            rows.execute(
                "UPDATE tables SET game = json_set(game, '$.log', json_array(?))", [markup]
            )
        rows.close()
        game.server.start()
        for tab in game.tabs.values():
            tab.page.get_by_text(markup).wait_for()
            assert tab.page.locator("img").count() == 0
    finally:
        game.close()


def test_a_file_of_something_else_is_told_in_one_line(tmp_path: Path) -> None:
    package("aiohttp")
    file = tmp_path / "table.db"
    file.write_text("not a database " * 100)
    command = [sys.executable, "-m", "table", "--port", "0", "--file", str(file)]
    done = processes.run(command, cwd=EXAMPLES)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"table: the table in {file} cannot be served: file is not a database\n"
