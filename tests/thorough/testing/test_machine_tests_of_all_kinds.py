"""Generated tests of machines of every kind are run, measured and linted."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import processes
from support.testedmachines import MODULE, SOURCE, SPECS, run, write
from support.tools import tool


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the machines and their tests, both with real callbacks and with none."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / f"{MODULE}.py").write_text(SOURCE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        for spec in SPECS:
            for callbacks in ("real", "stub"):
                name = f"test_{spec}_{callbacks}.py"
                result = write(folder, f"{MODULE}:{spec}", "--callbacks", callbacks, file=name)
                assert result.exit_code == 0, (spec, result.output)
        yield folder
    sys.modules.pop(MODULE, None)


def test_all_pass_and_take_every_transition(folder: Path) -> None:
    report = folder / "cover.json"
    measured = ["--fsm-cov", "--fsm-cov-criteria=transitions", f"--fsm-cov-report=json:{report}"]
    result = run(folder, *measured, f"--fsm-cov-data={folder / 'data'}")
    assert result.returncode == 0, result.stdout
    machines = json.loads(report.read_text(encoding="utf-8"))["machines"]
    missing = [
        item["id"] for one in machines for item in one["criteria"][0]["items"] if not item["taken"]
    ]
    assert len(machines) >= 9
    assert missing == []


def test_the_files_have_no_lint(folder: Path) -> None:
    files = map(str, folder.glob("test_*.py"))
    rules = "E,F,W,I,B,UP,SIM,C4,PIE,RET,RUF"
    command = [tool("ruff"), "check", "--isolated", "--select", rules, "--ignore", "E501", *files]
    result = processes.run(command, cwd=folder)
    assert result.returncode == 0, result.stdout


def test_the_files_have_their_types(folder: Path) -> None:
    files = map(str, folder.glob("test_*.py"))
    command = [tool("mypy"), "--strict", "--config-file", "/dev/null", *files]
    result = processes.run(command, cwd=folder)
    assert result.returncode == 0, result.stdout
