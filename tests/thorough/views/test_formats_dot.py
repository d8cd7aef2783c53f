"""DOT: Graphviz's own reader accepts every view, and finds all its lines."""

from __future__ import annotations

import re
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fsm.views.drawing.dot import dot
from fsm.views.drawing.views import diagram_of
from support import processes
from support.manyviews import every_view
from support.tools import tool


def read(files: list[Path]) -> CompletedProcess[str]:
    """What Graphviz's reader makes of all these files, each written anew as it was understood."""
    return processes.run([tool("nop"), *map(str, files)])


def test_graphviz_reads_every_view(tmp_path: Path) -> None:
    files, lines = [], 0
    for i, (_, model, asked) in enumerate(every_view()):
        files.append(tmp_path / f"{i}.dot")
        files[-1].write_text(dot(model, asked), encoding="utf-8")
        lines += len(diagram_of(model, asked.view).lines)
    done = read(files)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(re.findall(r"^digraph ", done.stdout, re.M)) == len(files) > 30
    assert len(re.findall(r'^\s+(?:"(?:[^"\\]|\\[\s\S])*"|\w+)\s+-> ', done.stdout, re.M)) == lines


@pytest.mark.parametrize("broken", ["digraph {", 'digraph { a [label="] }'])
def test_graphviz_refuses_a_broken_text(broken: str, tmp_path: Path) -> None:
    file = tmp_path / "broken.dot"
    file.write_text(broken, encoding="utf-8")
    assert read([file]).returncode != 0
