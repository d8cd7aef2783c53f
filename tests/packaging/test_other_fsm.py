"""A project with another `fsm` is not disturbed by the plugin, and is told what is in the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.amounts import thorough
from support.folders import ROOT
from support.pluginruns import pytest_here, write

pytestmark = pytest.mark.no_fsm_cov
TEST = """
import sys
from fsm import Door

def test_door():
    assert Door
    assert not [name for name in sys.modules if name.startswith("fsm.")]
"""
DOOR = "class Door:\n    pass\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, fsm=DOOR, test_door=TEST)


@thorough
def test_a_project_with_an_fsm_py_runs_as_without_us(project: Path) -> None:
    run = pytest_here(project, "-W", "error", autoload=True)
    assert (run.code, run.outcomes()) == (0, {"passed": 1}), run.out


@thorough
def test_so_does_a_project_beside_an_installed_fsm(tmp_path: Path) -> None:
    write(tmp_path, test_door=TEST)
    (tmp_path / "installed").mkdir()
    write(tmp_path / "installed" / "fsm", __init__=DOOR)
    path = [str(tmp_path / "installed"), str(ROOT)]
    run = pytest_here(tmp_path, "-W", "error", module=False, path=path)
    assert (run.code, run.outcomes()) == (0, {"passed": 1}), run.out


@thorough
def test_measuring_says_what_is_in_the_way(project: Path) -> None:
    run = pytest_here(project, "--fsm-cov")
    assert run.code == pytest.ExitCode.USAGE_ERROR
    said = f"ERROR: --fsm-cov: {project / 'fsm.py'} hides the package 'fsm' of turn-fsm: "
    assert run.err.startswith(said) and len(run.err.strip().splitlines()) == 1
