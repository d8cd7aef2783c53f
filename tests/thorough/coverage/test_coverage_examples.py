"""Machines that others wrote, without a change: the README of the `transitions` library, and its
example notebooks.

Their code is run as it stands, block by block, under the plugin: it is covered and reported. The
figures are in `docs/coverage.md`.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from support import processes, tools, transitionsexamples
from support.folders import DOCS, ROOT, TESTS

pytest_plugins = ["pytester"]

VERSION = "0.9.3"
"""Of the library: that of which the figures and the lists below are."""
CRITERIA = ("states", "transitions", "literals", "pairs")
README, FAQ = "README", "Frequently asked questions"

NOT_RUN = {
    FAQ: {
        "cell 8": "needs Django, and a database",
        "cell 14": "was written for an older version of the library",
        "cell 27": "needs pygraphviz",
    },
}
"""Cells of which some statements cannot be run, with the reason. (The README shows some errors on
purpose.)
"""

RUN = """
import json
from pathlib import Path

import pytest
from support.transitionsexamples import Namespace

BLOCKS = json.loads(Path("blocks.json").read_text("utf-8"))
SPACE = Namespace()


@pytest.mark.parametrize("block", BLOCKS, ids=[called for called, _ in BLOCKS])
def test_block(block):
    for _ in SPACE.run(block):
        pass


def test_what_failed_is_told():
    Path("failed.json").write_text(json.dumps(SPACE.failed), "utf-8")
"""


@pytest.fixture(scope="module")
def examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the examples of the sdist. Skips the test when that is not to be had."""
    try:
        return transitionsexamples.fetch(tmp_path_factory.mktemp("sdist"))
    except OSError as error:
        return Path(tools.missing(f"the source distribution of transitions ({error})"))


def run(command: list[str], folder: Path) -> str:
    """What a program prints that ends well."""
    path = os.pathsep.join([str(ROOT), str(TESTS)])
    env = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"}  # as some conditions toss coins
    done = processes.run([sys.executable, *command], cwd=folder, env=env)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def read(file: Path) -> Any:
    return json.loads(file.read_text("utf-8"))


def row(source: str, machines: list[dict[str, Any]]) -> str:
    """The row of the table in `docs/coverage.md`: taken, of what there is to take (and so many
    proved impossible).
    """
    cells = [source, str(len(machines))]
    for criterion in CRITERIA:
        found = [
            c for machine in machines for c in machine["criteria"] if c["criterion"] == criterion
        ]
        taken, missing, impossible = (
            sum(c[key] for c in found) for key in ("taken", "missing", "impossible")
        )
        cells.append(f"{taken} of {taken + missing}" + (f" ({impossible})" if impossible else ""))
    return f"| {' | '.join(cells)} |"


def test_the_readme_of_the_library_is_covered_and_reported(
    pytester: pytest.Pytester,
) -> None:
    readme = transitionsexamples.readme() or tools.missing(
        "the README in the package of transitions"
    )
    measured(README, readme, pytester)


def test_a_notebook_of_the_library_is_covered_and_reported(
    examples: Path, pytester: pytest.Pytester
) -> None:
    if importlib.util.find_spec("yaml") is None:
        tools.missing("the package yaml")
    failed = measured(FAQ, transitionsexamples.notebook(examples / f"{FAQ}.ipynb"), pytester)
    if importlib.metadata.version("transitions") == VERSION:
        assert not_run(failed) <= set(NOT_RUN[FAQ])


def measured(
    source: str, blocks: list[transitionsexamples.Block], pytester: pytest.Pytester
) -> dict[str, list[str]]:
    """Cover and report the machines of a source; what of its blocks could not be run, and why."""
    folder = pytester.path
    (folder / "blocks.json").write_text(json.dumps(blocks), "utf-8")
    (folder / "test_blocks.py").write_text(RUN, "utf-8")
    asked = ["--fsm-cov=all", f"--fsm-cov-criteria={','.join(CRITERIA)}"]
    reports = [f"--fsm-cov-report={kind}" for kind in ("term", "html", "json")]
    options = ["-p", "pytest_turn_fsm", "-p", "no:cacheprovider", "-q", "-W", "ignore"]
    told = run(["-m", "pytest", *options, *asked, *reports], folder)
    machines = read(folder / "fsm-coverage.json")["machines"]
    covered_and_reported(machines, told, (folder / "fsm-coverage.html").read_text("utf-8"))
    if importlib.metadata.version("transitions") == VERSION:
        assert row(source, machines) in (DOCS / "coverage.md").read_text("utf-8").splitlines()
    failed: dict[str, list[str]] = read(folder / "failed.json")
    return failed


def covered_and_reported(machines: list[dict[str, Any]], told: str, page: str) -> None:
    """Something is taken, nothing that is held to be impossible, and every machine is told of."""
    assert any(criterion["taken"] for machine in machines for criterion in machine["criteria"])
    for machine in machines:
        for criterion in machine["criteria"]:
            wrong = [i["id"] for i in criterion["items"] if i["taken"] and i.get("impossible")]
            assert wrong == [], (machine["name"], criterion["criterion"])
        assert machine["name"] in page
    for machine in machines[:20]:
        assert f"\n{machine['name']} " in told


def not_run(failed: dict[str, list[str]]) -> set[str]:
    """The blocks of which something failed, but for pictures where the program is missing that
    draws them.
    """
    undrawn = "" if shutil.which("dot") else "Graphviz executables"
    return {
        called
        for called, whys in failed.items()
        if not all(undrawn and undrawn in why for why in whys)
    }
