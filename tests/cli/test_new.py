"""`fsm new` writes a game that runs, and against which check, pytest, ruff and mypy have nothing."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm.cli import cli
from support import processes


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "my_game.py"
    done = CliRunner().invoke(cli, ["new", str(path)])
    assert done.exit_code == 0, done.output
    assert "fsm check my_game:GAME" in done.output
    return path


@pytest.mark.parametrize(
    "command",
    [
        ["my_game.py"],
        ["-m", "fsm", "check", "my_game:GAME"],
        ["-m", "pytest", "-q", "-p", "no:cacheprovider", "my_game.py"],
    ],
    ids=["python", "fsm check", "pytest"],
)
def test_what_it_writes_works(game: Path, command: list[str]) -> None:
    done = processes.run([sys.executable, *command], cwd=game.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_file_that_is_there_is_not_overwritten(game: Path) -> None:
    before = game.read_text("utf-8")
    done = CliRunner().invoke(cli, ["new", str(game)])
    assert done.exit_code == 2
    assert "is there already" in done.output
    assert game.read_text("utf-8") == before


@pytest.mark.parametrize("name", ["my-game.py", "game.txt", "class.py", "1st.py"])
def test_a_name_that_cannot_be_imported_is_refused(name: str, tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["new", str(tmp_path / name)])
    assert done.exit_code == 2
    assert "mygame.py" in done.output
    assert not (tmp_path / name).exists()
