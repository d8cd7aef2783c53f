"""The inspector in a browser: games that go on, a program that is killed, keys, a phone, a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import fsm
from support import processes
from support.explorerpage import DESKTOP, PHONE, violations

LONG = 20_000
"""Milliseconds that anything on the page may take to appear."""
PROGRAM = """
import time
import fsm

games = [fsm.TurnController("magic", players) for players in (["Ann", "Ben"], ["Cleo", "Dan"])]
inspector = fsm.inspect(*games, names=["one", "two"])
print(inspector.address, flush=True)
while True:
    for game in games:
        game.answer(game.request.quiet())
    time.sleep(1 / 1000)
"""


@contextmanager
def visit(browser: Any, address: str, *, dies: bool = False, **context: Any) -> Iterator[Any]:
    """The page at this address. Nothing may go wrong on it, nothing may be asked for elsewhere."""
    opened = browser.new_context(**(context or DESKTOP))
    page, wrong, asked = opened.new_page(), list[str](), set[str]()
    page.set_default_timeout(LONG)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.add(request.url))
    page.goto(address)
    page.wait_for_selector("#now b")
    yield page
    opened.close()
    assert dies or wrong == []
    assert all(url.startswith((address, "data:")) for url in asked)


@pytest.fixture
def game() -> fsm.TurnController:
    game = fsm.TurnController("magic", ["Alice", "Bob"], trace=True)
    for request in game:
        if game.number == 100:
            break
        game.answer(request.quiet())
    return game


@pytest.fixture
def address(game: fsm.TurnController) -> Iterator[str]:
    """Of a game that waits."""
    with fsm.inspect(game) as inspector:
        yield inspector.address


def at(page: Any) -> int:
    return int(page.get_attribute("#slider", "aria-valuenow"))


def wait_for(page: Any, number: int) -> None:
    page.wait_for_selector(f"#slider[aria-valuenow='{number}']", state="attached")


def test_running_games_are_followed_until_their_program_ends(browser: Any) -> None:
    with (
        processes.started([sys.executable, "-c", PROGRAM]) as process,
        visit(browser, process.line(), dies=True) as page,
    ):
        assert page.locator(".game b").all_inner_texts() == ["one", "two"]
        more = f"() => Number(document.getElementById('slider').ariaValueNow) > {at(page) + 300}"
        page.wait_for_function(more)
        page.click("text=two")
        page.wait_for_selector("#now >> text=/Cleo|Dan/")
        page.click("#follow")
        page.wait_for_selector("#pill.paused")
        stopped = at(page)
        page.wait_for_function("() => /answers later/.test(document.body.textContent)")
        assert at(page) == stopped
        process.end()
        page.wait_for_selector("#pill.stopped")
        assert page.inner_text("#now b") and page.locator("#log tbody tr").count()


def test_every_moment_is_reached_with_keys_and_by_the_timeline(browser: Any, address: str) -> None:
    with visit(browser, address) as page:
        wait_for(page, 100)
        page.focus("#slider")
        for key, number in (("ArrowLeft", 99), ("Home", 0), ("ArrowRight", 1), ("End", 100)):
            page.keyboard.press(key)
            wait_for(page, number)
        page.click(".cell[aria-label='Declare attackers'] >> nth=0")
        page.wait_for_selector("#now >> text=Declare attackers")
        assert page.locator("[data-part].here[aria-current=step]").count() == 1


def test_what_is_saved_or_copied_can_be_played_again(
    browser: Any, address: str, game: fsm.TurnController
) -> None:
    allowed = ["clipboard-read", "clipboard-write"]
    with visit(browser, address, permissions=allowed, **DESKTOP) as page:
        page.click("#export")
        with page.expect_download() as saved:
            page.click("text=Trace up to here")
        lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
        page.click("#export")
        page.get_by_role("button", name="Copy as a test").click()
        page.wait_for_selector("#told >> text=Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
    assert fsm.Trace.read(lines).replay(game.model).number == 100
    found: dict[str, Any] = {}
    exec(copied, found)
    found["test_the_game_goes_as_it_did"]()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_it_fits_the_window_and_axe_finds_nothing(
    browser: Any, address: str, size: dict[str, Any], scheme: str
) -> None:
    with visit(browser, address, color_scheme=scheme, **size) as page:
        width, height = size["viewport"]["width"], size["viewport"]["height"]
        for part in ("#now", "#map svg", "#slider", "#follow"):
            box = page.locator(part).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1
        assert violations(page) == []
