"""The page of a running game in a browser: it follows, it can be left and followed again, and what
it saw can be copied.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import fsm
from fsm import scenarios
from support.explorerpage import DESKTOP, PHONE, SHORT, violations
from support.hostile import NASTY


@contextmanager
def visit(browser: Any, address: str, *, dies: bool = False, **context: Any) -> Iterator[Any]:
    """The page at this address. Nothing may go wrong on it, nothing may be asked for elsewhere."""
    allowed = ["clipboard-read", "clipboard-write"]
    opened = browser.new_context(permissions=allowed, **(context or DESKTOP))
    page, wrong, asked = opened.new_page(), list[str](), set[str]()
    page.set_default_timeout(2 * SHORT)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.add(request.url))
    page.goto(address)
    page.wait_for_selector("html[data-ready]", state="attached")
    yield page
    opened.close()
    assert dies or wrong == []
    assert all(url.startswith(address) for url in asked)


def game_of(*players: str, **more: Any) -> fsm.TurnController:
    return fsm.TurnController("magic", players, **more)


def play(game: fsm.TurnController, until: int) -> None:
    fsm.drive(game, fsm.BaseHost(), until=lambda request: game.number >= until)


def copy(page: Any, button: str) -> str:
    """What this button copies."""
    page.evaluate("document.getElementById('live').textContent = ''")
    page.click("#othergames")
    page.click(f"#{button}")
    page.locator("#live", has_text="Copied").wait_for(state="attached")
    return str(page.evaluate("navigator.clipboard.readText()"))


def test_it_follows_and_can_be_left_and_followed_again(browser: Any) -> None:
    game = game_of("Ann", "Ben")
    with fsm.inspect(game) as shown, visit(browser, shown.address, dies=True) as page:
        page.wait_for_selector("text=You are watching a running game")
        play(game, 60)
        page.locator("#now").filter(has_text="Turn 2").wait_for()
        page.click("#undo")
        page.wait_for_selector("#watch >> text=after 60 answers")
        play(game, 90)
        page.wait_for_selector("#watch >> text=after 90 answers")
        assert "Turn 2" in page.inner_text("#now")
        page.click("#follow")
        page.wait_for_selector("text=You are watching a running game")
        shown.close()
        page.wait_for_selector("text=The program has ended")


def test_a_game_is_shown_from_where_it_stands(browser: Any) -> None:
    game = game_of("Ann", "Ben")
    play(game, 60)
    with fsm.inspect(game) as shown, visit(browser, shown.address) as page:
        page.locator("#now").filter(has_text="Turn 2").wait_for()
        page.click("#pathheld > summary")
        assert "Turn 2" in page.inner_text("#path")


@pytest.mark.parametrize("trace", [True, False])
def test_what_is_copied_plays_again_whoever_plays(browser: Any, trace: bool) -> None:
    names = [name for name in NASTY if 0 < len(name) < 60][:2]
    game = game_of(*names, trace=trace)
    play(game, 30)
    game.order(fsm.AddTurn(names[1]), fsm.SkipStep("draw", names[0]))
    with fsm.inspect(game) as shown, visit(browser, shown.address) as page:
        play(game, 70)
        page.locator("#now").filter(has_text="Turn 2").wait_for()
        copied = copy(page, "copytest")
        if not trace:
            page.click("#othergames")
            page.click("#copyscenario")
            page.locator("#problem >> text=does not know how this game began").wait_for()
        else:
            scenario = json.loads(copy(page, "copyscenario"))
    found: dict[str, Any] = {}
    exec(copied, found)
    found["test_the_game_goes_as_it_did"]()
    found["GAME"]["place"][0] += 1
    with pytest.raises(AssertionError):
        found["test_the_game_goes_as_it_did"]()
    if trace:
        assert [item["do"] for item in scenario["given"]] == ["add_turn", "skip_step"]
        assert scenarios.play(scenarios.load(scenario, place="copied")[0]).failures == []


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
def test_it_fits_the_window_and_axe_finds_nothing(browser: Any, size: dict[str, Any]) -> None:
    with fsm.inspect(game_of("Ann", "Ben")) as shown, visit(browser, shown.address, **size) as page:
        page.wait_for_selector("text=You are watching a running game")
        for part in ("#now", "#watch", "#step"):
            box = page.locator(part).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= size["viewport"]["width"] + 1
        assert violations(page) == []
