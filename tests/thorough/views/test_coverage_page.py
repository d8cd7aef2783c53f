"""The coverage page, used as people use it: filter, map, print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import coverage
from fsm.scenarios import play
from support.commandline import command
from support.explorerpage import CONTRASTS, DESKTOP, PHONE, Visitor, violations
from support.folders import SCENARIOS


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of some games of Magic."""
    return written(tmp_path_factory.mktemp("coverage"), "case-0[1-4]*.json")


def written(folder: Path, cases: str) -> Path:
    """Write the page of these worked cases of Magic."""
    with coverage.collecting() as session:
        for path in sorted((SCENARIOS / "magic").glob(cases)):
            play(fsm.scenarios.load(path)[0])
    coverage.save(session.data, folder / "data.fsmcov")
    asked = ("--criteria", "states,transitions,rules", "--report", f"html:{folder / 'cover.html'}")
    assert command("cover", "report", folder / "data.fsmcov", *asked).exit_code == 0
    return folder / "cover.html"


@pytest.fixture
def visitor(browser: Any, file: Path) -> Iterator[Visitor]:
    here = Visitor(browser, file)
    yield here
    here.close()


def rows(here: Visitor) -> list[str]:
    texts: list[str] = here.page.locator(
        ".list:visible .row:visible td:first-child"
    ).all_inner_texts()
    return texts


def choose(here: Visitor, what: str) -> None:
    here.page.locator(".seg").get_by_role("button", name=what).click()


def test_what_is_chosen_holds_together(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="States entered").click()
    visitor.page.get_by_role("searchbox").fill("blockers")
    choose(visitor, "On the map")
    assert rows(visitor) and all("blockers" in one.lower() for one in rows(visitor))


def test_the_map_filters_the_list_and_the_filter_counts_what_is_shown(visitor: Visitor) -> None:
    all_rows = len(rows(visitor))
    visitor.page.get_by_role("button", name="Upkeep", exact=False).first.click()
    near = rows(visitor)
    assert 0 < len(near) < all_rows and any("pkeep" in one for one in near)
    assert f"{len(near)} of {all_rows} shown" in visitor.text(".filter")
    assert f"All {len(near)}" in visitor.text(".seg")
    visitor.page.locator(".place").click()
    assert len(rows(visitor)) == all_rows


def test_on_paper_stands_what_was_never_taken_and_how_much_had_no_room(visitor: Visitor) -> None:
    visitor.page.emulate_media(media="print")
    missing = visitor.page.locator(".list:visible .row.missing")
    said = re.search(
        r"Never: (\d+) .*first (\d+) follow.* (\d+) more", visitor.text(".paper:visible")
    )
    assert said
    never, printed, more = map(int, said.groups())
    assert missing.count() == never == printed + more
    assert visitor.page.locator(".list:visible .row:visible").count() == printed > 100


@pytest.mark.parametrize("cases", ["*.json", "case-01*.json"])
def test_two_pages_of_paper_have_it_all(browser: Any, tmp_path: Path, cases: str) -> None:
    here = Visitor(browser, written(tmp_path, cases))
    for tile in here.page.locator(".tile:visible").all():
        tile.click()
        assert len(re.findall(rb"/Type\s*/Page\b", here.page.pdf(prefer_css_page_size=True))) <= 2
    here.close()


@pytest.mark.parametrize(
    ("device", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
def test_axe_finds_nothing(browser: Any, file: Path, device: dict[str, Any], scheme: str) -> None:
    here = Visitor(browser, file, **device, color_scheme=scheme)
    assert violations(here.page) == []
    svg = here.page.locator(".view svg").first
    assert svg.evaluate(CONTRASTS)[0][0] >= 4.5
    here.close()
