"""A shop with a door, two sets of tests for it, and `fsm mutate` as a user runs it."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import CompletedProcess

from support import processes

SHOP = '''
from transitions import Machine


class Door:
    """Is made by tests, in a function and in a class."""

    key = False

    def has_key(self):
        return self.key

    def ring(self):
        self.rung = True


ROWS = [
    ["push", "shut", "open"],
    ["pull", "open", "shut"],
    {"trigger": "lock", "source": "shut", "dest": "locked", "conditions": "has_key", "after": "ring"},
]


def door():
    thing = Door()
    Machine(thing, ["shut", "open", "locked"], initial="shut", transitions=ROWS, auto_transitions=False)
    return thing


def machine():
    return door().push.func.__self__.machine
'''
WEAK = """
import shop


def test_push():
    door = shop.door()
    door.push()
    assert door.state == "open"


def test_lock():
    door = shop.door()
    door.key = True
    door.lock()
    assert door.state == "locked"


def test_nothing():
    assert shop.ROWS
"""
STRONG = """
import pytest
import shop
from transitions import MachineError


def test_all():
    door = shop.door()
    assert door.state == "shut"
    door.push()
    assert door.state == "open"
    door.pull()
    assert door.state == "shut"
    assert not door.lock() and door.state == "shut"
    door.key = True
    assert door.lock() and door.state == "locked"
    assert door.rung
"""


def mutate(folder: Path, *words: str, machine: str = "shop:door") -> CompletedProcess[str]:
    """Run the command in a folder, as a user does."""
    command = [sys.executable, "-m", "fsm", "mutate", machine, *words]
    options = {
        "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:hypothesispytest",
    }
    environment = {**os.environ, **options}
    return processes.run(command, cwd=folder, env=environment)


def shop(folder: Path, tests: str, source: str = SHOP) -> Path:
    """Write the machine and its tests."""
    (folder / "shop.py").write_text(source, encoding="utf-8")
    (folder / "test_shop.py").write_text(tests, encoding="utf-8")
    (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return folder


def survivors(text: str) -> list[str]:
    """The lines of the report on changes that no test has noticed."""
    return [line for line in text.splitlines() if line.startswith("  survived: ")]
