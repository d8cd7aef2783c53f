"""Runs of pytest with the plugin, in processes of their own, on machines that know nothing of it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support import processes

MACHINES = '''
from transitions import Machine
from transitions.extensions import AsyncMachine, HierarchicalMachine


class Ice:
    warm = False

    def is_warm(self):
        return self.warm


def ice(name="Ice"):
    """Three states of matter, one way out of ice guarded. With a name of its own, another machine: a state more."""
    thing = Ice() if name == "Ice" else type(name, (Ice,), {})()
    states = ["solid", "liquid", "gas", *([] if name == "Ice" else [name])]
    Machine(thing, states, initial="solid", transitions=[
        {"trigger": "heat", "source": "solid", "dest": "liquid", "conditions": "is_warm"},
        {"trigger": "heat", "source": "liquid", "dest": "gas"},
        {"trigger": "cool", "source": "gas", "dest": "liquid"},
        {"trigger": "cool", "source": "liquid", "dest": "solid"},
    ])
    return thing


def melt(name):
    thing = ice(name)
    thing.warm = True
    assert thing.heat()
    return thing


def ice_machine():
    return ice().trigger.func.__self__


signal = Machine(states=["stop", "ready", "go"], initial="stop", ordered_transitions=True, name="Signal")

brewer = HierarchicalMachine(
    states=["off", {"name": "on", "initial": "grinding", "children": ["grinding", "pouring"]}],
    transitions=[["start", "off", "on"], ["pour", "on_grinding", "on_pouring"], ["stop", "on", "off"]],
    initial="off", name="Brewer", auto_transitions=False,
)

parcel = AsyncMachine(
    states=["packed", "sent", "there"], initial="packed", name="Parcel",
    transitions=[["send", "packed", "sent"], ["arrive", "sent", "there"], ["return_", "there", "packed"]],
)
'''
TESTS = """
import asyncio
import machines


def test_melting():
    thing = machines.ice()
    assert not thing.heat()
    thing.warm = True
    assert thing.heat()


def test_boiling():
    thing = machines.ice()
    thing.warm = True
    assert thing.heat() and thing.heat()


def test_signal():
    assert machines.signal.next_state()


def test_brewing():
    machines.brewer.start()
    machines.brewer.pour()
    machines.brewer.stop()


def test_parcel():
    async def way():
        await machines.parcel.send()
        await machines.parcel.arrive()

    asyncio.run(way())
"""
SHARES = {
    "Ice": ["3/3", "2/4", "2/2", "1/6"],
    "Signal": ["2/3", "1/3", "0/0", "0/3"],
    "Brewer": ["4/4", "3/3", "0/0", "2/4"],
    "Parcel": ["3/3", "2/3", "0/0", "1/3"],
}
"""What these tests take of each machine, by the criteria of EACH."""
ALLOW = """
[[allow]]
of = "machines:ice_machine"
criterion = "transitions"
target = "liquid -> solid on cool"
why = "ice is never wanted back"

[[allow]]
criterion = "transitions"
target = "gas -> liquid on cool"
why = "ice is never wanted back"
"""
ASKED = ("--fsm-cov=machines:ice_machine", "--fsm-cov-criteria=transitions")
"""Of this machine alone, of which two transitions may be missing."""
EACH = "--fsm-cov-criteria=states,transitions,literals,pairs"


@dataclass(frozen=True)
class Run:
    """How a run of pytest ended, what it printed, and in which folder it ran."""

    code: int
    out: str
    err: str
    folder: Path

    def outcomes(self) -> dict[str, int]:
        """How many tests passed, failed, and so on."""
        return {
            word: int(count)
            for count, word in re.findall(r"(\d+) (\w+)", self.out.strip().splitlines()[-1])
        }

    def report(self) -> Any:
        """The JSON report."""
        return json.loads((self.folder / "fsm-coverage.json").read_text(encoding="utf-8"))

    def by_test(self, machine: str) -> dict[str, dict[str, int]]:
        """Of one machine in the JSON report: each transition that was taken, and how often by which
        test.
        """
        machines = self.report()["machines"]
        [found] = (one for one in machines if one["name"].partition(" (")[0] == machine)
        [transitions] = (one for one in found["criteria"] if one["criterion"] == "transitions")
        taken = {item["id"]: item.get("contexts", {}) for item in transitions["items"]}
        return {
            id: {context.rpartition("::")[2]: count for context, count in counts.items()}
            for id, counts in taken.items()
            if counts
        }


def write(folder: Path, **modules: str) -> Path:
    """Write these modules into the folder, which is made if need be."""
    folder.mkdir(exist_ok=True)
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


def pytest_here(
    folder: Path,
    *arguments: str,
    autoload: bool = False,
    module: bool = True,
    path: Sequence[str] = (),
) -> Run:
    """Run pytest in this folder, with no plugin but ours and those asked for.

    autoload: with the plugins that are installed, as users run it. module: as `python -m pytest`,
    else as the script `pytest`, which does not look for modules in the current folder. path: where
    modules are looked for before the installed ones.
    """
    command = [sys.executable, *([] if module else ["-P"]), "-m", "pytest"]
    plugin = (
        ["-p", "no:hypothesispytest"] if autoload else ["-p", "pytest_turn_fsm"]
    )  # that one is slow to end
    unwanted = (
        "PYTEST_ADDOPTS",
        "PYTEST_PLUGINS",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
        "FSM_COVERAGE",
        "PYTHONPATH",
    )
    clean = {key: value for key, value in os.environ.items() if key not in unwanted}
    if path:
        clean["PYTHONPATH"] = os.pathsep.join(path)
    if not autoload:
        clean["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command += ["-q", "-p", "no:cacheprovider", f"--rootdir={folder}", *plugin, *arguments]
    done = processes.run(command, cwd=folder, env=clean)
    return Run(done.returncode, done.stdout, done.stderr, folder)


def shares(text: str) -> dict[str, list[str]]:
    """What the table says of each machine: "3/4" and so on, without the percentages and the places."""
    _, mark, table = text.partition("coverage of state machines")
    assert mark, text
    lines = (re.sub(r" \(\S+:\d+\)", "", line) for line in table.splitlines())
    rows = [line.split() for line in lines if re.search(r"\d+/\d+ +[\d.]+%", line)]
    return {row[0]: row[1::2] for row in rows if row[0] != "total"}
