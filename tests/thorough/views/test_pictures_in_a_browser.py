"""Pictures and tables in a browser: letters have their natural width, and everybody can read them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.views import tabulate
from support.drawings import BUILT_IN, GAMES, OWN, drawn, loaded, timelines, views
from support.explorerpage import CONTRASTS, DESKTOP, PHONE, violations
from support.folders import ROOT
from support.tools import package

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


MEASURED = """([svg, fonts]) => {
  document.body.innerHTML = svg;
  const picture = document.querySelector("svg"), found = [];
  for (const font of fonts) {
    picture.setAttribute("font-family", font);
    const frame = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll("text")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    boxes.forEach((box, i) => {
      const is = `${font}: ${texts[i].textContent}`, room = texts[i].getAttribute("textLength");
      if (box.left < frame.left || box.right > frame.right || box.top < frame.top || box.bottom > frame.bottom)
        found.push(`${is} leaves the picture`);
      if (!(box.width < Number(room) + 2.5)) found.push(`${is} is ${box.width} wide, not ${room}`);
      for (let j = i + 1; j < boxes.length; j++) {
        const its = boxes[j], across = Math.min(box.right, its.right) - Math.max(box.left, its.left);
        if (across > 1 && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 3)
          found.push(`${is} meets ${texts[j].textContent}`);
      }
    });
  }
  return found;
}"""
"""What leaves its picture, is wider than its room, or meets another text. A browser rounds the width
of each letter, and boxes are higher than letters.
"""
FONTS = ["Liberation Sans", "DejaVu Serif"]


@pytest.mark.parametrize("game", [*BUILT_IN, *OWN, *GAMES])
def test_a_text_keeps_its_room_in_any_font(browser: Any, game: str) -> None:
    page = browser.new_page()
    for svg in (*(drawn(game, view) for view in views(game)), *timelines(game)):
        assert page.evaluate(MEASURED, [svg, FONTS]) == []
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


@pytest.mark.parametrize("game", [*BUILT_IN, *GAMES, *OWN])
def test_a_table_is_printed_on_one_page_and_fits_a_phone(browser: Any, game: str) -> None:
    page = browser.new_page(**PHONE)
    page.set_content(tabulate(loaded(game), format="html"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) == 1
    page.close()


def test_the_index_of_the_gallery_is_not_long(browser: Any, tmp_path: Path) -> None:
    """As wide as GitHub shows it."""
    gallery, page = ROOT / "diagrams", browser.new_page()
    text = (gallery / "README.md").read_text("utf-8")
    body = package("markdown_it").MarkdownIt().render(text)
    style = '<body style="width: 838px; font: 16px/1.5 Liberation Sans">'
    (tmp_path / "it.html").write_text(f'<base href="{gallery.as_uri()}/">{style}{body}', "utf-8")
    page.goto((tmp_path / "it.html").as_uri())
    assert page.evaluate("[...document.images].every((image) => image.naturalWidth)")
    assert 1000 < page.evaluate("document.body.scrollHeight") < 4000
    page.close()
