"""The distribution in packages/pytest-transitions-cov, which is built from these sources.

`.ci/package.py` builds and installs it. Here its files are only written to a folder.
"""

from __future__ import annotations

import ast
import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import fsm
from support.folders import ROOT

FOLDER = ROOT / "packages" / "pytest-transitions-cov"
PROJECT = tomllib.loads((FOLDER / "pyproject.toml").read_text("utf-8"))["project"]
README = (FOLDER / "README.md").read_text("utf-8")
[DOOR] = re.findall(r"```python\n(.*?)```", README, re.S)
BELOW = {
    "fsm": [
        "adapters",
        "coverage",
        "errors",
        "extensions",
        "files",
        "lazily",
        "model",
        "wording",
    ],
    "turn_fsm": ["coverageoptions"],
}
"""All of turn-fsm that is in the distribution."""


@pytest.fixture(scope="module")
def sources() -> dict[str, Any]:
    """The module that makes the files."""
    return runpy.run_path(str(FOLDER / "sources.py"))


@pytest.fixture(scope="module")
def built(sources: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, and with the program of the README."""
    folder = tmp_path_factory.mktemp("built")
    sources["write"](folder)
    (folder / "door.py").write_text(DOOR, encoding="utf-8")
    return folder


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the package, and with no plugin but those that are named."""
    left_out = ("PYTEST_ADDOPTS", "FSM_COVERAGE", "TRANSITIONS_COV")
    clean = {key: value for key, value in os.environ.items() if key not in left_out}
    more = {"PYTHONPATH": str(folder), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=clean | more,
        capture_output=True,
        encoding="utf-8",
    )


def pytest_on_door(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    plugin = ("-p", "no:cacheprovider", "-p", "transitions_cov.pytestplugin")
    return run(folder, "-m", "pytest", "-q", f"--rootdir={folder}", *plugin, "door.py", *words)


def test_it_holds_these_folders_only(sources: dict[str, Any]) -> None:
    found: dict[str, set[str]] = {"fsm": set(), "turn_fsm": set()}
    for name in sources["closure"]():
        package, inside, *_ = name.split(".")
        found[package].add(inside)
    assert {package: sorted(names) for package, names in found.items()} == BELOW


def test_it_imports_nothing_but_what_it_needs(sources: dict[str, Any]) -> None:
    allowed = {*sys.stdlib_module_names, "transitions_cov", "pytest", "transitions"}
    for path, text in sources["files"]().items():
        for node in ast.walk(ast.parse(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed, path
    assert sorted(re.split(r"\W", need)[0] for need in PROJECT["dependencies"]) == [
        "pytest",
        "transitions",
    ]


def test_it_has_our_version_and_licence() -> None:
    text = (FOLDER / "transitions_cov" / "__init__.py").read_text("utf-8")
    assert re.findall(r'^__version__ = "(.*)"$', text, re.M) == [fsm.__version__]
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_readme_s_first_screen_has_two_commands_that_are_true() -> None:
    first_screen = "\n".join(README.splitlines()[:20])
    assert f"pip install {PROJECT['name']}\npytest --transitions-cov " in first_screen
    assert f"pip install {FOLDER.relative_to(ROOT).as_posix()}" in first_screen


def test_the_door_says_what_is_missing(built: Path) -> None:
    kinds = (
        "--transitions-cov-report=term-missing",
        "--transitions-cov-fail-under=transitions=100",
    )
    done = pytest_on_door(built, "--transitions-cov", *kinds)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(
        r"^Door.*: 2 of 3 transitions; missing: shut -> locked on lock$", done.stdout, re.M
    )


def test_pages_are_made_by_turn_fsm(built: Path) -> None:
    done = pytest_on_door(built, "--transitions-cov", "--transitions-cov-report=html:page.html")
    assert done.returncode == 0, done.stdout + done.stderr
    page = (built / "page.html").read_text("utf-8")
    assert "<svg" in page
    assert "shut -&gt; locked on lock" in page


def test_one_run_is_measured_by_one_of_the_two(built: Path) -> None:
    both = ("-p", "pytest_turn_fsm", "--fsm-cov=door:Door", "--transitions-cov=door:Door")
    done = pytest_on_door(built, *both)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert re.search(
        r"^ERROR: --[\w-]+ and --[\w-]+ measure the same: give one of them$", done.stderr, re.M
    )


def test_each_works_while_the_other_collects(built: Path) -> None:
    program = """
from door import Door
from fsm.testing import traversed as by_fsm
from fsm.compiled import CompiledMachine
import fsm.coverage, transitions_cov

class Thing: pass

with transitions_cov.collect() as session:
    with by_fsm(door := Door()) as way:
        door.push()
    door.pull()
assert way.took("shut -> open") and session.data.firings == 2
with fsm.coverage.collecting() as session:
    with transitions_cov.traversed(door := Door()) as way:
        door.push()
    door.pull()
assert way.took("shut -> open") and session.data.firings == 2
with transitions_cov.collect() as session:
    thing = Thing()
    CompiledMachine(thing, ["on", "off"], "on", [["switch", "on", "off"]], auto_transitions=False)
    thing.switch()
assert session.data.firings == 1
print("fine")
"""
    done = run(built, "-W", "error", "-c", program)
    assert done.stdout == "fine\n", done.stderr


def test_data_is_read_by_both(built: Path) -> None:
    assert pytest_on_door(built, "--transitions-cov").returncode == 0
    done = run(
        built, "-m", "fsm", "cover", "report", ".transitions-cov", "--criteria", "transitions"
    )
    assert "2/3" in done.stdout, done.stderr
