"""Mermaid: its own parser understands every view as it is meant, and a browser draws it with all
its words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import fsm
from fsm.views.drawing.mermaid import mermaid
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.textview import text_view
from fsm.wording import plain
from support import processes
from support.explorerpage import chromium
from support.hostilemodels import HOSTILE, hostile
from support.inventedgames import towns
from support.manyviews import OVERLAYS, every_view
from support.tools import node_packages, tool

MAGIC = fsm.load("magic")

STROKES = {"core": "normal", "skip": "dotted", "extra": "thick", "jump": "dotted"}


@pytest.fixture(scope="module")
def parsed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What Mermaid's parser says of every view, plain and with overlays."""
    texts = {name: mermaid(model, options) for name, model, options in every_view()}
    texts |= {name: mermaid(MAGIC, options) for name, options in OVERLAYS.items()}
    file = tmp_path_factory.mktemp("mermaid") / "texts.json"
    file.write_text(json.dumps(texts), encoding="utf-8")
    command = [tool("node"), str(node_packages("mermaid", "jsdom") / "mermaid.mjs"), str(file)]
    found: dict[str, Any] = json.loads(processes.run(command, check=True).stdout)
    assert set(found) == set(texts)
    return found


def test_the_parser_accepts_every_view(parsed: dict[str, Any]) -> None:
    assert {name: said["error"] for name, said in parsed.items() if "error" in said} == {}
    assert len(parsed) > 30


def test_the_parser_finds_the_nodes_lines_and_boxes_that_are_meant(parsed: dict[str, Any]) -> None:
    for name, model, options in every_view():
        diagram, said = text_view(model, options).diagram, parsed[name]
        notes = sum(bool(box.notes) for box in diagram.boxes) + bool(diagram.caption)
        assert len(said["boxes"]) == len(diagram.boxes), name
        assert [stroke for _, _, stroke in said["lines"]] == [
            STROKES[line.layer] for line in diagram.lines
        ], name
        assert (
            len({id for id, _, _ in said["nodes"]} - set(said["boxes"]))
            == len(diagram.nodes) + notes
        ), name


def test_a_directive_in_a_name_is_none(parsed: dict[str, Any]) -> None:
    for name, said in parsed.items():
        assert set(said["config"]) == {"theme", "themeVariables", "fontFamily", "flowchart"}, name


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """A page without a network that has Mermaid in it."""
    script = node_packages("mermaid") / "node_modules/mermaid/dist/mermaid.min.js"
    with chromium() as browser:
        context = browser.new_context(offline=True)
        made = context.new_page()
        made.set_content("<body></body>")
        made.add_script_tag(path=str(script))
        yield made


def drawn(page: Any, text: str) -> str:
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


@pytest.mark.parametrize(
    ("model", "view"), [(MAGIC, "turn"), (fsm.load("grand-archive"), "window"), (towns(), "turn")]
)
def test_a_browser_draws_it(page: Any, model: fsm.Model, view: str) -> None:
    said = drawn(page, mermaid(model, DrawOptions(view)))
    diagram = text_view(model, DrawOptions(view)).diagram
    titles = [node.title for node in diagram.nodes if node.kind not in ("choice", "lookup")]
    assert [
        title for title in (*titles, *(box.title for box in diagram.boxes)) if title not in said
    ] == []
    assert "Syntax error" not in said
    assert page.locator("svg#drawn .edgePaths path").count() == len(diagram.lines)


def test_hostile_names_are_drawn_as_they_are_and_do_nothing(page: Any) -> None:
    dialogs: list[str] = []

    def dismiss(dialog: Any) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    said = drawn(page, mermaid(hostile(), DrawOptions())).replace("\N{WORD JOINER}", "")
    assert [word for word in HOSTILE if plain(word) not in said] == []
    assert dialogs == []
    assert page.locator("svg#drawn :is(script, img, a, i, em, iframe, math, li, h1)").count() == 0


def test_a_broken_text_would_be_noticed(page: Any) -> None:
    with pytest.raises(Exception, match="Parse error"):
        drawn(page, mermaid(MAGIC, DrawOptions()).replace("subgraph", "subgraph [", 1))
