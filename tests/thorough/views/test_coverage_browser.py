"""The coverage page, used as people use it: filter, map, address, print, and a way that opens in
the explorer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.coverage import collecting, context
from fsm.coverage.reports import report_asked, results_of, written
from support.explorerpage import CONTRASTS, DESKTOP, PHONE, Visitor, chromium
from support.tools import package
from support.wanderer import Wanderer


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of some games of Magic, with its explorer page beside it."""
    model, path = fsm.load("magic"), tmp_path_factory.mktemp("coverage") / "cover.html"
    with collecting() as session, context("test_games"):
        list(Wanderer(model, 3).games(1500))
    found = results_of(session.data, [("magic", model)], ["states", "transitions", "rules"])
    for name, text in written(found, [report_asked(f"html:{path}")]).items():
        Path(name).write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def visitor(browser: Any, file: Path) -> Iterator[Visitor]:
    here = Visitor(browser, file)
    yield here
    here.close()


def rows(here: Visitor) -> list[str]:
    texts: list[str] = here.page.locator(".targets tbody td.w").all_inner_texts()
    return texts


def choose(here: Visitor, what: str) -> None:
    here.page.get_by_role("radio", name=what).click()


def test_a_way_opens_in_the_explorer_where_its_target_was_taken(
    browser: Any, file: Path, visitor: Visitor
) -> None:
    choose(visitor, "Never")
    while visitor.page.locator(".list > .btn").is_visible():
        visitor.page.locator(".list > .btn").click()
    ids = visitor.page.locator("tr:has(a.way) code").all_inner_texts()
    links = [str(a.get_attribute("href")) for a in visitor.page.locator("a.way").all()]
    missing = int(visitor.page.get_by_role("radio", name="Never").inner_text().split()[1])
    assert len(ids) == len(links) and len(links) > 0.6 * missing
    explorer, found = Visitor(browser, file.with_name("cover-explorer.html")), []
    for id, link in [*zip(ids, links, strict=True)][::6]:
        explorer.page.goto("about:blank")
        explorer.page.goto(
            str(file.with_name("cover-explorer.html").as_uri()) + "#" + link.partition("#")[2]
        )
        fired = explorer.page.evaluate("session.game.records.map((record) => record.transition)")
        if id not in fired or explorer.page.locator("#problem").is_visible():
            found.append(id)
    explorer.context.close()
    assert found == []


def test_filter_sort_and_phase_stand_in_the_address(
    browser: Any, file: Path, visitor: Visitor
) -> None:
    choose(visitor, "All")
    visitor.page.get_by_label("Phase", exact=True).select_option("Combat")
    visitor.page.get_by_label("Sort", exact=True).select_option("order")
    visitor.page.get_by_role("searchbox").fill("blockers")
    seen, address = rows(visitor), visitor.page.url
    assert seen and all("blockers" in one.lower() for one in seen)
    for part in ("phase=Combat", "sort=order", "find=blockers", "show=all"):
        assert part in address
    other = Visitor(browser, file, hash="#" + address.partition("#")[2])
    assert rows(other) == seen
    other.close()


def test_a_step_of_the_map_filters_the_list_and_a_row_is_found_on_the_map(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Declare blockers,").press("Enter")
    assert rows(visitor) and all(
        "blockers" in one.lower() for one in rows(visitor) if "step_hub" not in one
    )
    visitor.page.locator(".filter .btn", has_text="Declare blockers").click()
    visitor.page.locator(".targets button.what").first.click()
    assert visitor.page.locator(".view .marked").count() >= 1


def test_paper_has_the_map_and_all_that_is_missing(visitor: Visitor) -> None:
    missing = int(visitor.page.get_by_role("radio", name="Never").inner_text().split()[1])
    visitor.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    visitor.page.emulate_media(media="print", color_scheme="dark")
    assert len(rows(visitor)) == missing
    assert (
        visitor.page.locator(".view svg").first.is_visible()
        and not visitor.page.locator(".filter").is_visible()
    )
    assert (
        visitor.page.evaluate("getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    visitor.page.evaluate("dispatchEvent(new Event('afterprint'))")
    visitor.page.emulate_media(media="screen")
    assert visitor.page.locator(".filter").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_axe_finds_nothing(browser: Any, file: Path, scheme: str, device: dict[str, Any]) -> None:
    axe = package("axe_playwright_python.sync_playwright").Axe()
    here = Visitor(browser, file, **device, color_scheme=scheme)
    here.page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    told = axe.run(here.page, options={"resultTypes": ["violations", "incomplete"]}).response
    found = [(one["id"], one["nodes"][0]["html"]) for one in told["violations"]]
    unknown = [
        node["html"]
        for one in told["incomplete"]
        if one["id"] == "color-contrast"
        for node in one["nodes"]
    ]
    contrasts = [
        least for svg in here.page.locator("svg").all() for least in svg.evaluate(CONTRASTS)[:1]
    ]
    here.close()
    assert found == []
    assert [html for html in unknown if not html.startswith(("<text", "<tspan"))] == []
    assert min(contrasts)[0] >= 4.5


def test_a_phone_has_print_ids_and_export(browser: Any, file: Path) -> None:
    here = Visitor(browser, file, **PHONE)
    assert (
        here.page.locator("#print").is_visible()
        and not here.page.locator(".targets code").first.is_visible()
    )
    here.page.get_by_role("checkbox", name="ids").tap()
    assert here.page.locator(".targets code").first.is_visible()
    with here.page.expect_download() as saved:
        here.page.get_by_role("button", name="Export").tap()
    assert saved.value.suggested_filename == "coverage.csv"
    assert here.page.evaluate("document.documentElement.scrollWidth") == 390
    assert here.page.evaluate("document.documentElement.scrollHeight") < 6_000
    here.asked = [url for url in here.asked if not url.startswith("blob:")]
    here.close()


def test_no_word_is_broken_on_a_phone(browser: Any, file: Path) -> None:
    here = Visitor(browser, file, **PHONE)
    broken = """[...document.querySelectorAll('.targets td.w, .targets td.r, .tile, .group')].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT), found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.checkVisibility()) continue;
        for (const match of node.data.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(node, match.index);
          range.setEnd(node, match.index + match[0].length);
          const tops = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
          if (tops.size > 1 && !match[0].includes('-')) found.push(match[0]);
        }
      }
      return found;
    })"""
    assert here.page.evaluate(broken) == []
    here.close()
