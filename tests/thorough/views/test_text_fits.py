"""In a browser that has one family of fonts only, no text of any picture is cut off and none leaves
its box.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import draw, scenarios
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views.drawing import Counts, views_of
from fsm.views.drawing.timeline import timeline
from support.explorerpage import chromium
from support.folders import SCENARIOS
from support.tools import missing

FONTS = {"DejaVu": "DejaVuSans.ttf", "Liberation": "LiberationSans-Regular.ttf"}
FOLDERS = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]
CONFIGURED = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{folder}</dir>
  <cachedir>{cache}</cachedir>
  <selectfont><rejectfont><glob>*Math*</glob></rejectfont></selectfont>
  <alias><family>sans-serif</family><prefer><family>{family} Sans</family></prefer></alias>
</fontconfig>
"""
MEASURE = """() => {
  const SLACK = 0.6, found = [];
  const out = (inner, outer) => Math.max(
    outer.left - inner.left, inner.right - outer.right, outer.top - inner.top, inner.bottom - outer.bottom);
  const svg = document.querySelector("svg"), whole = svg.getBoundingClientRect();
  for (const text of svg.querySelectorAll("text")) {
    const area = text.getBoundingClientRect(), said = text.textContent;
    const measured = Number(text.getAttribute("textLength"));
    if (Math.abs(text.getComputedTextLength() - measured) > SLACK) found.push(`${said}: not ${measured} wide`);
    if (out(area, whole) > SLACK) found.push(`${said}: cut by the edge`);
    const group = text.closest("g.node,g.cluster,g.cell"), shape = group && group.querySelector("rect");
    const box = shape ? shape.getBoundingClientRect() : area;
    if (area.left < box.left - SLACK || area.right > box.right + SLACK) found.push(`${said}: leaves its box`);
  }
  return [svg.querySelectorAll("text").length, found];
}"""


def font_folder(name: str) -> Path:
    return next(
        (path.parent for folder in FOLDERS for path in sorted(folder.rglob(FONTS[name]))), None
    ) or Path(missing(f"the font {name!r}"))


@pytest.fixture(scope="module", params=sorted(FONTS))
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page in a browser that has only one family of fonts."""
    folder = tmp_path_factory.mktemp("fonts")
    config = folder / "fonts.conf"
    values = {
        "folder": font_folder(request.param),
        "cache": folder / "cache",
        "family": request.param,
    }
    config.write_text(CONFIGURED.format(**values), encoding="utf-8")
    with chromium({"FONTCONFIG_FILE": str(config)}) as browser:
        yield browser.new_page(viewport={"width": 900, "height": 700})


def wrong(page: Any, svg: str) -> list[str]:
    page.set_content(f'<!doctype html><body style="margin:20px">{svg}</body>')
    count, found = page.evaluate(MEASURE)
    assert count > 3
    return list(found)


@pytest.mark.parametrize("name", names())
def test_every_view_fits(page: Any, name: str) -> None:
    model = fsm.load(name)
    found = {view: wrong(page, draw(model, view=view)) for view in views_of(model)}
    assert {view: texts for view, texts in found.items() if texts} == {}


@pytest.mark.parametrize("name", names())
def test_every_timeline_of_a_worked_case_fits(page: Any, name: str) -> None:
    outcomes = [
        play(one)
        for path in sorted((SCENARIOS / name).glob("*.json"))
        for one in scenarios.load(path)
    ]
    assert len(outcomes) > 20
    drawn = [timeline(one.model, one.records, title=one.scenario.id) for one in outcomes]
    assert [text for svg in drawn for text in wrong(page, svg)] == []


def test_overlays_and_links_fit(page: Any) -> None:
    model, other = fsm.load("magic"), fsm.load("magic-2010")
    assert wrong(page, draw(model, against=other)) == []
    assert wrong(page, draw(model, link="https://example.org/{rule}")) == []
    assert (
        wrong(page, draw(model, counts=Counts({t.id: 1234 for t in model.transitions[::2]}))) == []
    )


def test_without_their_widths_only_the_reference_font_fits(
    page: Any, request: pytest.FixtureRequest
) -> None:
    """What is measured notices: the same picture, its texts as wide as the font makes them."""
    svg = draw(fsm.load("magic")).replace("textLength", "data-length")
    left = [text for text in wrong(page, svg) if not text.endswith("wide")]
    assert bool(left) == (request.node.callspec.params["page"] == "DejaVu")
