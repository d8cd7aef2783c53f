"""The atlas: every view of a model on one page, linked, inert and without scripts."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

import pytest

import fsm
from fsm.model import Model
from fsm.rulesets import names
from fsm.views.drawing import draw, views_of
from fsm.views.drawing.atlas import anchor
from support.amounts import sample
from support.hostile import hostile_model


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.ids: list[str] = []
        self.links: list[tuple[str, str]] = []
        self.section = ""
        self.attributes: set[str] = set()
        self.leads: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        found = {name: value or "" for name, value in attrs}
        self.attributes |= found.keys()
        self.leads |= {
            value for name, value in found.items() if name.split(":")[-1] in ("href", "src")
        }
        self.ids += [found["id"]] if "id" in found else []
        self.section = found["id"] if tag == "section" else self.section
        if tag.endswith("a") and "href" in found:
            self.links.append((self.section, found["href"].removeprefix("#")))


@pytest.mark.parametrize("name", sample(names(), 2))
def test_every_view_is_there_and_every_link_leads_somewhere(name: str) -> None:
    model = fsm.load(name)
    page = Page(draw(model, format="atlas"))
    sections = [anchor(view) for view in views_of(model)]
    assert page.ids == ["contents", *sections]
    assert {goal for _, goal in page.links} <= set(page.ids)
    assert not any(here == goal for here, goal in page.links)
    steps = [f"step:{state.id}" for state in model.of_kind("step")]
    assert {("turn", anchor(view)) for view in steps} <= set(page.links)


def test_a_step_leads_to_the_next() -> None:
    links = Page(draw(fsm.load("magic"), format="atlas")).links
    assert (anchor("step:upkeep_step"), anchor("step:draw_step")) in links
    assert (anchor("step:end_step"), anchor("step:cleanup_step")) in links


def test_it_is_on_dark_paper_too() -> None:
    assert "#0D1117" in draw(fsm.load("magic"), format="atlas", theme="dark")


@pytest.mark.parametrize("model", [hostile_model(), fsm.load("magic")], ids=["hostile", "magic"])
def test_it_is_inert(model: Model) -> None:
    page = Page(draw(model, format="atlas"))
    assert (
        page.tags["script"]
        == page.tags["img"]
        == page.tags["iframe"]
        == page.tags["foreignobject"]
        == 0
    )
    assert not any(name.startswith("on") for name in page.attributes)
    assert all(goal.startswith("#") for goal in page.leads)
    assert page.tags["svg"] == len(views_of(model)), "a browser knows no other name for a picture"
