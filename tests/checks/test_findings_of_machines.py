"""Plain machines of the `transitions` library: each fault is planted in a door that has no other."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

import pytest
from transitions import Machine
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.checks import Report, report

DOOR = ["open", "shut", "ajar"], ["shut", "ajar", "shut"], ["lock", "shut", "locked"]
STATES = ["shut", "ajar", {"name": "locked", "final": True}]
KNOCK: dict[str, Any] = {"trigger": "knock", "source": "shut"}
HEARD = {**KNOCK, "dest": "ajar", "conditions": "heard"}


def checked(machine: Any) -> Report:
    return report(machine)


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
    "a state that is not there": (
        [["air", "shut", "ajr"]],
        [],
        ("no such state", "shut -> ajr on air"),
    ),
    "a lonely state": ([], ["attic"], ("unreachable", "attic")),
}


@pytest.mark.parametrize(("rows", "states", "fault"), FAULTS.values(), ids=FAULTS)
def test_a_fault_is_found(rows: list[Any], states: list[str], fault: tuple[str, str]) -> None:
    result = door(*rows, states=states)
    assert found(result) == [fault]
    assert json.dumps([finding.as_dict() for finding in result.findings])
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


def test_what_is_wrong_with_a_state_or_a_row_is_said_with_a_remedy() -> None:
    [unknown] = door(["air", "shut", "ajr"]).findings
    assert "did you mean 'ajar'?" in unknown.message
    second = door(["open", "shut", "locked"]).findings
    assert [one.message for one in second] == [
        "'shut -> locked on open' can never fire: "
        "'shut -> ajar on open' is tried before it with no other condition"
    ]


def test_an_internal_transition_and_a_state_entered_by_name_are_notes() -> None:
    inside = door(["knock", "shut", None])
    assert (found(inside), inside.good) == ([("ignored", "knock")], True)
    rows: list[Any] = [["open", "shut", "ajar"], ["shut", ["ajar", "attic"], "shut"]]
    named = checked(Machine(states=["shut", "ajar", "attic"], initial="shut", transitions=rows))
    assert (found(named), named.good) == ([("only by name", "attic")], True)


class Keeper:
    """Its method has the name of a trigger."""

    def open(self) -> None: ...


def test_a_trigger_that_the_model_hides_is_found() -> None:
    assert found(door(model=Keeper())) == [("hidden", "open")]
    assert found(door(model=Keeper(), model_override=True)) == []


def test_callbacks_that_fire_the_next_event_and_enum_triggers_are_sound() -> None:
    class Call(StrEnum):
        KNOCK = "knock"

    assert (
        found(door({"trigger": "open", "source": "locked", "dest": "ajar", "after": "shut"})) == []
    )
    assert found(door({**HEARD, "trigger": Call.KNOCK})) == []


def test_parallel_states_of_the_start_are_reached_and_all_of_them_have_to_end() -> None:
    half = {"children": ["1", "2"], "initial": "1", "transitions": [["go", "1", "2"]]}
    both = {"name": "p", "parallel": [{"name": "l", **half}, {"name": "r", **half}]}
    start: dict[str, Any] = {"initial": ["p_l_1", "p_r_1"], "auto_transitions": False}
    ended = checked(HierarchicalMachine(states=[both], **start))
    assert found(ended) == [("end", "p_l_2"), ("end", "p_r_2")]
    more = [["back", "p_r_2", "p_r_1"]]
    assert found(checked(HierarchicalMachine(states=[both], transitions=more, **start))) == []


def test_an_empty_trigger_is_one_clear_error() -> None:
    with pytest.raises(fsm.FsmError, match="has an empty trigger; name its event"):
        door(["", "shut", "ajar"])


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
