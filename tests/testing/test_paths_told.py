"""Paths as scenario files, tests and JSON; the command; and sequences for plain machines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path as File

import pytest
from click.testing import CliRunner
from transitions import Machine
from transitions.extensions import HierarchicalMachine
from transitions.extensions.asyncio import AsyncMachine

import fsm
from fsm.cli import cli
from fsm.coverage import covered, data_of
from fsm.scenarios import parse_scenarios, play
from fsm.testing.generation import paths
from fsm.testing.generation.machines import machine_sequences
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
        outcome = play(parse_scenarios(one.data, "made")[0])
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
    assert not all(play(parse_scenarios(each, "made")[0]).ok for each in changed)


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


class Lamp:
    """Burns only when it is paid for."""

    paid = False

    def is_paid(self) -> bool:
        return self.paid

    def pay(self) -> None:
        self.paid = True

    def never(self) -> bool:
        return False


ROWS = [
    {"trigger": "switch", "source": "off", "dest": "on", "conditions": "is_paid"},
    {"trigger": "switch", "source": "on", "dest": "off"},
    {"trigger": "bill", "source": "off", "dest": "off", "after": "pay"},
    {"trigger": "wish", "source": "off", "dest": "on", "conditions": "never"},
]


def lamp(kind: type[Machine] = Machine) -> Machine:
    return kind(Lamp(), states=["off", "on"], initial="off", transitions=ROWS)


@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine, AsyncMachine])
def test_sequences_take_what_conditions_allow_and_tell_the_rest(kind: type) -> None:
    machine = lamp(kind)
    found = machine_sequences(machine)
    assert found.taken == 3
    assert [(arc.row.event, str(arc.row.guard[0])) for arc in found.held] == [("wish", "never")]
    assert found.apart == ()
    assert (
        machine.models[0].state == "off" and not machine.models[0].paid
    )  # it has not been touched


def test_nested_machines_are_taken_through() -> None:
    states = ["out", {"name": "in", "initial": "a", "children": ["a", "b"]}]
    rows = [["enter", "out", "in"], ["go", "in_a", "in_b"], ["leave", "in", "out"]]
    found = machine_sequences(HierarchicalMachine(states=states, transitions=rows, initial="out"))
    assert (found.held, found.apart) == ((), ())
    assert {event for sequence in found for event in sequence.events} == {"enter", "go", "leave"}
