"""Collecting of machines of the transitions library: of every class, as their users write them,
without a change.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
from collections.abc import Callable
from enum import Enum
from typing import Any

import pytest
import transitions
from hypothesis import HealthCheck, Phase, given, seed, settings
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import model_of
from fsm.coverage import Coverage, collecting, covered
from fsm.engine import Machine
from support.amounts import amount, sample, thorough
from support.foreignmachines import FLAT, NESTED
from support.randommachines import plans, used

BOTH = [*FLAT, *NESTED]
ROWS = [
    {
        "trigger": "pay",
        "source": "closed",
        "dest": "open",
        "conditions": ["honest", "rich"],
        "unless": "late",
    },
    {"trigger": "pay", "source": "closed", "dest": "closed"},
    {"trigger": "push", "source": "open", "dest": "closed", "after": "count"},
    {"trigger": "look", "source": "open", "dest": None},
]


class Gate:
    """What the machines drive; asynchronous ones take plain functions too."""

    def __init__(self, **facts: bool) -> None:
        self.facts = {"honest": True, "rich": True, "late": False, **facts}
        self.counted = 0

    def honest(self) -> bool:
        return self.facts["honest"]

    def rich(self) -> bool:
        return self.facts["rich"]

    def late(self) -> bool:
        return self.facts["late"]

    def count(self) -> None:
        self.counted += 1


def gate(kind: type, **settings: Any) -> tuple[Any, Any]:
    """A gate and the machine of this class that drives it."""
    subject = Gate()
    if "Graph" in kind.__name__:
        settings["graph_engine"] = "mermaid"
    settings = {"auto_transitions": False, **settings}
    return subject, kind(
        model=subject, states=["closed", "open"], transitions=ROWS, initial="closed", **settings
    )


def do(*calls: Callable[[], Any]) -> None:
    """Call these one after another, in an event loop for those that are asynchronous."""

    async def all_of_them() -> None:
        for call in calls:
            found = call()
            if inspect.isawaitable(found):
                await found

    asyncio.run(all_of_them())


def times(coverage: Coverage) -> dict[str, int]:
    return {id: count for (_, id), count in coverage.taken.items()}


PAY, KEPT, PUSH, LOOK = (
    "closed -> open on pay [honest, rich, not late]",
    "closed -> closed on pay",
    "open -> closed on push",
    "open -> (stays) on look",
)


@pytest.mark.parametrize("kind", sample(BOTH, 4))
def test_every_class_of_machine(kind: type) -> None:
    subject, machine = gate(kind)
    poor = lambda: subject.facts.update(rich=False)  # noqa: E731
    do(lambda: subject.pay(), lambda: subject.push())
    with collecting() as session:
        do(
            lambda: subject.pay(),
            lambda: subject.look(),
            lambda: subject.push(),
            poor,
            lambda: subject.pay(),
        )
    do(lambda: subject.pay())
    model = model_of(machine)
    assert times(covered(model, "transitions", session.data)) == {PAY: 1, LOOK: 1, PUSH: 1, KEPT: 1}
    assert times(covered(model, "pairs", session.data)) == {
        f"{PAY} ; {LOOK}": 1,
        f"{LOOK} ; {PUSH}": 1,
        f"{PUSH} ; {KEPT}": 1,
    }
    assert times(covered(model, "literals", session.data)) == {
        f"{PAY} where honest holds": 1,
        f"{PAY} where rich holds": 1,
        f"{PAY} where not late holds": 1,
        f"{PAY} where rich fails": 1,
    }


@pytest.mark.parametrize("kind", sample(BOTH, 4))
def test_events_where_they_are_not_possible(kind: type) -> None:
    subject, machine = gate(kind)

    async def refused() -> None:
        with pytest.raises(transitions.MachineError):
            found = subject.push()
            if inspect.isawaitable(found):
                await found

    with collecting() as session:
        do(refused)
    assert times(covered(model_of(machine), "refusals", session.data)) == {"push in closed": 1}


@pytest.mark.parametrize("kind", sample(BOTH, 4))
def test_asking_is_not_taking(kind: type) -> None:
    subject, _ = gate(kind)
    with collecting() as session:
        do(lambda: subject.may_pay(), lambda: subject.may_push())
    assert session.data.seen == {}


@pytest.mark.parametrize("kind", [transitions.Machine, HierarchicalMachine, fsm.engine.Machine])
def test_a_transition_that_raises_is_taken_if_the_state_was_set(kind: Any) -> None:
    def fail() -> None:
        raise ValueError("no")

    subject, machine = gate(kind)
    machine.add_transition("slam", "open", "closed", before=fail)
    machine.add_transition("bang", "open", "closed", after=fail)
    with collecting() as session:
        subject.pay()
        with pytest.raises(ValueError, match="no"):
            subject.slam()
        with pytest.raises(ValueError, match="no"):
            subject.bang()
    assert subject.state == "closed"
    taken = times(covered(model_of(machine), "transitions", session.data))
    assert taken == {PAY: 1, "open -> closed on bang": 1}


@pytest.mark.parametrize("kind", [transitions.Machine, HierarchicalMachine, fsm.engine.Machine])
@pytest.mark.parametrize("queued", [False, True])
def test_events_that_callbacks_trigger_come_after(kind: Any, queued: bool) -> None:
    subject, machine = gate(kind, queued=queued)
    machine.on_enter_open(lambda: subject.push())
    with collecting() as session:
        subject.pay()
    assert subject.state == "closed"
    assert times(covered(model_of(machine), "pairs", session.data)) == {f"{PAY} ; {PUSH}": 1}


@thorough
def test_a_new_object_does_not_go_on_where_another_was() -> None:
    """Objects that are gone leave their id to others."""
    with collecting() as session:
        kind = transitions.Machine(
            model=None, states=["a", "b"], initial="a", auto_transitions=False, name="short"
        )
        kind.add_transition("go", "a", "b")
        kind.add_transition("back", "b", "a")
        for _ in range(10):
            subject = Gate()
            kind.add_model(subject)
            subject.go()  # type: ignore[attr-defined]
            subject.back()  # type: ignore[attr-defined]
            kind.remove_model(subject)
            del subject
            gc.collect()
    pairs = times(covered(model_of(kind), "pairs", session.data))
    assert pairs == {"a -> b on go ; b -> a on back": 10}


class Slotted:
    """An object that cannot be referred to weakly."""

    __slots__ = ("__dict__",)


def test_objects_without_weak_references() -> None:
    with collecting() as session:
        machine = transitions.Machine(
            model=None, states=["a", "b"], initial="a", auto_transitions=False, name="slots"
        )
        machine.add_transition("go", "*", "=")
        for _ in range(20):
            subject = Slotted()
            machine.add_model(subject)
            subject.go()  # type: ignore[attr-defined]
            machine.remove_model(subject)
            del subject
    assert times(covered(model_of(machine), "pairs", session.data)) == {}
    assert sum(times(covered(model_of(machine), "transitions", session.data)).values()) == 20


class Colour(Enum):
    RED = 1
    GREEN = 2


@pytest.mark.parametrize("kind", [transitions.Machine, HierarchicalMachine, fsm.engine.Machine])
def test_states_that_are_members_of_an_enum(kind: Any) -> None:
    machine = kind(states=Colour, initial=Colour.RED, auto_transitions=False, name="light")
    machine.add_transition("change", Colour.RED, Colour.GREEN)
    machine.add_transition("change", Colour.GREEN, Colour.RED)
    with collecting() as session:
        machine.change()
        machine.change()
    assert covered(model_of(machine), "states", session.data).share == 1.0
    assert covered(model_of(machine), "pairs", session.data).share == 0.5


def nested() -> Any:
    states = [
        "idle",
        {"name": "busy", "initial": "slow", "children": ["slow", "fast"], "transitions": [["hurry", "slow", "fast"]]},
        {"name": "both", "parallel": [
            {"name": "l", "initial": "1", "children": ["1", "2"], "transitions": [["left", "1", "2"]]},
            {"name": "r", "initial": "1", "children": ["1", "2"], "transitions": [["right", "1", "2"]]},
        ]},
    ]  # fmt: skip
    rows = [
        ["work", "idle", "busy"],
        ["rest", "busy", "idle"],
        ["split", "idle", "both"],
        ["join", "both", "idle"],
    ]
    return HierarchicalMachine(
        states=states, transitions=rows, initial="idle", auto_transitions=False, name="nested"
    )


def test_states_inside_states() -> None:
    machine = nested()
    with collecting() as session:
        machine.work()
        machine.hurry()
        machine.rest()
    model = model_of(machine)
    coverage = covered(model, "states", session.data)
    assert {"idle", "busy", "busy_slow", "busy_fast"} == {target.id for target in coverage.covered}
    assert sum(times(covered(model, "pairs", session.data)).values()) == 2
    assert coverage.refuted == ()


def test_states_that_are_entered_all_together() -> None:
    machine = nested()
    with collecting() as session:
        machine.split()
        machine.right()
        machine.left()
        machine.join()
    model = model_of(machine)
    coverage = covered(model, "transitions", session.data)
    missing = {target.id for target in coverage.missing}
    assert missing == {t.id for t in model.transitions if t.event in ("work", "rest", "hurry")}
    assert coverage.refuted == ()


def test_transitions_added_while_it_is_watched() -> None:
    subject, machine = gate(transitions.Machine)
    with collecting() as session:
        subject.pay()
        machine.add_transition("fall", "open", "closed")
        subject.fall()
    taken = times(covered(model_of(machine), "transitions", session.data))
    assert taken == {PAY: 1, "open -> closed on fall": 1}
    assert covered(model_of(machine), "transitions", session.data).notes == ()


def test_to_a_state_by_name_breaks_the_walk() -> None:
    subject, machine = gate(transitions.Machine, auto_transitions=True)
    with collecting() as session:
        subject.pay()
        subject.to_open()
        subject.push()
    model = model_of(machine)
    assert times(covered(model, "transitions", session.data)) == {PAY: 1, PUSH: 1}
    assert times(covered(model, "pairs", session.data)) == {}


def test_a_machine_made_of_a_model() -> None:
    model = fsm.load("magic")

    class Player:
        def __getattr__(self, name: str) -> Any:
            if name in {fact.name for fact in model.facts}:
                return False
            raise AttributeError(name)

    subject: Any = Player()
    machine = Machine.from_model(model, subject)
    subject.done()
    with collecting() as session:
        subject.done()
        fsm.TurnController(model, ("A", "B"))
    subject.done()
    coverage = covered(model, "transitions", session.data)
    assert machine.definition is model
    assert coverage.taken["turn", "turn_before -> turn_begin"] == 2, "the object's and the game's"


def test_a_run_that_a_machine_made_of_a_model_fires_for() -> None:
    model = fsm.load("magic")
    machine, run = Machine.from_model(model), fsm.TurnController(model, ("A", "B")).run.copy()
    run.state = "turn_before"
    with collecting() as session:
        assert machine.fire(run, "done")
    assert times(covered(model, "transitions", session.data)) == {"turn_before -> turn_begin": 1}


@pytest.mark.no_fsm_cov
def test_compiled_machines_are_compiled_again_afterwards() -> None:
    subject, machine = gate(fsm.engine.Machine)
    subject.pay()
    before = machine.source("push", "open")
    with collecting() as session:
        assert "left to the library" in machine.source("push", "open")
        subject.push()
    subject.pay()
    assert machine.source("push", "open") == before
    assert session.data.firings == 1
    assert machine.compiled


@seed(5)
@settings(
    max_examples=amount(4, 40), phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(plans())
def test_a_random_machine_does_the_same_while_it_is_watched(plan: dict[str, Any]) -> None:
    for kind in (transitions.Machine, fsm.engine.Machine):
        unwatched = used(plan, kind)
        with collecting():
            watched = used(plan, kind)
        assert watched == unwatched


def test_what_can_be_reached_from_where_an_object_was_put_is_possible() -> None:
    """`to_STATE`, `set_state` and `initial=` lead where no row does: what is proved of rows alone
    would be wrong.
    """
    subject: Any = Gate()
    rows = [
        {"trigger": "go", "source": a, "dest": b} for a, b in (("a", "b"), ("c", "d"), ("e", "a"))
    ]
    machine = transitions.Machine(subject, states=list("abcde"), transitions=rows, initial="a")
    model = model_of(machine)
    with collecting() as session:
        subject.go()
    coverage = covered(model, "states", session.data)
    assert [t.id for t in coverage.infeasible] == ["c", "d", "e"]
    assert coverage.notes == ()
    with collecting() as session:
        subject.to_c()
        subject.go()
    coverage = covered(model, "states", session.data)
    assert ([t.id for t in coverage.infeasible], coverage.refuted) == (["e"], ())
    assert coverage.notes == (
        "runs began in c, too: so what can be reached from there is possible",
    )
    assert [t.id for t in covered(model, "transitions", session.data).missing] == ["a -> b on go"]
    assert covered(model, "literals", session.data).notes == ()


class Alike(transitions.Machine):
    """All of them are equal; and so none has a hash."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Alike)


def test_machines_that_are_equal_and_have_no_hash() -> None:
    door = Alike(states=["shut", "open"], initial="shut", auto_transitions=False, name="door")
    door.add_transition("push", "shut", "open")
    lamp = Alike(states=["dark", "lit"], initial="dark", auto_transitions=False, name="lamp")
    lamp.add_transition("press", "dark", "lit")
    with collecting() as session:
        door.push()
        lamp.press()
    assert times(covered(model_of(door), "transitions", session.data)) == {
        "shut -> open on push": 1
    }
    assert times(covered(model_of(lamp), "transitions", session.data)) == {
        "dark -> lit on press": 1
    }


class Away:
    """Stands for another object, and asks that one even for its class; and it is not there."""

    @property  # type: ignore[misc] # as the proxies of werkzeug and django do
    def __class__(self) -> Any:
        raise RuntimeError("there is nobody here")


def test_objects_of_others_are_not_asked_for_anything() -> None:
    away = Away()
    with collecting() as session:
        pass
    assert session.data.seen == {}
    with pytest.raises(RuntimeError, match="nobody"):
        isinstance(away, Gate)
