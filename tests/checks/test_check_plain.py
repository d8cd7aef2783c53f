"""Plain machines of the transitions library: what can be decided there, each defect in a machine
that has just it.
"""

from __future__ import annotations

from typing import Any

import pytest
import transitions
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import model_of
from fsm.checks import Finding, report
from fsm.checks.plain import remarks
from support.foreignmachines import FLAT, NESTED, lamp, order

DOOR = (["open", "shut", "ajar"], ["shut", "ajar", "shut"], ["lock", "shut", "locked"])
STATES = ["shut", "ajar", {"name": "locked", "final": True}]


def machine(*rows: Any, states: Any = (), **more: Any) -> Any:
    return transitions.Machine(
        states=[*STATES, *states],
        initial="shut",
        transitions=[*DOOR, *rows],
        auto_transitions=False,
        **more,
    )


def found(one: Any) -> list[tuple[str, str]]:
    return [(f.kind, f.subject) for f in findings(one)]


def findings(one: Any) -> tuple[Finding, ...]:
    return report(model_of(one), machine=one).findings


def test_a_door_has_no_findings() -> None:
    assert found(machine()) == []


def test_a_state_that_nothing_leads_to() -> None:
    assert found(machine(["unhinge", "gone", "shut"], states=["gone"])) == [("unreachable", "gone")]


def test_a_state_that_only_a_shadowed_transition_leads_to() -> None:
    rows = ["open", "shut", "wide"], ["shut", "wide", "shut"]
    shadowed = [("unreachable", "wide"), ("shadowed", "shut -> wide on open")]
    assert sorted(found(machine(*rows, states=["wide"]))) == sorted(shadowed)


def test_a_dead_end_is_a_state_without_a_way_on_that_is_not_final() -> None:
    rows = ({"trigger": "slam", "source": "ajar", "dest": "broken"},)
    assert ("dead end", "broken") in found(machine(*rows, states=["broken"]))
    assert found(machine(*rows, states=[{"name": "broken", "final": True}])) == []


def test_where_no_state_is_marked_as_final_a_state_without_a_way_on_is_a_note() -> None:
    rows: list[Any] = [["open", "shut", "ajar"], ["burn", ["shut", "ajar"], "ashes"]]
    one = transitions.Machine(states=["shut", "ajar", "ashes"], initial="shut", transitions=rows)
    (finding,) = findings(one)
    assert (finding.kind, finding.subject, finding.severity) == ("end", "ashes", "note")
    assert report(model_of(one), machine=one).good


def test_an_unreachable_state_without_a_way_on_is_one_finding() -> None:
    rows = [["open", "shut", "ajar"], ["shut", "ajar", "shut"]]
    one = transitions.Machine(states=["shut", "ajar", "attic"], initial="shut", transitions=rows)
    assert found(one) == [("unreachable", "attic")]
    assert not report(model_of(one), machine=one).good
    assert found(machine(states=["attic"])) == [("unreachable", "attic")]


def test_unreachable_states_that_lead_round_and_round_are_just_that() -> None:
    rows = ["climb", "attic", "roof"], ["fall", "roof", "attic"]
    assert found(machine(*rows, states=["attic", "roof"])) == [
        ("unreachable", "attic"),
        ("unreachable", "roof"),
    ]


def test_states_from_which_no_final_state_can_be_reached() -> None:
    rows = ["oil", "ajar", "wide"], ["lift", "wide", "off"], ["hang", "off", "wide"]
    (finding,) = findings(machine(*rows, states=["wide", "off"]))
    assert (finding.kind, finding.subject) == ("no way out", "wide")
    assert finding.path == ("shut -> ajar on open", "ajar -> wide on oil")


def test_without_final_states_nothing_has_to_end() -> None:
    rows = [["open", "shut", "ajar"], ["shut", "ajar", "shut"]]
    assert (
        found(transitions.Machine(states=["shut", "ajar"], initial="shut", transitions=rows)) == []
    )


def test_the_same_transition_twice() -> None:
    (finding,) = findings(machine(["open", "shut", "ajar"]))
    assert (finding.kind, finding.subject) == ("duplicate", "shut -> ajar on open")


def test_the_same_ends_with_other_conditions_are_no_duplicate() -> None:
    both = [
        {"trigger": "knock", "source": "shut", "dest": "ajar", "conditions": name}
        for name in ("heard", "awake")
    ]
    assert found(machine(*both)) == []


def test_behind_a_transition_with_fewer_conditions() -> None:
    knock: dict[str, Any] = {"trigger": "knock", "source": "shut"}
    late = {**knock, "dest": "locked", "conditions": ["late", "heard"]}
    rows = {**knock, "dest": "ajar", "conditions": "heard"}, late
    assert found(machine(*rows)) == [("shadowed", "shut -> locked on knock [late, heard]")]
    assert found(machine(*reversed(rows))) == []


def test_conditions_that_look_opposed_decide_nothing() -> None:
    knock: dict[str, Any] = {"trigger": "knock", "source": "shut"}
    rows = (
        {**knock, "dest": "ajar", "conditions": "heard"},
        {**knock, "dest": "locked", "unless": "heard"},
    )
    assert found(machine(*rows, {**knock, "dest": "shut", "after": "swear"})) == []


@pytest.mark.parametrize("row", [["knock", "shut", "="], ["knock", "shut", None]])
def test_a_trigger_without_effect(row: list[Any]) -> None:
    assert found(machine(row)) == [("no effect", "knock")]


@pytest.mark.parametrize("more", [{"after_state_change": "note"}, {"finalize_event": "note"}])
def test_a_trigger_that_calls_something_has_an_effect(more: dict[str, Any]) -> None:
    assert found(machine(["knock", "shut", "="], **more)) == []
    assert (
        found(machine({"trigger": "knock", "source": "shut", "dest": "=", "before": "listen"}))
        == []
    )
    hall = {"name": "hall", "on_enter": "echo"}
    rows = ["cross", "shut", "hall"], ["knock", "hall", "="], ["back", "hall", "shut"]
    assert found(machine(*rows, states=[hall])) == []


@pytest.mark.parametrize("cls", [*FLAT, *NESTED], ids=lambda c: c.__name__)
def test_machines_of_every_class(cls: Any) -> None:
    nested = cls in NESTED
    one = order(cls) if nested else lamp(cls)
    assert found(one) == ([("dead end", "delivered")] if nested else [])


def test_a_nested_state_that_nothing_leads_to() -> None:
    states = ["idle", {"name": "work", "initial": "dig", "children": ["dig", "rest"]}]
    one = HierarchicalMachine(states=states, initial="idle", auto_transitions=False)
    one.add_transition("go", "idle", "work")
    one.add_transition("stop", "work", "idle")
    assert found(one) == [("unreachable", "work_rest")]


def test_it_is_said_once_that_conditions_are_not_decided() -> None:
    one = lamp()
    undecided, automatic = remarks(model_of(one), one)
    assert "conditions of this machine are code" in undecided
    assert "to_STATE" in automatic
    assert remarks(model_of(machine()), machine()) == ()


def test_a_machine_of_ours_is_checked_as_its_model() -> None:
    magic = fsm.load("magic")
    one = fsm.engine.Machine.from_model(magic.without("untap_end -> untap_after"))
    assert ("dead end", "untap_end on done") in found(one)
