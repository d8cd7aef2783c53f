"""One definition, made at one place, is one machine of the report, however many objects a program
makes of it, wherever they start, and however it changes.
"""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine, MachineError
from transitions.extensions import HierarchicalMachine

from fsm.adapters import model_of
from fsm.coverage import collecting, covered
from support.measured import cover, measured, place

STATES = ["open", "shut", "locked"]
ROWS = [["push", "open", "shut"], ["pull", "shut", "open"], ["lock", "shut", "locked"]]
PUSH, PULL, LOCK = "open -> shut on push", "shut -> open on pull", "shut -> locked on lock"


class Door:
    """What a machine drives."""


class Gate:
    """What another machine drives. It has a callback and a condition."""

    def on_enter_shut(self) -> None:
        """Nothing."""

    def is_free(self) -> bool:
        return True


class Shop(Machine):
    """A class of machines that is its own model."""

    def __init__(self, start: str = "open") -> None:
        settings: Any = {"states": STATES, "transitions": ROWS, "auto_transitions": False}
        super().__init__(initial=start, **settings)  # a shop


def door(model: Any = "self", **more: Any) -> Any:
    settings = {"states": STATES, "initial": "open", "transitions": ROWS} | more
    return Machine(model, auto_transitions=False, **settings)  # a door


# one definition -----------------------------------------------------------------------------------


def several_models() -> None:
    things: list[Any] = [Door(), Gate(), Door()]
    for thing in things:
        door(thing)
        thing.push()


def several_starts() -> None:
    door(initial="open").push()
    with pytest.raises(MachineError):
        door(initial="shut").push()


def several_names() -> None:
    for name in "abc":
        door(name=name).push()


def models_added_later() -> None:
    machine = door(None)
    things: list[Any] = [Door(), Gate()]
    for thing in things:
        machine.add_model(thing)
        thing.push()


def a_class_of_machines() -> None:
    for thing in (Shop(), Shop()):
        thing.push()


def conditions_that_are_objects() -> None:
    for number in (1, 2):
        conditions = [lambda: True, partial(bool, number), Gate().is_free]
        row = {"trigger": "push", "source": "open", "dest": "shut", "conditions": conditions}
        door(transitions=[row, *ROWS[1:]]).push()


def other_callbacks() -> None:
    for note in (partial(repr, 1), partial(repr, 2)):
        row = {"trigger": "push", "source": "open", "dest": "shut", "after": note}
        door(transitions=[row, *ROWS[1:]], before_state_change=note).push()


def copies() -> None:
    one = door()
    for each in (one, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        each.push()


@pytest.mark.parametrize(
    "run",
    [
        *(several_models, several_starts, several_names, models_added_later),
        *(a_class_of_machines, conditions_that_are_objects, other_callbacks, copies),
    ],
    ids=lambda run: run.__name__,
)
def test_objects_of_one_definition_are_one_machine(run: Callable[[], None]) -> None:
    [found] = measured(run)
    assert (found.count("states"), found.count()) == ("2 of 3", "1 of 3")


def test_members_of_an_enum_may_be_named() -> None:
    stages = Enum("stages", "OPEN SHUT")

    def run() -> None:
        for first in (stages.OPEN, "OPEN"):
            door(states=stages, initial=first, transitions=[["push", "OPEN", "SHUT"]]).push()

    [found] = measured(run)
    assert found.taken() == {"OPEN -> SHUT on push": 2}


def test_the_same_definition_at_another_line_is_another_machine() -> None:
    def run() -> None:
        Machine(states=STATES, initial="open", transitions=ROWS).trigger("push")
        Machine(states=STATES, initial="open", transitions=ROWS).trigger("push")

    assert [found.count() for found in measured(run)] == ["1 of 3", "1 of 3"]


def test_other_definitions_at_one_line_are_other_machines() -> None:
    def run() -> None:
        for rows in (ROWS, ROWS[:2], ROWS[:1]):
            door(Door(), transitions=rows).models[0].push()

    found = sorted(len(machine.items["transitions"]) for machine in measured(run))
    assert found == [1, 2, 3]


# names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("run", "name", "mark"),
    [
        (lambda: door(Door()).models[0].push(), "Door", "a door"),
        (a_class_of_machines, "Shop", "a shop"),
        (lambda: door(name="front").push(), "front", "a door"),
        (lambda: door().push(), "Machine", "a door"),
        (several_models, "Door, Gate", "a door"),
    ],
    ids=["its model", "its own class", "its name", "its class", "several models"],
)
def test_a_machine_is_named_for_what_it_drives_and_where_it_was_made(
    run: Callable[[], object], name: str, mark: str
) -> None:
    [found] = measured(run)
    assert found.name == f"{name} ({place(__file__, mark)})"


def test_a_machine_of_before_the_measuring_has_no_place() -> None:
    [found] = measured(door().push)
    assert found.name == "Machine"


def test_a_place_outside_of_the_root_is_a_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Path.cwd() / place(__file__, "a door")
    monkeypatch.chdir(tmp_path)
    [found] = measured(lambda: door().push())
    assert found.name == f"Machine ({here.as_posix()})"


def test_a_machine_that_cannot_be_read_is_a_line_of_the_report(tmp_path: Path) -> None:
    with collecting(tmp_path):
        door(Door(), transitions=[*ROWS, ["", "open", "shut"]]).models[0].push()
        door().push()
    done = cover("report", tmp_path)
    assert done.exit_code == 0 and f"Machine ({place(__file__, 'a door')})" in done.stdout
    [line] = done.stderr.splitlines()
    assert line.startswith(f"Door ({place(__file__, 'a door')}) is not measured: ")
    assert line.endswith("from 'open' to 'shut' has an empty trigger; name its event")


# machines that change -----------------------------------------------------------------------------


def added() -> None:
    one = door()
    one.push()
    one.add_transition("kick", "shut", "open")
    one.add_transition("unlock", "locked", "shut")
    one.lock()
    one.unlock()


def removed() -> None:
    one = door()
    one.push()
    one.remove_transition("push")
    one.pull()
    one.add_transition("slam", "open", "locked")
    one.slam()


def a_state_removed() -> None:
    one = door()
    one.push()
    one.lock()
    one.remove_transition("lock")
    del one.states["locked"]
    one.set_state("shut")
    one.pull()


@pytest.mark.parametrize(
    ("run", "states", "transitions"),
    [
        (added, "3 of 3", "3 of 5"),
        (removed, "2 of 3", "2 of 3"),
        (a_state_removed, "3 of 3", "3 of 3"),
    ],
)
def test_a_machine_that_changes_is_one_and_measured_as_it_was_with_most_transitions_or_last(
    run: Callable[[], None], states: str, transitions: str
) -> None:
    [found] = measured(run)
    assert (found.count("states"), found.count()) == (states, transitions)


def test_a_grown_machine_is_measured_by_its_model_of_then_and_of_now() -> None:
    with collecting() as session:
        one = door()
        before = model_of(one)
        one.push()
        one.add_transition("kick", "shut", "open")
        one.kick()
    for model in (before, model_of(one)):
        coverage = covered(model, "transitions", session.data)
        assert PUSH in {target.id for target in coverage.covered}


# where runs begin ---------------------------------------------------------------------------------


def test_the_state_in_which_a_run_begins_is_taken_even_if_nothing_fires() -> None:
    never = {"trigger": "bolt", "source": "open", "dest": "locked", "unless": lambda: True}
    [found] = measured(lambda: door(transitions=[*ROWS, never]).bolt())
    assert found.taken("states").keys() == {"open"}
    assert found.taken() == {}


def island(start: str, **more: Any) -> Any:
    """Nothing leads to the island."""
    rows = [["pay", "new", "paid"], ["send", "paid", "sent"], ["swim", "island", "new"]]
    states = ["new", "paid", "sent", "island"]
    return Machine(states=states, initial=start, transitions=rows, auto_transitions=False, **more)


def test_what_is_impossible_is_judged_from_all_states_in_which_runs_begin() -> None:
    [restored] = measured(lambda: [island(start).trigger("send") for start in ["paid"]])
    assert restored.impossible().keys() == {"new -> paid on pay", "island -> new on swim"}
    [fresh] = measured(lambda: [island("paid").send(), island("new").pay()])
    assert fresh.impossible() == {"island -> new on swim": "no row that can fire leads to island"}


def test_a_state_into_which_an_object_was_put_is_possible() -> None:
    def run() -> None:
        thing: Any = Door()
        rows = [["pay", "new", "paid"], ["swim", "island", "new"]]
        Machine(thing, ["new", "paid", "island"], "new", rows)
        thing.pay()
        thing.to_island()

    [found] = measured(run)
    assert (found.impossible(), found.missing()) == ({}, {"island -> new on swim"})


def test_states_that_only_a_start_enters_make_no_other_machine() -> None:
    rows = [
        ["hurry", "busy_slow", "busy_fast"],
        ["begin", "idle", "busy_slow"],
        ["stop", "busy", "idle"],
    ]
    states: list[Any] = ["idle", {"name": "busy", "children": ["slow", "fast"]}]

    def run() -> None:
        for start, event in [("idle", "begin"), ("busy_slow", "hurry"), ("busy", "stop")]:
            machine: Any = HierarchicalMachine(states=states, initial=start, transitions=rows)
            machine.trigger(event)

    [found] = measured(run)
    assert found.count() == "3 of 3"


def test_the_model_in_the_data_does_not_depend_on_what_was_met_first() -> None:
    def model_met(*runs: tuple[str, str]) -> Any:
        with collecting() as session:
            for start, event in runs:
                door(initial=start).trigger(event)
        [subject] = session.data.seen
        return session.data.models[subject]

    met = model_met(("open", "push"), ("shut", "lock"))
    assert met == model_met(("shut", "lock"), ("open", "push"))
    assert met.initial == "open"
