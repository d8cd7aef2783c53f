"""Machines that others wrote, without a change: the README of the `transitions` library. Its code is
run as it stands, block by block, under the plugin. The figures are in `docs/coverage.md`.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from support import processes, tools, transitionsexamples
from support.folders import DOCS, ROOT, TESTS

VERSION = "0.9.3"
"""Of the library: that of which the figures are."""
CRITERIA = ("states", "transitions", "literals", "pairs")
RUN = """
import json
from pathlib import Path

import pytest
from support.transitionsexamples import Namespace

BLOCKS = json.loads(Path("blocks.json").read_text("utf-8"))
SPACE = Namespace()


@pytest.mark.parametrize("block", BLOCKS, ids=[called for called, _ in BLOCKS])
def test_block(block):
    SPACE.run(block)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Where the README was run, and what was printed."""
    folder = tmp_path_factory.mktemp("readme")
    blocks = transitionsexamples.readme() or tools.missing("the README of transitions")
    (folder / "blocks.json").write_text(json.dumps(blocks), "utf-8")
    (folder / "test_blocks.py").write_text(RUN, "utf-8")
    asked = ["--fsm-cov", f"--fsm-cov-criteria={','.join(CRITERIA)}"]
    reports = [f"--fsm-cov-report={kind}" for kind in ("term", "html", "json")]
    options = ["-p", "pytest_turn_fsm", "-p", "no:cacheprovider", "-q", "-W", "ignore"]
    command = [sys.executable, "-m", "pytest", *options, *asked, *reports]
    path = os.pathsep.join([str(ROOT), str(TESTS)])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}  # some conditions toss coins
    done = processes.run(command, cwd=folder, env=env, check=True)
    return folder, done.stdout


@pytest.fixture(scope="module")
def machines(run: tuple[Path, str]) -> list[dict[str, Any]]:
    """The machines of the JSON report."""
    report = json.loads((run[0] / "fsm-coverage.json").read_text("utf-8"))
    return list(report["machines"])


def test_every_machine_is_told_of(run: tuple[Path, str], machines: list[dict[str, Any]]) -> None:
    """The terminal shows twenty of them."""
    folder, printed = run
    page = (folder / "fsm-coverage.html").read_text("utf-8")
    assert [m["name"] for m in machines if m["name"] not in page] == []
    assert [m["name"] for m in machines[:20] if f"\n{m['name']} " not in printed] == []


def test_nothing_that_is_taken_is_held_impossible(machines: list[dict[str, Any]]) -> None:
    items = [item for m in machines for each in m["criteria"] for item in each["items"]]
    assert any(item["taken"] for item in items)
    assert [item["id"] for item in items if item["taken"] and "impossible" in item] == []


def test_the_figures_are_those_of_the_documentation(machines: list[dict[str, Any]]) -> None:
    if importlib.metadata.version("transitions") != VERSION:
        pytest.skip(f"the figures are of transitions {VERSION}")
    cells = ["README", str(len(machines))]
    for number in range(len(CRITERIA)):
        found = [machine["criteria"][number] for machine in machines]
        taken, missing, impossible = (
            sum(each[key] for each in found) for key in ("taken", "missing", "impossible")
        )
        cells.append(f"{taken} of {taken + missing}" + f" ({impossible})" * (impossible > 0))
    assert f"| {' | '.join(cells)} |" in (DOCS / "coverage.md").read_text("utf-8").splitlines()
