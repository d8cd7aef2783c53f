"""Mermaid and DOT, read and drawn by the programs they are for: every ruleset, hostile names,
random machines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import fsm
from support import processes
from support.drawings import BUILT_IN, GAMES, OWN, drawn, loaded
from support.explorerpage import chromium
from support.foreignmachines import tangled
from support.hostile import spoilt
from support.tools import node_packages, tool


@cache
def texts(format: str) -> dict[str, str]:
    """A text of every ruleset, of hostile ones and of random machines."""
    found = {name: drawn(name, format=format) for name in (*BUILT_IN, *OWN, *GAMES)}
    for first in (0, 17):
        model = spoilt(loaded("magic-2010"), first)
        found[f"hostile {first}"] = str(fsm.draw(model, format=format))
    for seed in range(40):
        found[f"tangled {seed}"] = str(fsm.draw(tangled(seed, parallel=True), format=format))
    return found


def test_graphviz_reads_every_text(tmp_path: Path) -> None:
    files = []
    for number, text in enumerate(texts("dot").values()):
        files.append(tmp_path / f"{number}.dot")
        files[-1].write_text(text, encoding="utf-8")
    done = processes.run([tool("nop"), *map(str, files)])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("digraph ") >= len(files)


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """A page with the real Mermaid."""
    script = node_packages("mermaid") / "node_modules/mermaid/dist/mermaid.min.js"
    with chromium() as browser:
        page = browser.new_page()
        page.add_script_tag(path=str(script))
        page.evaluate("mermaid.initialize({startOnLoad: false})")
        yield page


@pytest.mark.parametrize("name", sorted(texts("mermaid")))
def test_mermaid_draws_every_state_and_every_label(page: Any, name: str) -> None:
    text = texts("mermaid")[name]
    svg = page.evaluate("text => mermaid.render('it', text).then(made => made.svg)", text)
    page.evaluate("svg => {document.body.innerHTML = svg}", svg)
    shown = re.sub(r"\s", "", page.evaluate("document.body.textContent"))
    said = re.findall(r'state "(.*)" as', text) + re.findall(r" : (.*)", text)
    words = [re.sub(r"#(\d+);", lambda found: chr(int(found[1])), one) for one in said]
    assert [one for one in words if re.sub(r"\s", "", one) not in shown] == []
