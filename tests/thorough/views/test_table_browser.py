"""The turn as a table, and all pictures on a page, in a browser: what axe says of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.rulesets import names
from fsm.views import tabulate
from support.explorerpage import DESKTOP, PHONE, chromium
from support.tools import package


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("ruleset", names())
def test_axe_finds_nothing(
    browser: Any, tmp_path: Path, ruleset: str, device: dict[str, Any], scheme: str
) -> None:
    assert (
        violations(browser, tmp_path, tabulate(fsm.load(ruleset), format="html"), device, scheme)
        == []
    )


def violations(
    browser: Any, folder: Path, text: str, device: dict[str, Any], scheme: str
) -> list[tuple[str, str]]:
    """What axe finds on a page, and the first place of each."""
    axe, file = package("axe_playwright_python.sync_playwright").Axe(), folder / "page.html"
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(**device, color_scheme=scheme)
    page = context.new_page()
    page.goto(file.as_uri())
    found = [(one["id"], one["nodes"][0]["html"]) for one in axe.run(page).response["violations"]]
    context.close()
    return found
