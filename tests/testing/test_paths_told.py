"""Paths as scenario files, tests and JSON; the command; and ways through plain machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path as File

import pytest
from click.testing import CliRunner

import fsm
from fsm.cli import cli
from fsm.coverage import covered, data_of
from fsm.scenarios import play
from fsm.testing import paths
from fsm.testing.generation.scenarios import scenarios

SOME = 4_000


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """The command line: how it ends, and all that it says."""

    def run(*words: str) -> tuple[int, str]:
        result = CliRunner().invoke(cli, list(words))
        out, err = capfd.readouterr()
        return result.exit_code, out + err + result.output

    return run


# scenarios ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_scenarios_take_what_they_say_and_hold(name: str) -> None:
    model = fsm.load(name)
    found = paths(model, "transitions", effort=SOME)
    told = list(scenarios(found, name))
    assert len(told) >= len(found) // 2
    every = sum(len(one.takes) + len(one.left) for one in told)
    assert sum(len(one.takes) for one in told) > every / 2
    for one in told:
        outcome = play(fsm.scenarios.load(one.data, place="made")[0])
        assert outcome.ok
        assert one.data["expect"]
        taken = covered(model, "transitions", data_of(model, [outcome.trace])).taken
        assert {t.key for t in one.takes} <= set(taken)
        assert not {t.key for t in one.left} & set(taken)


def test_a_scenario_does_not_hold_for_another_way() -> None:
    """What it expects is of its way: a skip more of what it comes to, and it fails."""
    told = list(scenarios(paths(fsm.load("magic"), "transitions", effort=SOME), "magic"))
    skips = [{"do": "skip_step", "step": "upkeep"}, {"do": "skip_phase", "phase": "combat"}]
    changed = [{**one.data, "given": [*skips, *one.data["given"]]} for one in told]
    assert not all(play(fsm.scenarios.load(each, place="made")[0]).ok for each in changed)


# the command --------------------------------------------------------------------------------------


def test_the_command_writes_scenarios_that_fsm_run_plays(run: Run, tmp_path: File) -> None:
    file = tmp_path / "paths.json"
    code, _ = run(
        "paths", "grand-archive", "--format", "scenario", "--seconds", "2", "-o", str(file)
    )
    assert code == 1  # some are open: so little was tried
    code, text = run("run", str(file))
    assert code == 0, text


def test_the_command_says_what_is_open_and_why(run: Run) -> None:
    code, text = run("paths", "grand-archive", "--seconds", "0.5")
    assert code == 1
    assert "it takes 1000 times the same" in text
    assert "no path to it was found within the effort" in text


def test_the_command_finds_a_way_to_a_state(run: Run) -> None:
    code, text = run("paths", "magic", "--to", "upkeep_window")
    assert code == 0
    assert text.startswith("the shortest path found to upkeep_window: 4 answers")
    code, text = run("paths", "magic", "--to", "upkep_window")
    assert code == 2
    assert "did you mean 'upkeep_window'" in text


# plain machines -----------------------------------------------------------------------------------


LAMP = """
from {module} import {kind} as Machine

class Lamp:
    paid = False

    def is_paid(self):
        return self.paid

    def pay(self):
        self.paid = True

    def never(self):
        return False

    def fails(self):
        raise ValueError

def lamp():
    return Machine(Lamp(), states=["off", "on"], initial="off", auto_transitions=False, transitions=[
        {{"trigger": "switch", "source": "off", "dest": "on", "conditions": "is_paid"}},
        {{"trigger": "switch", "source": "on", "dest": "off"}},
        {{"trigger": "bill", "source": "off", "dest": "off", "after": "pay"}},
        {{"trigger": "wish", "source": "off", "dest": "on", "conditions": "never"}},
        {{"trigger": "break", "source": "on", "dest": "off", "before": "fails"}},
    ])
"""
LAMP_TEXT = """\
transitions of lamps:lamp: 4 of 5 taken

off -> on on switch [is_paid]:
  bill                 -> off
  switch               -> on

on -> off on switch:
  bill                 -> off
  switch               -> on
  switch               -> off

off -> off on bill:
  bill                 -> off

off -> on on wish [never]:
  wish                 -> on; never says yes

no way: on -> off on break: its callbacks do not let it pass: --callbacks stub does without them
"""


@pytest.fixture
def lamps(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> Iterator[File]:
    """A module that can be imported, not yet written."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path / "lamps.py"
    sys.modules.pop("lamps", None)


@pytest.mark.parametrize(
    "kind",
    [
        "transitions.Machine",
        "transitions.extensions.HierarchicalMachine",
        "transitions.extensions.asyncio.AsyncMachine",
    ],
)
def test_a_way_to_each_transition_asks_real_conditions_where_it_can(
    kind: str, lamps: File, run: Run
) -> None:
    module, _, name = kind.rpartition(".")
    lamps.write_text(LAMP.format(module=module, kind=name), "utf-8")
    assert run("paths", "lamps:lamp") == (1, LAMP_TEXT)
    code, text = run("paths", "lamps:lamp", "--format", "json", "--callbacks", "stub")
    ways = json.loads(text)["ways"]
    assert code == 0
    assert ways[0]["events"] == [
        {"event": "switch", "conditions": {"is_paid": True}, "state": "on"}
    ]
    assert run("paths", "lamps:lamp", "--format", "scenario")[0] == 2
