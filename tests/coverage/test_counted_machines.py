"""A transition of any machine of the transitions library is counted as it was written, each time it
fires.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections import Counter
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from transitions import Machine, MachineError
from transitions.extensions import (
    AsyncMachine,
    GraphMachine,
    HierarchicalAsyncMachine,
    HierarchicalMachine,
    LockedMachine,
)

import fsm
from fsm.coverage import collecting
from support.amounts import amount
from support.measured import Measured, measured

KINDS = [Machine, LockedMachine, AsyncMachine, HierarchicalMachine, HierarchicalAsyncMachine]
PAY = "closed -> open on pay [honest, rich, not late]"
KEPT = "closed -> closed on pay"
PUSH = "open -> closed on push"
LOOK = "open -> (stays) on look"


class Gate:
    """A gate that opens for those who pay."""

    def __init__(self, kind: Any = Machine, **settings: Any) -> None:
        self.has_money = True
        guard = {"conditions": ["honest", "rich"], "unless": "late"}
        rows = [
            {"trigger": "pay", "source": "closed", "dest": "open", **guard},
            ["pay", "closed", "closed"],
            ["push", "open", "closed"],
            ["look", "open", None],
        ]
        settings = {"auto_transitions": False, **settings}
        self.machine = kind(
            self, states=["closed", "open"], initial="closed", transitions=rows, **settings
        )

    def honest(self) -> bool:
        return True

    def rich(self) -> bool:
        return self.has_money

    def late(self) -> bool:
        return False


def do(thing: Any, *events: str) -> None:
    """Trigger these events, in an event loop where the machine is asynchronous."""

    async def one_after_another() -> None:
        for event in events:
            found = thing.trigger(event)
            if inspect.isawaitable(found):
                await found

    asyncio.run(one_after_another())


# every class of machine ---------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[*KINDS, fsm.engine.Machine], ids=lambda kind: kind.__name__)
def gate(request: pytest.FixtureRequest) -> Measured:
    """Somebody pays, looks and pushes. Then there is no money, and a push is refused."""

    def run() -> None:
        thing = Gate(request.param)
        do(thing, "pay", "look", "push")
        thing.has_money = False
        do(thing, "pay")
        with pytest.raises(MachineError):
            do(thing, "push")

    [found] = measured(run, "transitions", "pairs", "literals")
    return found


def test_each_transition_counts_when_it_fires(gate: Measured) -> None:
    assert gate.taken() == {PAY: 1, LOOK: 1, PUSH: 1, KEPT: 1}


def test_two_transitions_in_a_row_are_a_pair(gate: Measured) -> None:
    pairs = {f"{PAY} ; {LOOK}": 1, f"{LOOK} ; {PUSH}": 1, f"{PUSH} ; {KEPT}": 1}
    assert gate.taken("pairs") == pairs


def test_each_condition_counts_by_how_it_came_out(gate: Measured) -> None:
    holds = [f"{PAY} where {condition} holds" for condition in ("honest", "rich", "not late")]
    assert gate.taken("literals") == dict.fromkeys([*holds, f"{PAY} where rich fails"], 1)


# what fires ---------------------------------------------------------------------------------------


def test_asking_whether_an_event_is_possible_takes_nothing() -> None:
    thing: Any = Gate()
    with collecting() as session:
        assert thing.may_pay() and not thing.may_push()
    assert session.data.firings == 0


@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine, fsm.engine.Machine])
def test_a_transition_that_raises_is_taken_if_the_state_was_set(kind: Any) -> None:
    def fail() -> None:
        raise ValueError("no")

    def run() -> None:
        thing = Gate(kind)
        thing.machine.add_transition("slam", "open", "closed", before=fail)
        thing.machine.add_transition("bang", "open", "closed", after=fail)
        do(thing, "pay")
        for event in ("slam", "bang"):
            with pytest.raises(ValueError, match="no"):
                do(thing, event)

    [found] = measured(run)
    assert found.taken() == {PAY: 1, "open -> closed on bang": 1}


@pytest.mark.parametrize("queued", [False, True])
@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine, fsm.engine.Machine])
def test_an_event_that_a_callback_triggers_comes_after_the_one_under_way(
    kind: Any, queued: bool
) -> None:
    def run() -> None:
        thing: Any = Gate(kind, queued=queued)
        thing.machine.on_enter_open(lambda: thing.push())
        thing.pay()

    [found] = measured(run, "pairs")
    assert found.taken("pairs") == {f"{PAY} ; {PUSH}": 1}


def test_a_jump_to_a_state_is_no_transition_and_ends_the_walk() -> None:
    [found] = measured(
        lambda: do(Gate(auto_transitions=True), "pay", "to_open", "push"), "transitions", "pairs"
    )
    assert (found.taken(), found.taken("pairs")) == ({PAY: 1, PUSH: 1}, {})


def test_a_new_object_does_not_go_on_where_another_was() -> None:
    """Objects that are gone leave their id to others."""

    def run() -> None:
        machine = Machine(None, ["a", "b"], "a", [["go", "a", "b"], ["back", "b", "a"]])
        for _ in range(20):
            thing: Any = type("Thing", (), {"__slots__": ("__dict__",)})()  # no weak references
            machine.add_model(thing)
            thing.go()
            thing.back()
            machine.remove_model(thing)
            del thing
            gc.collect(0)

    [found] = measured(run, "pairs")
    assert found.taken("pairs") == {"a -> b on go ; b -> a on back": 20}


class Alike(Machine):
    """All of them are equal, and none has a hash."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike)


def test_machines_that_are_equal_are_told_apart() -> None:
    def run() -> None:
        for events in (["push"], ["push", "pull"]):
            thing = Alike(None, ["a", "b"], "a", [[event, "a", "="] for event in events])
            thing.add_model(Gate.__new__(Gate))
            do(thing.models[0], "push")

    assert [found.taken() for found in measured(run)] == [{"a -> a on push": 1}] * 2


class Away:
    """Stands for another object that is not there, as proxies of web frameworks do."""

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        raise RuntimeError("there is nobody here")


def test_objects_of_others_are_asked_for_nothing() -> None:
    away = Away()
    with collecting() as session:
        do(Gate(), "pay")
    assert session.data.firings == 1
    with pytest.raises(RuntimeError):
        isinstance(away, Gate)


# as it was written --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "dest", "rows"),
    [
        ("*", "b", {"a -> b on go", "b -> b on go", "c -> b on go"}),
        (["a", "c"], "b", {"a -> b on go", "c -> b on go"}),
        ("*", "=", {"a -> a on go", "b -> b on go", "c -> c on go"}),
        ("*", None, {"a -> (stays) on go", "b -> (stays) on go", "c -> (stays) on go"}),
    ],
)
@pytest.mark.parametrize("kind", [HierarchicalMachine, GraphMachine])
def test_a_wildcard_or_list_counts_for_each_source(
    kind: Any, source: Any, dest: Any, rows: set[str]
) -> None:
    def run() -> None:
        graphic = {"graph_engine": "mermaid"} if kind is GraphMachine else {}
        machine = kind(states=list("abc"), initial="a", auto_transitions=False, **graphic)
        machine.add_transition("go", source, dest)
        machine.add_transition("turn", "a", "b")
        machine.add_transition("turn", "b", "c")
        do(machine, "turn", "turn")

    [found] = measured(run)
    assert found.taken().keys() == {"a -> b on turn", "b -> c on turn"}
    assert found.missing() == rows


def test_rows_that_differ_in_their_conditions_are_several() -> None:
    def run() -> None:
        machine: Any = Machine(states=["a", "b"], initial="a", auto_transitions=False)
        machine.add_transition("go", "a", "b", conditions=lambda: False)
        machine.add_transition("go", "a", "b", conditions=lambda: True)
        machine.add_transition("go", "a", "b", unless=lambda: True)
        machine.go()

    [found] = measured(run)
    assert found.taken() == {"a -> b on go [lambda 2]": 1}
    assert found.missing() == {"a -> b on go [lambda]", "a -> b on go [not lambda 3]"}


Colour = Enum("Colour", "RED GREEN")


@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine, fsm.engine.Machine])
def test_states_may_be_members_of_an_enum_in_their_order(kind: Any) -> None:
    def run() -> None:
        lamp = kind(
            states=Colour, initial=Colour.RED, ordered_transitions=True, auto_transitions=False
        )
        lamp.add_transition("off", "*", Colour.RED)
        do(lamp, "next_state", "off")

    [found] = measured(run)
    assert found.taken() == {"RED -> GREEN on next_state": 1, "GREEN -> RED on off": 1}
    assert (found.count(), found.count("states")) == ("2 of 4", "2 of 2")


def test_a_transition_of_a_state_with_states_inside_is_one() -> None:
    states = ["idle", {"name": "busy", "initial": "slow", "children": ["slow", "fast"]}]
    rows = [["work", "idle", "busy"], ["hurry", "busy_slow", "busy_fast"], ["stop", "*", "idle"]]

    def run() -> None:
        machine = HierarchicalMachine(
            states=states, transitions=rows, initial="idle", auto_transitions=False
        )
        do(machine, "work", "stop", "work", "hurry", "stop")

    [found] = measured(run)
    assert found.taken() == {
        "idle -> busy_slow on work": 2,
        "busy_slow -> busy_fast on hurry": 1,
        "busy -> idle on stop": 2,
    }
    assert found.missing() == {"idle -> idle on stop"}
    assert found.taken("states").keys() == {"idle", "busy", "busy_slow", "busy_fast"}


def test_states_that_are_entered_together_count_each_by_itself() -> None:
    part = {"children": ["1", "2"], "initial": "1"}
    both = {"name": "on", "parallel": [{"name": "l", **part}, {"name": "r", **part}]}
    rows = [
        ["start", "off", "on"],
        ["left", "on_l_1", "on_l_2"],
        ["right", "on_r_1", "on_r_2"],
        ["stop", "on", "off"],
    ]

    def run() -> None:
        machine = HierarchicalMachine(
            states=["off", both], transitions=rows, initial="off", auto_transitions=False
        )
        do(machine, "start", "right", "left", "stop")

    [found] = measured(run)
    inside = {f"on_{side}{state}" for side in "lr" for state in ("", "_1", "_2")}
    assert found.taken("states").keys() == {"off", "on", *inside}
    assert found.count() == "4 of 4"


# random machines against a plain recorder ---------------------------------------------------------

ROW = st.tuples(
    st.sampled_from("abc"),
    st.sampled_from(["a", "b", "c", None]),
    st.sampled_from(["go", "hop"]),
    st.sampled_from(["", "odd", "not odd"]),
)


class Counting:
    """Holds every other time it is asked, and notes what fires."""

    def __init__(self) -> None:
        self.asked, self.fired = 0, Counter[str]()

    def odd(self) -> bool:
        self.asked += 1
        return self.asked % 2 == 1


def fired(
    kind: Any, rows: list[tuple[str, str | None, str, str]], events: list[str]
) -> Counter[str]:
    """What fires in such a machine, noted by its own callbacks."""
    thing = Counting()
    machine = kind(
        thing, states=list("abc"), initial="a", auto_transitions=False, ignore_invalid_triggers=True
    )
    for source, dest, event, guard in rows:
        called = f"{source} -> {dest or '(stays)'} on {event}" + (f" [{guard}]" if guard else "")
        word = "unless" if guard == "not odd" else "conditions"
        machine.add_transition(
            event,
            source,
            dest,
            **({word: "odd"} if guard else {}),
            after=lambda called=called: thing.fired.update([called]),
        )
    for event in events:
        if event in machine.events:
            do(thing, event)
    return thing.fired


@settings(max_examples=amount(8, 100))
@given(
    st.sampled_from([Machine, HierarchicalMachine, fsm.engine.Machine]),
    st.lists(ROW, min_size=1, max_size=8, unique=True),
    st.lists(st.sampled_from(["go", "hop"]), min_size=1, max_size=12),
)
def test_a_transition_counts_exactly_as_often_as_it_fired_and_nothing_is_disturbed(
    kind: Any, rows: list[tuple[str, str | None, str, str]], events: list[str]
) -> None:
    unwatched = fired(kind, rows, events)
    watched = Counter[str]()
    found = measured(lambda: watched.update(fired(kind, rows, events)))
    counted = found[0].taken() if found else {}
    assert counted == watched == unwatched
