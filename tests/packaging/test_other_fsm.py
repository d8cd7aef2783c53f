"""Beside another module or package called `fsm`: it is not disturbed, and a sentence says what is in
the way.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import fsm
from support.folders import ROOT
from support.pluginruns import Run, pytest_here

pytestmark = pytest.mark.no_fsm_cov

TEST = """
import sys
import fsm
from fsm import Door


def test_door():
    assert Door
    assert not [name for name in sys.modules if name.startswith("fsm.")]
    assert "rewrite" not in type(fsm.__loader__).__module__
"""
LAYOUTS = ("fsm.py", "fsm/__init__.py", "installed/fsm/__init__.py")


@pytest.fixture(params=LAYOUTS)
def another(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The file of another `fsm`: beside the tests, or installed. There is a test of it."""
    (tmp_path / "test_door.py").write_text(TEST, encoding="utf-8")
    file: Path = tmp_path / request.param
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("class Door:\n    pass\n", encoding="utf-8")
    return file


def measured(another: Path, folder: Path, *arguments: str, module: bool) -> Run:
    """Run pytest where the other `fsm` may be installed."""
    path = [str(folder / "installed"), str(ROOT)] if "installed" in another.parts else []
    return pytest_here(folder, *arguments, module=module, path=path)


@pytest.mark.parametrize("module", [True, False])
def test_a_run_is_as_without_us(another: Path, tmp_path: Path, module: bool) -> None:
    result = measured(another, tmp_path, "-W", "error", module=module)
    assert (result.code, result.outcomes()) == (0, {"passed": 1}), result.out


def test_pytest_finds_the_plugin_by_itself_and_the_run_is_as_without_us(tmp_path: Path) -> None:
    (tmp_path / "fsm.py").write_text("class Door:\n    pass\n", encoding="utf-8")
    (tmp_path / "test_door.py").write_text(TEST, encoding="utf-8")
    result = pytest_here(tmp_path, "-W", "error", autoload=True)
    assert (result.code, result.outcomes()) == (0, {"passed": 1}), result.out


@pytest.mark.parametrize("module", [True, False])
def test_measuring_says_what_is_in_the_way(another: Path, tmp_path: Path, module: bool) -> None:
    result = measured(another, tmp_path, "--fsm-cov", module=module)
    assert result.code == pytest.ExitCode.USAGE_ERROR
    [line] = result.err.strip().splitlines()
    assert line.startswith(f"ERROR: --fsm-cov: {another} hides the package 'fsm' of turn-fsm: ")
    assert "Traceback" not in result.out


def test_a_folder_without_code_is_named_too(tmp_path: Path) -> None:
    """As it is left when a distribution that overwrote our files is uninstalled."""
    (tmp_path / "pytest_turn_fsm.py").write_text(
        (ROOT / "pytest_turn_fsm.py").read_text("utf-8"), encoding="utf-8"
    )
    (tmp_path / "fsm").mkdir()
    code = f"import sys; sys.path = [{str(tmp_path)!r}, *sys.path]; import pytest_turn_fsm as p"
    code += f"; sys.path = [{str(tmp_path)!r}]; print(p.another_fsm())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.startswith(f"{tmp_path / 'fsm'} hides the package 'fsm'"), done.stderr


def test_the_command_runs_in_a_folder_with_an_fsm_py(tmp_path: Path) -> None:
    """A console script does not look for modules in the current folder first: `-P` is like it."""
    (tmp_path / "fsm.py").write_text("raise SystemExit('the wrong one')\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from fsm.__main__ import main; main()", "--version"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.stderr) == (f"turn-fsm {fsm.__version__}\n", "")
