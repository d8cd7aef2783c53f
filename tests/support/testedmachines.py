"""Machines for generated tests: one of each kind that the transitions library has, in one module of
a user.
"""

from __future__ import annotations

import sys
from pathlib import Path
from subprocess import CompletedProcess

from click.testing import Result

from support import processes
from support.commandline import command

MODULE = "tested"
SOURCE = '''from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Any

from transitions import Machine
from transitions.extensions import (
    AsyncMachine,
    HierarchicalAsyncMachine,
    HierarchicalMachine,
    LockedMachine,
)



class Lamp:
    """Burns only when it is paid for."""

    paid = False
    bills = 0

    def is_paid(self, *_: Any, **__: Any) -> bool:
        return self.paid

    @property
    def has_bulb(self) -> bool:
        return False

    def pay(self, *_: Any, **__: Any) -> None:
        self.paid = True

    def never(self, *_: Any, **__: Any) -> bool:
        return False

    def on_enter_on(self, *_: Any, **__: Any) -> None:
        self.bills += 1


def needs_ticket(limit: int, *_: Any) -> bool:
    """Says no."""
    return limit > 5


ROWS: list[Any] = [
    {"trigger": "switch", "source": "off", "dest": "on", "conditions": "is_paid"},
    {"trigger": "switch", "source": "off", "dest": "off", "unless": ["is_paid", "has_bulb"]},
    {"trigger": "switch", "source": "on", "dest": "off", "conditions": "has_bulb"},
    {"trigger": "bill", "source": "off", "dest": "off", "after": "pay"},
    {"trigger": "wish", "source": "off", "dest": "on", "conditions": ["never", "tested.needs_ticket"]},
    {"trigger": "pat", "source": "*", "dest": None},
]
DATA: dict[str, Any] = {"states": ["off", "on"], "initial": "off", "transitions": ROWS}


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Door:
    """Has a machine of its own."""

    def __init__(self) -> None:
        rows = [["push", "shut", "open"], ["pull", "open", "shut"]]
        self.machine = Machine(self, ["shut", "open"], initial="shut", transitions=rows)


flat = Machine(Lamp(), **DATA)
several = Machine([Lamp(), Lamp()], **DATA)
queued = Machine(Lamp(), queued=True, **DATA)
renamed = Machine(Lamp(), model_attribute="light", **DATA)
events = Machine(Lamp(), send_event=True, **DATA)
locked = LockedMachine(Lamp(), **DATA)
later = AsyncMachine(Lamp(), **DATA)
itself = Machine(states=["a", "b"], initial="a", transitions=[["go", "a", "b"], ["go", "b", "a"]])
colours = Machine(
    states=Colour,
    initial=Colour.RED,
    transitions=[
        {"trigger": "go", "source": Colour.RED, "dest": Colour.GREEN, "conditions": lambda *_: False},
        {"trigger": "go", "source": Colour.RED, "dest": Colour.RED, "unless": partial(needs_ticket, 9)},
        {"trigger": "stop", "source": Colour.GREEN, "dest": Colour.RED, "conditions": [needs_ticket]},
    ],
)
later_functions = AsyncMachine(
    states=["a", "b"],
    initial="a",
    transitions=[{"trigger": "go", "source": "a", "dest": "b", "conditions": [partial(needs_ticket, 9)]}],
)
NESTED: dict[str, Any] = {
    "states": ["off", {"name": "on", "initial": "low", "children": ["low", "high"],
                       "transitions": [["turn", "low", "high"], ["turn", "high", "low"]]}],
    "transitions": [["push", "off", "on"], ["push", "on", "off"]],
    "initial": "off",
}
nested = HierarchicalMachine(**NESTED)
nested_later = HierarchicalAsyncMachine(**NESTED)
AT_ONCE: dict[str, Any] = {
    "states": ["off", {"name": "on", "parallel": [
        {"name": "sound", "initial": "low", "children": ["low", "high"], "transitions": [["louder", "low", "high"]]},
        {"name": "light", "initial": "dim", "children": ["dim", "bright"],
         "transitions": [["louder", "bright", "dim"], ["brighter", "dim", "bright"]]}]}],
    "transitions": [["push", "off", "on"], ["push", "on", "off"]],
    "initial": "off",
}
parallel = HierarchicalMachine(**AT_ONCE)
parallel_later = HierarchicalAsyncMachine(**AT_ONCE)


def made() -> Machine:
    """A machine, of which no copy can be made."""
    lamp = Lamp()
    lamp.opened = open(__file__)  # type: ignore[attr-defined]
    lamp.opened.close()  # type: ignore[attr-defined]
    return Machine(lamp, **DATA)
'''
SPECS = [
    "flat",
    "several",
    "queued",
    "renamed",
    "events",
    "locked",
    "later",
    "itself",
    "colours",
    "later_functions",
    "nested",
    "nested_later",
    "parallel",
    "parallel_later",
    "made",
    "Door",
]
"""What can be named of the module."""
PYTEST = [
    sys.executable,
    *["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", "."],
]


def write(folder: Path, spec: str, *options: str, file: str = "test_it.py") -> Result:
    """Write the tests of a machine in the folder's module."""
    return command("paths", spec, "--format", "pytest", "-o", folder / file, *options)


def run(folder: Path, *words: str) -> CompletedProcess[str]:
    """Run pytest in the folder."""
    return processes.run([*PYTEST, *words], cwd=folder)
