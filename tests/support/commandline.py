"""The command line, run in this process and in the current folder."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from fsm.cli import cli

DOOR = """
from transitions import Machine
door = Machine(states=["open", "shut"], initial="open", auto_transitions=False, name="door")
door.add_transition("push", "open", "shut")
door.add_transition("pull", "shut", "open")
"""
"""A module with a plain machine."""
LUNCH = """
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.rulesets.properties import PROPERTIES, Property, never, priority

LUNCH = Table("lunch", Phase("day", Step("cook", Act("stir")), Step("eat", Window())))
SNACK = Table("snack", Phase("day", Step("eat", Window())))
PROPERTIES["lunch"] = (Property("quiet", "nobody acts at lunch", "2", never(priority("eat"))),)
PROPERTIES["snack"] = (Property("calm", "nobody acts before lunch", "2", never(priority("cook"))),)
"""
"""A module with two small games. The property of the first is broken."""


def command(line: str, *words: object) -> Result:
    """Run a command line. `words` follow as they are, with their spaces."""
    return CliRunner().invoke(cli, [*line.split(), *map(str, words)], prog_name="fsm")


def says(line: str, *words: object, code: int = 0) -> str:
    """Return what a command prints, which must end with this exit code."""
    done = command(line, *words)
    assert done.exit_code == code, done.output
    return done.output


def refused(line: str, *words: object) -> str:
    """Run a command that must refuse its input in one line, and write nothing. Return the line."""
    before = _files()
    done = command(line, *words)
    assert (done.exit_code, done.stdout) == (2, ""), done.output
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert _files() == before
    return done.stderr


def written(name: str, data: object) -> str:
    """Write a text, or other data as JSON, to a file of this name. Return the name."""
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return name


def read(name: str) -> str:
    return Path(name).read_text("utf-8")


def _files() -> dict[Path, bytes]:
    files = [path for path in Path().rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {path: path.read_bytes() for path in files}
