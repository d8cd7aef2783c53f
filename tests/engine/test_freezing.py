"""`fsm.engine.freeze`: a frozen machine does what the library's does, only faster."""

from __future__ import annotations

import copy
import enum
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import transitions
from hypothesis import given, settings, strategies as st
from transitions.extensions import (
    AsyncMachine,
    GraphMachine,
    HierarchicalMachine,
    LockedMachine,
)

from fsm.coverage import collecting
from fsm.engine import freeze
from support.amounts import amount

FLAT = ("a", "b", "c", "d")
EVENTS = ("go", "stop")


class Lamp:
    """What machines drive. It hears every callback, with its arguments."""

    state: Any
    lit = True

    def __init__(self, answers: Sequence[object] = ()) -> None:
        self.heard = list[object]()
        self.answers, self.asked = answers, 0

    def asks(self, *args: object, **kwargs: object) -> object:
        """A condition, which says what comes next: not only true and false."""
        self.heard.append(("asks", self.state, args, kwargs))
        self.asked += 1
        return self.answers[self.asked % len(self.answers)] if self.answers else True

    @property
    def is_calm(self) -> bool:
        return len(self.heard) % 3 != 0

    def on_enter_d(self, *args: object, **kwargs: object) -> None:
        self.heard.append(("on_enter_d", self.state, args, kwargs))

    def __getattr__(self, name: str) -> Callable[..., object]:
        if not name.startswith("say_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self.heard.append((name, self.state, args, kwargs))


def callbacks(name: str) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from([f"say_{name}", f"say_{name}_2"]), max_size=2)


def definitions() -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a machine."""
    kinds = {"on_enter": callbacks("enter"), "on_exit": callbacks("exit")}
    states = [st.fixed_dictionaries({"name": st.just(name), **kinds}) for name in FLAT]
    row = st.fixed_dictionaries(
        {
            "trigger": st.sampled_from(EVENTS),
            "source": st.sampled_from([*FLAT, "*"]),
            "dest": st.sampled_from([*FLAT, None, "="]),
            "conditions": st.lists(st.sampled_from(["asks", "lit", "is_calm"]), max_size=2),
            "unless": st.lists(st.sampled_from(["asks", "is_calm"]), max_size=1),
            "prepare": st.one_of(st.just([]), st.just([]), callbacks("prepare")),
            "before": callbacks("before"),
            "after": callbacks("after"),
        }
    )
    return st.fixed_dictionaries(
        {
            "states": st.tuples(*states).map(list),
            "transitions": st.lists(row, min_size=2, max_size=8),
            "before_state_change": callbacks("any"),
            "after_state_change": callbacks("all"),
            "ignore_invalid_triggers": st.booleans(),
            "auto_transitions": st.booleans(),
            "initial": st.sampled_from(FLAT),
        }
    )


STEPS = st.lists(
    st.tuples(
        st.sampled_from([*EVENTS, "to_a", "to_b"]),
        st.sampled_from([(), (1,)]),
        st.sampled_from([{}, {"by": 2}]),
    ),
    max_size=12,
)
ANSWERS = st.lists(st.sampled_from([True, False, 1, 0, "yes", None]), max_size=5)


def happens(lamp: Any, steps: Sequence[tuple[str, tuple[int, ...], dict[str, int]]]) -> list[Any]:
    """What comes of these events: results, states and errors, and all callbacks in their order."""
    found = list[Any]()
    for name, args, kwargs in steps:
        try:
            found.append((getattr(lamp, name)(*args, **kwargs), lamp.state))
        except (transitions.MachineError, AttributeError, ValueError) as error:
            found.append((str(error), lamp.state))
    return [*found, lamp.heard]


@settings(max_examples=amount(15, 1200), deadline=None)
@given(definitions(), STEPS, ANSWERS)
def test_a_frozen_machine_does_what_the_librarys_does(
    definition: dict[str, Any], steps: list[tuple[str, Any, Any]], answers: list[object]
) -> None:
    lamps = Lamp(answers), Lamp(answers)
    machines = [transitions.Machine(lamp, **copy.deepcopy(definition)) for lamp in lamps]
    freeze(machines[0])
    assert happens(lamps[0], steps) == happens(lamps[1], steps)


ROWS = [["go", "a", "b"], ["go", "b", "a"], ["stop", "b", "c"]]
PLAIN: dict[str, Any] = {"states": ["a", "b", "c"], "initial": "a", "transitions": ROWS}


def test_what_is_fast_is_named() -> None:
    lamp: Any = Lamp()
    machine = transitions.Machine(lamp, **PLAIN, auto_transitions=False)
    slow = lamp.go
    assert freeze(machine) == ("go", "stop") == freeze(machine)
    assert lamp.go != slow and lamp.go() and lamp.state == "b"


@pytest.mark.parametrize(
    "options",
    [
        {"send_event": True},
        {"queued": True},
        {"prepare_event": "say_first"},
        {"finalize_event": "say_last"},
        {"on_exception": "say_error"},
        {"on_final": "say_final"},
    ],
    ids=str,
)
def test_what_is_out_of_the_ordinary_stays_with_the_library(options: dict[str, Any]) -> None:
    assert freeze(transitions.Machine(Lamp(), **PLAIN, **options)) == ()


class Own(transitions.Machine):
    def set_state(self, state: Any, model: Any = None) -> None:
        super().set_state(state, model)


@pytest.mark.parametrize(
    "kind", [Own, LockedMachine, GraphMachine, AsyncMachine, HierarchicalMachine]
)
def test_a_machine_of_another_kind_stays_with_the_library(kind: type[transitions.Machine]) -> None:
    lamp = Lamp()
    machine = kind(lamp, **PLAIN, auto_transitions=False)
    before = vars(lamp).copy()
    assert (freeze(machine), vars(lamp)) == ((), before)


def test_states_may_be_members_of_an_enum_and_the_attribute_may_have_another_name() -> None:
    at = enum.Enum("at", "a b")
    lamp: Any = Lamp()
    rows: Any = [["go", at.a, at.b], ["go", at.b, at.a]]
    machine = transitions.Machine(
        lamp, states=at, initial=at.a, transitions=rows, model_attribute="place"
    )
    assert "go" in freeze(machine)
    assert [(lamp.go(), lamp.place) for _ in at] == [(True, at.b), (True, at.a)]


def test_an_object_that_does_more_than_keep_its_state_stays_with_the_library() -> None:
    class Slotted:
        __slots__ = ("__dict__", "kept")

        @property
        def state(self) -> str:
            return self.kept

        @state.setter
        def state(self, value: str) -> None:
            self.kept = value.lower()

    lamp: Any = Slotted()
    machine = transitions.Machine(lamp, **PLAIN)
    assert freeze(machine) == ()
    assert lamp.go() and lamp.kept == "b"


def test_each_object_has_triggers_of_its_own_and_later_ones_the_librarys() -> None:
    lamps: list[Any] = [Lamp(), Lamp()]
    machine = transitions.Machine(lamps, **PLAIN)
    freeze(machine)
    later: Any = Lamp()
    machine.add_model(later)
    for each in (lamps[0], later):
        each.go()
    assert [lamp.state for lamp in (*lamps, later)] == ["b", "a", "b"]


class Board:
    """What can be pickled."""

    state: str

    def ready(self) -> bool:
        return True


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
def test_a_copy_goes_its_own_way(copied: Callable[[Any], Any]) -> None:
    board: Any = Board()
    machine = transitions.Machine(board, **PLAIN)
    machine.add_transition("jump", "a", "c", conditions="ready")
    assert "jump" in freeze(machine)
    twin = copied(board)
    assert twin.jump() and (twin.state, board.state) == ("c", "a")
    assert board.go() and (twin.state, board.state) == ("c", "b")


def test_coverage_sees_a_frozen_machine() -> None:
    lamp: Any = Lamp()
    machine = transitions.Machine(lamp, **PLAIN)
    freeze(machine)
    with collecting() as session:
        lamp.go()
    assert session.data.firings == 1
    lamp.go()
    assert (session.data.firings, lamp.state) == (1, "a")
