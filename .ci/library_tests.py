"""The transitions project's own core tests, with our machine in place of theirs.

    python .ci/library_tests.py

Downloads the source distribution of the installed version of transitions, runs its core tests
twice, with its Machine and with ours, and prints the counts. Exit code 1 when a test that passes
with theirs does not with ours. This file is also the pytest plugin that does the replacing: before
anything else of the library is imported, so that its extensions (locked, nested, markup) are built
on our classes too.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest import TestReport
from pathlib import Path

FILES = ("core", "enum", "states", "threading", "reuse", "add_remove", "factory", "markup")
ROOT = Path(__file__).resolve().parents[1]
OURS = "FSM_LIBRARY_TESTS_OURS"
OUTCOMES = "FSM_LIBRARY_TESTS_OUTCOMES"

_outcomes: dict[str, str] = {}


def ours() -> dict[str, type]:
    """Our classes by the names of the library's."""
    from fsm import compiled

    return {name.removeprefix("Compiled"): getattr(compiled, name) for name in compiled.__all__}


def replace() -> None:
    """Put our classes where the library's extensions import theirs from; its core refers to itself
    and keeps them.
    """
    import transitions
    from transitions import core

    theirs = {name: getattr(core, name) for name in ours()}
    vars(core).update(ours())
    try:
        for module in (
            "",
            ".markup",
            ".diagrams",
            ".nesting",
            ".locking",
            ".asyncio",
            ".factory",
            ".states",
        ):
            importlib.import_module(f"transitions.extensions{module}")
    finally:
        vars(core).update(theirs)
    vars(transitions).update(
        {name: kind for name, kind in ours().items() if hasattr(transitions, name)}
    )


def pytest_collection_finish(session: object) -> None:
    """What the test modules imported from the library's core becomes ours."""
    from transitions import core

    if not os.environ.get(OURS):
        return
    swap = {id(getattr(core, name)): kind for name, kind in ours().items()}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "tests":
            vars(module).update(
                {key: swap[id(value)] for key, value in vars(module).items() if id(value) in swap}
            )


def pytest_runtest_logreport(report: TestReport) -> None:
    """Note what became of each test; a failed set-up or tear-down counts as its failure."""
    if report.when == "call" or report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    """Leave the outcomes where the other process reads them."""
    Path(os.environ[OUTCOMES]).write_text(json.dumps(_outcomes), encoding="utf-8")
    if os.environ.get(OURS):
        from fsm.compiled.sharing import code_of

        print(f"\ndifferent functions generated: {code_of.cache_info().misses}")


def fetch(folder: Path) -> Path:
    """The library's tests, unpacked."""
    version = importlib.metadata.version("transitions")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
    subprocess.run([*pip, "--dest", str(folder), f"transitions=={version}"], check=True)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
        tests = [
            member for member in archive.getmembers() if member.name.split("/")[1:2] == ["tests"]
        ]
        archive.extractall(folder, tests, filter="data")
    return folder / f"transitions-{version}"


def outcomes(tests: Path, compiled: bool, extra: list[str]) -> dict[str, str]:
    """Run the tests in a process of their own; the outcome of each."""
    noted = tests / "outcomes.json"
    path = os.pathsep.join([str(ROOT / ".ci"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, OUTCOMES: str(noted), OURS: "1" if compiled else ""}
    files = [f"tests/test_{name}.py" for name in FILES]
    quiet = ["-q", "--no-header", "--tb=short", "-p", "no:cacheprovider", "-p", "no:warnings"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "library_tests",
        "-c",
        os.devnull,
        f"--rootdir={tests}",
        *quiet,
    ]
    subprocess.run([*command, *files, *extra], cwd=tests, env=env, check=False)
    return dict(json.loads(noted.read_text()))


def main(extra: list[str]) -> int:
    """Run both, print the counts file by file, and what fails with ours alone."""
    with tempfile.TemporaryDirectory() as folder:
        tests = fetch(Path(folder))
        theirs = outcomes(tests, False, extra)
        compiled = outcomes(tests, True, extra)
    for name in FILES:
        pair = [
            Counter(o for test, o in run.items() if f"test_{name}.py" in test)
            for run in (theirs, compiled)
        ]
        print(f"test_{name:12} theirs {dict(pair[0])}  ours {dict(pair[1])}")
    print(
        f"{'all':17} theirs {dict(Counter(theirs.values()))}"
        f"  ours {dict(Counter(compiled.values()))}"
    )
    worse = sorted(
        test for test, outcome in theirs.items() if outcome == "passed" != compiled.get(test)
    )
    for test in worse:
        print(f"passes with theirs, not with ours: {test}")
    return 1 if worse or not theirs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
elif os.environ.get(OURS):
    replace()
