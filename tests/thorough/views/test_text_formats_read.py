"""Mermaid and DOT, read by the programs they are for: every view of every ruleset, hostile names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.model import Model, State, Transition
from support import processes
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, views
from support.explorerpage import chromium
from support.hostile import NASTY, spoilt
from support.tools import node_packages, tool


def texts(format: str) -> dict[str, str]:
    """A text of every view, and of two hostile ones."""
    every = [(name, view) for name in (*BUILT_IN, LANTERNS) for view in views(name)]
    found = {f"{name} {view}": drawn(name, view, format) for name, view in every}
    for first in (0, 17):
        model = spoilt(loaded("magic-2010"), first)
        found[f"hostile {first}"] = str(fsm.draw(model, format=format))
    return found


def test_graphviz_reads_every_view(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate(texts("dot").values()):
        files.append(tmp_path / f"{number}.dot")
        files[-1].write_text(text, encoding="utf-8")
    done = processes.run([tool("nop"), *map(str, files)])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("digraph ") >= len(files) > 80


def test_the_parser_of_mermaid_accepts_every_view_and_obeys_no_name(tmp_path: Path) -> None:
    file = tmp_path / "texts.json"
    file.write_text(json.dumps(texts("mermaid")), encoding="utf-8")
    command = [tool("node"), str(node_packages("mermaid", "jsdom") / "mermaid.mjs"), str(file)]
    parsed = json.loads(processes.run(command, check=True).stdout)
    assert {name: said["error"] for name, said in parsed.items() if "error" in said} == {}
    assert {len(said["config"]) for said in parsed.values()} == {4}
    boxes = {name: len(said["boxes"]) for name, said in parsed.items()}
    assert boxes["magic turn"] == 5 and boxes["grand-archive turn"] == 7
    arrows = re.findall("-->|-.->|==>", drawn("magic", format="mermaid"))
    assert len(parsed["magic turn"]["lines"]) == len(arrows)


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """A page without a network that has Mermaid in it."""
    script = node_packages("mermaid") / "node_modules/mermaid/dist/mermaid.min.js"
    with chromium() as browser:
        made = browser.new_context(offline=True).new_page()
        made.set_content("<body></body>")
        made.add_script_tag(path=str(script))
        yield made


def shown(page: Any, text: str) -> str:
    """The words of the picture that the browser draws of a text."""
    said: str = page.evaluate(
        """async text => {
            mermaid.initialize({startOnLoad: false});
            document.body.innerHTML = (await mermaid.render('drawn', text)).svg;
            return document.querySelector('svg#drawn').textContent;
        }""",
        text,
    )
    return " ".join(said.split())


@pytest.mark.parametrize(("ruleset", "view"), [("magic", "turn"), ("grand-archive", "window")])
def test_a_browser_draws_it_with_all_its_words(page: Any, ruleset: str, view: str) -> None:
    said = shown(page, drawn(ruleset, view, "mermaid"))
    labels = [s.label for s in loaded(ruleset).of_kind("step")] if view == "turn" else []
    for label in [*labels, *["A player has Opportunity"] * (view == "window")]:
        assert label in said
    assert "Syntax error" not in said


def test_hostile_names_are_drawn_as_they_are_and_do_nothing(page: Any) -> None:
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    words = [word for word in NASTY if word.isascii() and word.isprintable() and len(word) < 50]
    steps = [State(f"s{number}", "stage", label=word) for number, word in enumerate(words)]
    rows = [Transition(a.id, b.id, rule=a.label) for a, b in pairwise(steps)]
    model = Model("hostile", "s0", tuple(steps), tuple(rows))
    said = shown(page, str(fsm.draw(model, format="mermaid"))).replace("\N{WORD JOINER}", "")
    assert [word for word in words if word not in said] == []
    assert dialogs == []
    assert page.locator("svg#drawn :is(script, img, a, iframe, math, li, h1)").count() == 0
