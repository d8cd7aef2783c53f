"""The inspector in a real browser: games that go on, a program that is killed, keys, a phone."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import TurnController, inspect
from fsm.views.inspector import Inspector
from support.explorerpage import DESKTOP, PHONE, chromium
from support.playing import quiet
from support.processes import Process, started
from support.tools import package

LONG = 20_000
"""Milliseconds that anything on the page may take to appear."""

PROGRAM = """
import sys, time
import fsm

games = [fsm.TurnController(fsm.load("magic"), players) for players in (["Ann", "Ben"], ["Cleo", "Dan"])]
inspector = fsm.inspect(*games, names=["one", "two"])
print(inspector.address, flush=True)
while True:
    for game in games:
        game.answer(game.request.quiet())
    time.sleep(1 / 1000)
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@contextmanager
def visit(
    browser: Any, address: str, wrong: list[str] | None = None, **context: Any
) -> Iterator[Any]:
    """The page at this address. Nothing may go wrong on it, and nothing may be asked for elsewhere."""
    opened = browser.new_context(**(context or DESKTOP))
    page, heard, asked = opened.new_page(), list[str](), set[str]()
    page.set_default_timeout(LONG)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on(
        "console", lambda message: heard.append(message.text) if message.type == "error" else None
    )
    page.on("request", lambda request: asked.add(request.url))
    page.goto(address)
    page.wait_for_selector("#now b")
    yield page
    opened.close()
    assert (heard if wrong is None else []) == []
    assert all(url.startswith(address) for url in asked if not url.startswith("data:"))


@contextmanager
def program() -> Iterator[tuple[Process, str]]:
    """A program with two games."""
    with started([sys.executable, "-c", PROGRAM]) as process:
        yield process, process.line()


def played(answers: int) -> TurnController:
    game = TurnController(fsm.load("magic"), ("Alice", "Bob"))
    for _ in range(answers):
        game.answer(quiet(game.request))
    return game


@pytest.fixture
def still() -> Iterator[tuple[TurnController, Inspector]]:
    """A game that waits."""
    game = played(100)
    with inspect(game, control=True) as inspector:
        yield game, inspector


def at(page: Any) -> int:
    return int(page.get_attribute("#slider", "aria-valuenow"))


def wait_for(page: Any, number: int) -> None:
    page.wait_for_selector(f"#slider[aria-valuenow='{number}']", state="attached")


def test_two_games_with_a_thousand_answers_a_second(browser: Any) -> None:
    with program() as (_, address), visit(browser, address) as page:
        assert page.locator(".game b").all_inner_texts() == ["one", "two"]
        first = at(page)
        page.wait_for_function(
            f"() => Number(document.getElementById('slider').ariaValueNow) > {first + 300}"
        )
        assert "Live" in page.inner_text("#pill")
        page.click("text=two")
        page.wait_for_selector(".game[aria-current] >> text=two")
        page.wait_for_selector("#now >> text=/Cleo|Dan/")
        page.click("#follow")
        page.wait_for_selector("#pill.paused")
        stopped = at(page)
        page.wait_for_function(
            "() => /Live: .* [0-9,]{3,} answers later/.test(document.getElementById('behind').textContent)"
        )
        assert at(page) == stopped
        page.click("text=Back to live")
        page.wait_for_function(
            f"() => Number(document.getElementById('slider').ariaValueNow) > {stopped + 100}"
        )


def test_a_program_that_is_killed(browser: Any) -> None:
    with program() as (process, address), visit(browser, address, []) as page:
        page.wait_for_selector("#slider[aria-valuenow]", state="attached")
        process.end()
        page.wait_for_selector("#pill.stopped")
        assert "Stopped: the program ended" in " ".join(page.inner_text("#pill").split())
        assert page.inner_text("#now b") and page.locator("#log tbody tr").count()
        page.click("#export")
        with page.expect_download() as saved:
            page.click("text=What the page has seen")
        assert '"answers"' in Path(saved.value.path()).read_text(encoding="utf-8")


def test_every_moment_is_reached_with_keys(
    browser: Any, still: tuple[TurnController, Inspector]
) -> None:
    with visit(browser, still[1].address) as page:
        wait_for(page, 100)
        page.focus("#slider")
        page.keyboard.press("ArrowLeft")
        wait_for(page, 99)
        page.keyboard.press("PageDown")
        wait_for(page, 48)
        assert "turn 2, Untap" in page.get_attribute("#slider", "aria-valuetext")
        assert page.inner_text("#when").lower() == "then, at answer 48"
        page.keyboard.press("Home")
        wait_for(page, 0)
        page.keyboard.press("ArrowRight")
        wait_for(page, 1)
        page.keyboard.press("End")
        wait_for(page, 100)
        page.click("#follow")
        page.wait_for_selector("#pill:not(.paused)")


def test_a_step_of_the_timeline_leads_there(
    browser: Any, still: tuple[TurnController, Inspector]
) -> None:
    with visit(browser, still[1].address) as page:
        page.click(".cell[aria-label='Declare attackers'] >> nth=0")
        page.wait_for_selector("#now >> text=Declare attackers")
        assert page.locator("[data-part].here[aria-current=step]").count() == 1
        assert page.locator("[data-part].elsewhere").count() == 1
        assert page.locator(".way.taken").count() == 1
        page.click("#log tr[data-at] >> nth=1")
        page.wait_for_selector("#log tr.current")


def test_with_control_a_click_answers(
    browser: Any, still: tuple[TurnController, Inspector]
) -> None:
    game, inspector = still
    with visit(browser, inspector.address) as page:
        assert "Control is on" in page.inner_text("#access")
        page.click("button.way")
        wait_for(page, 101)
    assert game.number == 101


def test_what_is_saved_can_be_played_again(
    browser: Any, still: tuple[TurnController, Inspector], tmp_path: Path
) -> None:
    with visit(browser, still[1].address) as page:
        page.click("#export")
        with page.expect_download() as saved:
            page.click("text=Trace up to here")
        lines = Path(saved.value.path()).read_text(encoding="utf-8").splitlines()
    assert fsm.Trace.read(lines).replay(still[0].model).number == 100


def test_help_rule_numbers_and_a_copied_test(
    browser: Any, still: tuple[TurnController, Inspector]
) -> None:
    _, inspector = still
    with visit(
        browser, inspector.address, permissions=["clipboard-read", "clipboard-write"], **DESKTOP
    ) as page:
        assert page.locator(".way i").first.is_visible()
        page.click("#legend")
        assert "can happen next" in page.inner_text("#menu")
        page.keyboard.press("Escape")
        assert not page.locator("#menu").is_visible()
        page.click("#help")
        page.get_by_role("button", name="Rule numbers").click()
        assert not page.locator(".way i").first.is_visible()
        page.click("#export")
        page.get_by_role("button", name="Copy as a test").click()
        page.wait_for_selector("#told >> text=Copied")
        assert "def test_the_game_goes_as_it_did():" in page.evaluate(
            "navigator.clipboard.readText()"
        )
        assert "Conditions last asked" in page.locator("#plans h2").all_text_contents()


def test_a_recorded_game_is_played(browser: Any) -> None:
    with inspect(played(60).trace) as inspector, visit(browser, inspector.address) as page:
        page.wait_for_selector("#pill.replay")
        wait_for(page, 0)
        page.click("#follow")
        page.wait_for_function("() => Number(document.getElementById('slider').ariaValueNow) > 3")


@pytest.mark.parametrize(
    "size", [{"viewport": {"width": 1366, "height": 768}}, PHONE], ids=["desk", "phone"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_leaves_the_window(
    browser: Any, still: tuple[TurnController, Inspector], size: dict[str, Any], scheme: str
) -> None:
    with visit(browser, still[1].address, color_scheme=scheme, **size) as page:
        width, height = size["viewport"]["width"], size["viewport"]["height"]
        assert page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        ) == [
            width,
            height,
        ]
        for part in ("#now", "#map svg", "#slider", "#follow"):
            box = page.locator(part).bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width + 1
            assert box["y"] >= 0 and box["y"] + box["height"] <= height + 1


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(
    browser: Any, still: tuple[TurnController, Inspector], size: dict[str, Any], scheme: str
) -> None:
    axe = package("axe_playwright_python.sync_playwright").Axe()
    with visit(browser, still[1].address, color_scheme=scheme, **size) as page:
        found = axe.run(page).response["violations"]
        page.click("#back")
        page.wait_for_selector("#pill.paused")
        page.click("#export")
        found += axe.run(page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_the_tabs_of_a_phone(browser: Any, still: tuple[TurnController, Inspector]) -> None:
    with visit(browser, still[1].address, **PHONE) as page:
        for tab, part in (
            ("Timeline", "#timeline"),
            ("Answers", "#log"),
            ("Agenda", "#plans"),
            ("Map", "#map svg"),
        ):
            page.click(f"[role=tab] >> text={tab}")
            assert page.is_visible(part)
