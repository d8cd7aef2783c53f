"""A machine may be named by its file, as in `fsm check shop/door.py:door`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsm.cli import cli

DOOR = """
from transitions import Machine
door = Machine(states=["open", "shut"], initial="open", auto_transitions=False)
door.add_transition("push", "open", "shut")
door.add_transition("pull", "shut", "open")
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    for name in [name for name in sys.modules if name.partition(".")[0] == "specshop"]:
        monkeypatch.delitem(sys.modules, name)
    Path("specshop/parts").mkdir(parents=True)
    for name in ("specshop/__init__.py", "specshop/parts/__init__.py"):
        Path(name).touch()
    for name in ("specshop/parts/door.py", "json.py"):
        Path(name).write_text(DOOR, "utf-8")
    return tmp_path


def fsm(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), prog_name="fsm")


def test_a_file_is_the_module_that_it_is_imported_as(here: Path) -> None:
    by_module = fsm("check", "specshop.parts.door:door")
    for file in (
        "specshop/parts/door.py",
        "./specshop/parts/door.py",
        here / "specshop/parts/door.py",
    ):
        by_file = fsm("check", f"{file}:door")
        assert by_file.exit_code == by_module.exit_code == 0, by_file.output
    spec = "specshop/parts/door.py:door"
    assert fsm("paths", spec, "--format", "pytest", "-o", "test_door.py").exit_code == 0
    written = Path("test_door.py").read_text("utf-8")
    assert "from specshop.parts.door import door as original" in written


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("specshop/window.py:door", "there is no file 'specshop/window.py'"),
        ("json.py:door", "Python finds another module 'json'"),
        ("specshop/parts/door.py:dor", "has no 'dor'; did you mean 'door'?"),
        (
            "specshop/parts/door.py",
            "name what is in the file, such as specshop/parts/door.py:TABLE",
        ),
    ],
)
@pytest.mark.parametrize("command", ["check", "draw -o door.svg", "paths"])
def test_a_wrong_file_is_refused_in_one_line(command: str, spec: str, said: str) -> None:
    done = fsm(*command.split(), spec)
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
