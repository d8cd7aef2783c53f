"""Mermaid and DOT, read by the programs they are for: every view of every ruleset, hostile names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import fsm
from support import processes
from support.drawings import BUILT_IN, LANTERNS, drawn, loaded, views
from support.hostile import spoilt
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
