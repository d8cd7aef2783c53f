"""Pictures and tables in a browser: letters have their natural width, and everybody can read them."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm.views import tabulate
from support.drawings import BUILT_IN, drawn, views
from support.explorerpage import CONTRASTS, DESKTOP, PHONE, violations

SQUEEZED = """() => [...document.querySelectorAll("text")].flatMap((text) => {
  const meant = Number(text.getAttribute("data-length")), natural = text.getComputedTextLength();
  return meant && (natural / meant > 1.1 || natural / meant < 0.85)
    ? [`${text.textContent}: ${natural.toFixed(1)} instead of ${meant}`] : [];
})"""


@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_letters_are_as_wide_as_the_layout_thinks(browser: Any, ruleset: str) -> None:
    page, found = browser.new_page(), []
    for view in views(ruleset):
        svg = drawn(ruleset, view).replace("textLength", "data-length")
        page.set_content(svg.replace("Helvetica, Arial", "Liberation Sans, Helvetica, Arial"))
        found += page.evaluate(SQUEEZED)
    page.close()
    assert found == []


WIDER = """() => [...document.querySelectorAll("text")].filter((text) =>
  Math.abs(text.getBBox().width - Number(text.getAttribute("textLength"))) > 2)
  .map((text) => text.textContent)"""


@pytest.mark.parametrize("font", ["Liberation Sans", "DejaVu Serif"])
def test_a_text_keeps_its_room_in_any_font(browser: Any, font: str) -> None:
    page = browser.new_page()
    for view in views("magic"):
        page.set_content(drawn("magic", view).replace("Helvetica, Arial", font))
        assert page.evaluate(WIDER) == [], view
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("ruleset", BUILT_IN)
def test_every_text_stands_out_from_its_ground(browser: Any, ruleset: str, theme: str) -> None:
    page = browser.new_page()
    compared = fsm.draw(ruleset, against="magic-2010", theme=theme)
    for svg in (*(drawn(ruleset, view, theme=theme) for view in ("turn", "window")), compared):
        page.set_content(f"<body>{svg}</body>")
        least, text = page.locator("svg").evaluate(CONTRASTS)[0]
        assert least >= 4.5, text
    page.close()


@pytest.mark.parametrize(
    ("device", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")], ids=["desktop", "phone"]
)
@pytest.mark.parametrize("ruleset", ["magic", "grand-archive"])
def test_axe_finds_nothing_in_a_table(
    browser: Any, ruleset: str, device: dict[str, Any], scheme: str
) -> None:
    context = browser.new_context(**device, color_scheme=scheme)
    page = context.new_page()
    page.set_content(tabulate(ruleset, format="html"))
    assert violations(page) == []
    context.close()
