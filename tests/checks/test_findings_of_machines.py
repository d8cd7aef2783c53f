"""Plain machines of the `transitions` library: each fault is planted in a door that has no other."""

from __future__ import annotations

from typing import Any

import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import model_of
from fsm.checks import Report, report

DOOR = ["open", "shut", "ajar"], ["shut", "ajar", "shut"], ["lock", "shut", "locked"]
STATES = ["shut", "ajar", {"name": "locked", "final": True}]
KNOCK: dict[str, Any] = {"trigger": "knock", "source": "shut"}
HEARD = {**KNOCK, "dest": "ajar", "conditions": "heard"}


def checked(machine: Any) -> Report:
    return report(model_of(machine), machine=machine)


def door(*rows: Any, states: Any = (), **options: Any) -> Report:
    """What is found in a door with more rows and states."""
    machine = Machine(
        states=[*STATES, *states],
        initial="shut",
        transitions=[*DOOR, *rows],
        auto_transitions=False,
        **options,
    )
    return checked(machine)


def found(result: Report) -> list[tuple[str, str]]:
    return [(finding.kind, finding.subject) for finding in result.findings]


FAULTS: dict[str, tuple[list[Any], list[str], tuple[str, str]]] = {
    "nothing leads there": ([["air", "gone", "shut"]], ["gone"], ("unreachable", "gone")),
    "nothing leads on": ([["slam", "ajar", "broken"]], ["broken"], ("dead end", "broken")),
    "no way to a final state": (
        [["oil", "ajar", "wide"], ["lift", "wide", "off"], ["hang", "off", "wide"]],
        ["wide", "off"],
        ("no way out", "wide"),
    ),
    "twice": ([["open", "shut", "ajar"]], [], ("duplicate", "shut -> ajar on open")),
    "behind fewer conditions": (
        [HEARD, {**KNOCK, "dest": "locked", "conditions": ["late", "heard"]}],
        [],
        ("shadowed", "shut -> locked on knock [late, heard]"),
    ),
    "a reflexive trigger": ([["knock", "shut", "="]], [], ("no effect", "knock")),
    "an internal trigger": ([["knock", "shut", None]], [], ("no effect", "knock")),
    "a lonely state": ([], ["attic"], ("unreachable", "attic")),
}


@pytest.mark.parametrize(("rows", "states", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(rows: list[Any], states: list[str], fault: tuple[str, str]) -> None:
    result = door(*rows, states=states)
    assert found(result) == [fault]
    assert not result.good


SOUND: dict[str, list[Any]] = {
    "as it stands": [],
    "more conditions first": [{**KNOCK, "dest": "locked", "conditions": ["late", "heard"]}, HEARD],
    "other conditions": [HEARD, {**KNOCK, "dest": "ajar", "conditions": "awake"}],
    "opposed conditions": [
        HEARD,
        {**KNOCK, "dest": "locked", "unless": "heard"},
        {**KNOCK, "dest": "shut", "after": "swear"},
    ],
    "a callback": [{**KNOCK, "dest": "=", "before": "listen"}],
}


@pytest.mark.parametrize("rows", SOUND.values(), ids=SOUND)
def test_a_sound_door_has_no_finding(rows: list[Any]) -> None:
    assert found(door(*rows)) == []


def test_a_callback_of_the_machine_or_a_state_is_an_effect() -> None:
    hall = {"name": "hall", "on_enter": "echo"}
    rows = ["cross", "shut", "hall"], ["knock", "hall", "="], ["back", "hall", "shut"]
    assert found(door(["knock", "shut", "="], after_state_change="note")) == []
    assert found(door(*rows, states=[hall])) == []


def test_a_finding_shows_a_way_there() -> None:
    [finding] = door(*FAULTS["no way to a final state"][0], states=["wide", "off"]).findings
    assert finding.path == ("shut -> ajar on open", "ajar -> wide on oil")


def test_without_final_states_an_end_is_a_note_and_nothing_has_to_end() -> None:
    rows: list[Any] = [["open", "shut", "ajar"], ["shut", "ajar", "shut"]]
    assert found(checked(Machine(states=["shut", "ajar"], initial="shut", transitions=rows))) == []
    rows = [*rows, ["burn", "shut", "ashes"]]
    result = checked(Machine(states=["shut", "ajar", "ashes"], initial="shut", transitions=rows))
    [finding] = result.findings
    assert (finding.kind, finding.subject, finding.severity) == ("end", "ashes", "note")
    assert result.good


def test_a_nested_state_that_nothing_leads_to() -> None:
    work = {"name": "work", "initial": "dig", "children": ["dig", "rest"]}
    rows: list[Any] = [["go", "idle", "work"], ["stop", "work", "idle"]]
    machine = HierarchicalMachine(
        states=["idle", work], initial="idle", transitions=rows, auto_transitions=False
    )
    assert found(checked(machine)) == [("unreachable", "work_rest")]


def test_a_machine_made_from_a_model_is_checked_as_the_model() -> None:
    holed = fsm.load("magic-classic").without("untap_end -> untap_after")
    assert ("dead end", "untap_end on done") in found(checked(fsm.engine.Machine.from_model(holed)))
