"""Another package `fsm`: that of the distribution fsmpy, or one that stands first on the path. One
sentence says so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fsm

ROOT = Path(fsm.__file__).resolve().parents[1]
THEIRS = "class FiniteStateMachineMixin:\n    pass\n"
COMMAND = "from turn_fsm.command import main; main()"

pytestmark = pytest.mark.no_fsm_cov


def started(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """A program in an environment where `folder` comes before turn-fsm."""
    path = os.pathsep.join([str(folder), str(ROOT)])
    command = [sys.executable, "-c", code, "--version"]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path}, cwd=folder, capture_output=True, text=True
    )


def package(folder: Path, **files: str) -> Path:
    (folder / "fsm").mkdir()
    for name, text in files.items():
        (folder / "fsm" / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def test_theirs_has_replaced_ours(tmp_path: Path) -> None:
    assert (ROOT / "fsm" / "lazily.py").is_file(), (
        "the file by which turn_fsm.ours knows our folder"
    )
    done = started(package(tmp_path, __init__=THEIRS, exceptions="", lazily=""), COMMAND)
    assert done.returncode == 2
    assert done.stderr.startswith("fsm: fsmpy and turn-fsm both install")
    assert "pip install --force-reinstall --no-deps turn-fsm" in done.stderr
    assert done.stderr.count("\n") == 1


OURS = ("__init__", "extensions", "lazily", "oldnames")


def test_theirs_lies_beside_ours(tmp_path: Path) -> None:
    ours = {name: (ROOT / "fsm" / f"{name}.py").read_text(encoding="utf-8") for name in OURS}
    folder = package(tmp_path, **ours, exceptions="", fsm="")
    done = started(folder, "import fsm; print(fsm.__version__)")
    assert done.stdout.strip() == fsm.__version__
    assert "UserWarning: fsmpy and turn-fsm both install" in done.stderr


def test_theirs_has_taken_ours_along(tmp_path: Path) -> None:
    package(tmp_path, model="")
    shutil.copytree(ROOT / "turn_fsm", tmp_path / "turn_fsm")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {COMMAND}"
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        code,
    ]  # no site-packages: ours may be installed there
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert f"fsm: {tmp_path / 'fsm'} has no __init__.py" in done.stderr


def test_a_project_has_a_module_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "fsm.py").write_text("", encoding="utf-8")
    done = started(tmp_path, COMMAND)
    assert done.returncode == 2
    assert f"fsm: {tmp_path / 'fsm.py'} hides the package 'fsm' of turn-fsm" in done.stderr


def test_alone_it_says_nothing(tmp_path: Path) -> None:
    done = started(tmp_path, COMMAND)
    assert (done.returncode, done.stderr) == (0, "")
