"""Whatever a name, label, rule or sentence of a model holds, in every format it is only words."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser

import pytest
from msgspec.structs import replace

import fsm
from fsm.model import Model
from fsm.views import explore, tabulate
from support import processes
from support.amounts import sample
from support.drawings import loaded
from support.drawnsvg import activity, collisions, faults, leaving, read
from support.hostile import NASTY, TURNING, spoilt
from support.tools import tool

STARTS = (0, 11, 23, 31)
"""Where the list of nasty texts begins: every text comes to stand in very different places."""


@cache
def hostile(first: int = 0, base: str = "magic-2010") -> Model:
    return spoilt(loaded(base), first)


class Tags(HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[tuple[str, ...]] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.add((tag, *sorted(name for name, _ in attrs)))


# pictures -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("view", "first"), sample([(v, s) for v in ("turn", "window") for s in STARTS], 4)
)
def test_pictures_are_inert_and_no_two_texts_meet(view: str, first: int) -> None:
    svg = fsm.draw(hostile(first), view=view)
    met = [said for said in collisions(read(svg)) if "meets '" in said or 'meets "' in said]
    assert [*activity(svg), *leaving(read(svg)), *met] == []
    assert not TURNING & set(svg)


def test_so_are_pictures_of_phases_and_endings() -> None:
    model = hostile(11)
    phases = [f"phase:{state.id}" for state in model.of_kind("phase")]
    for view in (*sample(phases, 2), "endings", "bar"):
        assert list(activity(fsm.draw(model, view=view))) == [], view


def test_so_are_differences_and_ways() -> None:
    less = hostile(5).without(*(t.id for t in hostile(5).transitions[::9]))
    assert list(activity(fsm.draw(hostile(5), against=less))) == []
    assert list(activity(fsm.draw(hostile(5), trace=[], theme="dark"))) == []


@pytest.mark.parametrize(
    "word", [w for w in NASTY if w[:3] in ("<sc", "&am", "dic", "שלו", "漢字か")]
)
def test_a_label_is_drawn_as_it_was_written(word: str) -> None:
    model = loaded("lanterns:LANTERNS")
    states = [replace(s, label=word) if s.id == "market_step" else s for s in model.states]
    svg = fsm.draw(replace(model, states=tuple(states)))
    assert read(svg).says(word)
    assert faults(svg) == []


# text formats -------------------------------------------------------------------------------------


def test_graphviz_reads_the_dot_and_finds_no_link() -> None:
    source = fsm.draw(hostile(23, "magic-classic"), format="dot")
    done = processes.run([tool("dot"), "-Tjson0"], given=source)
    assert (done.returncode, done.stderr) == (0, "")
    assert not re.search('"(?:URL|href)"', done.stdout)


def test_nothing_ends_the_quotes_of_mermaid() -> None:
    lines = fsm.draw(hostile(11), format="mermaid").split("\n---\n", 1)[1].splitlines()
    ours = r' *(stateDiagram-v2|}|state "[^"<>`:;%{}]*(#\d+;[^"<>`:;%{}]*)*" as \w+( {)?'
    ours += r"|(\[\*\]|\w+) --> (\[\*\]|\w+)( : [^\"<>`:%{}]+)?)"
    assert [line for line in lines if not re.fullmatch(ours, line)] == []


# tables and pages ---------------------------------------------------------------------------------


def test_a_table_on_a_page_has_the_elements_of_any_other() -> None:
    plain = Tags(tabulate("magic-2010", format="html")).found
    assert Tags(tabulate(hostile(), format="html")).found == plain


def test_a_table_in_markdown_keeps_its_cells() -> None:
    text = tabulate(hostile(19), format="md")
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {3}
    assert "<script" not in text
    assert not re.search(r"(?<!\\)[`\[]", text)


@pytest.mark.parametrize("format", ["md", "html", "txt"])
def test_no_table_controls_a_terminal(format: str) -> None:
    assert not {"\x1b", "\x07", "\x00"} & set(tabulate(hostile(20), format=format))


def test_the_explorer_has_the_scripts_of_any_other() -> None:
    model = loaded("magic-2010")
    states = tuple(replace(s, label=NASTY[1], doc=NASTY[0], rule=NASTY[3]) for s in model.states)
    page = explore(replace(model, states=states, title=NASTY[0]), players=(NASTY[1], NASTY[5]))
    assert page.count("<script") == explore(model).count("<script")
    assert page.count("</script>") == page.count("<script")
    assert "Content-Security-Policy" in page
