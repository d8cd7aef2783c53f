"""The turn as a table, in a browser: what axe says of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.rulesets import names
from fsm.views.tables import tabulate
from support.explorerpage import DESKTOP, PHONE, chromium
from support.tools import package


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("ruleset", names())
def test_axe_finds_nothing(browser: Any, tmp_path: Path, ruleset: str, device: dict[str, Any], scheme: str) -> None:
    axe = package("axe_playwright_python.sync_playwright").Axe()
    file = tmp_path / "table.html"
    file.write_text(tabulate(fsm.load(ruleset), format="html"), encoding="utf-8")
    context = browser.new_context(**device, color_scheme=scheme)
    page = context.new_page()
    page.goto(file.as_uri())
    found = [(one["id"], one["nodes"][0]["html"]) for one in axe.run(page).response["violations"]]
    context.close()
    assert found == []
