"""The transitions project's own core tests, with each machine frozen before each of its triggers.

    python .ci/library_tests.py

Downloads the source distribution of the installed version of transitions, runs its core tests
twice, with the library's triggers and with frozen ones, and prints the counts. Exit code 1 when a
test that passes with the library's does not with ours. Some of its tests measure time, so what
fails is run once more, alone. This file is also the pytest plugin that freezes.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest import TestReport
from pathlib import Path

FILES = ("core", "enum", "states", "threading", "reuse", "add_remove", "factory", "markup")
ROOT = Path(__file__).resolve().parents[1]
OURS = "FSM_LIBRARY_TESTS_OURS"
KNOWN = ("test_queued_errors",)  # takes the queue away from a machine while an event is in it
OUTCOMES = "FSM_LIBRARY_TESTS_OUTCOMES"

_outcomes: dict[str, str] = {}
_frozen = Counter[str]()


class Freezing(partial[Any]):
    """A trigger of the library that freezes the machine at each call, since tests change it."""

    machine: Any
    name: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event by the frozen trigger."""
        from fsm.engine import freeze

        model = self.args[0]
        if vars(model).get(self.name) is not self:
            return super().__call__(*args, **kwargs)
        slow = partial(self.func, *self.args)
        setattr(model, self.name, slow)
        freeze(self.machine)
        fire = getattr(model, self.name)
        setattr(model, self.name, self)
        _frozen[self.name] += fire is not slow
        return fire(*args, **kwargs)


def replace() -> None:
    """Let every machine put triggers on its objects that freeze it."""
    from transitions import core
    from transitions.extensions import nesting

    for kind in (core.Machine, nesting.HierarchicalMachine):
        name = "_add_trigger_to_model"
        setattr(kind, name, _adding(getattr(kind, name)))


def _adding(original: Any) -> Any:
    def add(machine: Any, name: str, model: Any) -> None:
        original(machine, name, model)
        slow = getattr(model, "__dict__", {}).get(name)
        if type(slow) is partial and slow.args[:1] == (model,):
            trigger = Freezing(slow.func, *slow.args)
            trigger.machine, trigger.name = machine, name
            setattr(model, name, trigger)

    return add


def pytest_runtest_logreport(report: TestReport) -> None:
    """Note what became of each test; a failed set-up or tear-down counts as its failure."""
    if report.when == "call" or report.outcome != "passed":
        _outcomes[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    """Leave the outcomes where the other process reads them."""
    Path(os.environ[OUTCOMES]).write_text(json.dumps(_outcomes), encoding="utf-8")
    if os.environ.get(OURS):
        print(f"\nfrozen triggers called: {_frozen.total()}")


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


def outcomes(tests: Path, frozen: bool, chosen: list[str]) -> dict[str, str]:
    """Run the tests in a process of their own; the outcome of each."""
    noted = tests / "outcomes.json"
    path = os.pathsep.join([str(ROOT / ".ci"), str(ROOT)])
    env = {**os.environ, "PYTHONPATH": path, OUTCOMES: str(noted), OURS: "1" if frozen else ""}
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
    subprocess.run([*command, *chosen], cwd=tests, env=env, check=False)
    return dict(json.loads(noted.read_text()))


def worse(theirs: dict[str, str], frozen: dict[str, str]) -> list[str]:
    """The tests that pass with the library's triggers and not with frozen ones."""
    return sorted(
        test
        for test, outcome in theirs.items()
        if outcome == "passed" != frozen.get(test) and not test.endswith(KNOWN)
    )


def main(extra: list[str]) -> int:
    """Run both, print the counts file by file, and what fails with ours alone."""
    with tempfile.TemporaryDirectory() as folder:
        tests = fetch(Path(folder))
        files = [f"tests/test_{name}.py" for name in FILES]
        theirs = outcomes(tests, False, [*files, *extra])
        frozen = outcomes(tests, True, [*files, *extra])
        if again := worse(theirs, frozen):
            frozen |= outcomes(tests, True, again)
    for name in FILES:
        pair = [
            Counter(o for test, o in run.items() if f"test_{name}.py" in test)
            for run in (theirs, frozen)
        ]
        print(f"test_{name:12} theirs {dict(pair[0])}  frozen {dict(pair[1])}")
    print(
        f"{'all':17} theirs {dict(Counter(theirs.values()))}"
        f"  frozen {dict(Counter(frozen.values()))}"
    )
    left = worse(theirs, frozen)
    for test in left:
        print(f"passes with theirs, not frozen: {test}")
    return 1 if left or not theirs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
elif os.environ.get(OURS):
    replace()
