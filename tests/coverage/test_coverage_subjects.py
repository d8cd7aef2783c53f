"""What is one subject: machines that grow, machines made in every way that real projects make them,
and their names.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import pickle
import sys
from collections.abc import Callable
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine, MachineError
from transitions.extensions import HierarchicalMachine, LockedMachine
from transitions.extensions.asyncio import AsyncMachine, HierarchicalAsyncMachine

from fsm.adapters import model_of
from fsm.coverage import Data, collecting, combine, covered, read, save, start, stop, subject_of
from fsm.coverage.allowing import Allowed
from fsm.coverage.reports import results_of, wrong
from fsm.coverage.target import Result
from support import processes

STATES = ["open", "shut", "locked"]
ROWS = [["push", "open", "shut"], ["pull", "shut", "open"], ["lock", "shut", "locked"]]
HERE = Path(__file__).resolve().relative_to(Path.cwd().resolve()).as_posix()


class Door:
    """What a machine drives."""


class Gate:
    """What another machine drives, which says what happens when a state is entered."""

    def on_enter_shut(self) -> None:
        pass


def seen(run: Callable[[], object]) -> Data:
    with collecting() as session:
        run()
    return session.data


def results(data: Data) -> tuple[Result, ...]:
    return results_of(data, [], ["states", "transitions"])


def only(run: Callable[[], object]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Of the only subject: how many states and transitions were taken, of how many."""
    [result] = results(seen(run))
    states, rows = ((len(c.covered), c.asked) for c in result.coverages)
    return states, rows


def line(text: str) -> int:
    """The number of the only line of this file that has this text, besides the one that asks."""
    lines = inspect.getsource(inspect.getmodule(line)).splitlines()  # type: ignore[arg-type]
    [number] = [
        n for n, written in enumerate(lines, 1) if text in written and "line(" not in written
    ]
    return number


def door(model: Any = None, **more: Any) -> Any:
    settings: dict[str, Any] = {
        "states": STATES,
        "initial": "open",
        "transitions": ROWS,
        "auto_transitions": False,
    }
    models = () if model is None else (model,)
    return Machine(*models, **(settings | more))  # a door


# machines that grow -------------------------------------------------------------------------------


def test_a_transition_that_is_added_later_is_one_more_of_the_same_machine() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.add_transition("unlock", "locked", "shut")
        one.lock()
        one.unlock()

    assert only(run) == ((3, 3), (3, 4))


def test_a_transition_that_is_added_and_not_taken_is_missing() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.add_transition("kick", "shut", "open")
        one.add_transition("unlock", "locked", "shut")
        one.lock()
        one.unlock()

    assert only(run) == ((3, 3), (3, 5))


def test_a_state_that_is_added_later_and_entered_by_no_transition() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.add_states("gone")
        one.set_state("gone")

    assert only(run) == ((3, 4), (1, 3))


def test_an_event_that_is_refused_in_a_state_that_was_added() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.add_states("gone")
        one.state = "gone"
        with pytest.raises(MachineError):
            one.pull()

    assert only(run) == ((3, 4), (1, 3))


def test_what_is_removed_counts_as_it_did() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.remove_transition("push")
        one.pull()
        one.remove_transition("lock")
        one.add_transition("slam", "open", "locked")
        one.slam()

    assert only(run) == ((3, 3), (3, 4))


def test_a_state_that_is_removed_counts_as_it_did() -> None:
    def run() -> None:
        one = door()
        one.push()
        one.lock()
        one.remove_transition("lock")
        del one.states["locked"]
        one.set_state("shut")
        one.pull()

    assert only(run) == ((3, 3), (3, 3))


def test_nothing_is_held_impossible_because_of_what_was_removed() -> None:
    """`go` led to b until that row was removed. The row to c, which was behind it, is possible
    since.
    """
    rows: list[Any] = [["go", "a", "b"], ["go", "a", "c"], ["back", ["b", "c"], "a"]]

    def run(removing: bool) -> None:
        one = Machine(states=list("abc"), initial="a", transitions=rows, auto_transitions=False)
        one.go()
        one.back()
        if removing:
            one.remove_transition("go", dest="b")
            one.add_transition("stay", "a", "=")
            one.stay()

    assert only(partial(run, removing=False)) == ((2, 2), (2, 2))
    assert only(partial(run, removing=True)) == ((2, 3), (3, 5))


def test_a_machine_grown_in_another_process_is_the_same(tmp_path: Path) -> None:
    def make() -> Any:
        one = Machine(states=STATES, initial="open", auto_transitions=False)
        one.add_transitions(ROWS)
        return one

    def young() -> None:
        make().push()

    def old() -> None:
        one = make()
        one.add_transition("kick", "open", "shut")
        one.kick()

    for name, run in (("1", young), ("2", old)):
        save(seen(run), tmp_path / f"{name}.fsmcov")
    [result] = results(combine([tmp_path]))
    assert [(len(c.covered), c.asked) for c in result.coverages] == [(2, 3), (2, 4)]


def test_what_was_written_before_the_machine_grew_is_read_with_the_rest(tmp_path: Path) -> None:
    with collecting(tmp_path) as session:
        one = door()
        one.push()
        session.buffer.flush()
        one.add_transition("unlock", "locked", "shut")
        one.lock()
        one.unlock()
    [result] = results(session.data)
    assert [(len(c.covered), c.asked) for c in result.coverages] == [(3, 3), (3, 4)]
    save(session.data, tmp_path / "all")
    assert [r.coverages for r in results(read(tmp_path / "all"))] == [result.coverages]


def test_a_grown_machine_is_measured_by_its_model_from_before_and_after() -> None:
    one = door()
    before = model_of(one)

    def run() -> None:
        one.push()
        one.add_transition("kick", "shut", "open")
        one.kick()

    data = seen(run)
    assert covered(model_of(one), "transitions", data).notes == ()
    assert len(covered(model_of(one), "transitions", data).covered) == 2
    [result] = results_of(data, [("door", before)], ["transitions"])
    assert [(len(c.covered), c.asked, c.notes) for c in result.coverages] == [(2, 4, ())]


# where a run begins -------------------------------------------------------------------------------


def test_the_state_in_which_a_run_begins_is_taken_if_nothing_fires() -> None:
    def run() -> None:
        with pytest.raises(MachineError):
            door().lock()

    assert only(run) == ((1, 3), (0, 3))


def test_the_state_in_which_a_condition_fails_is_taken() -> None:
    def run() -> None:
        door(
            transitions=[
                {"trigger": "push", "source": "open", "dest": "shut", "unless": lambda: True}
            ]
        ).push()

    states, rows = only(run)
    assert (states[0], rows) == (1, (0, 1))


def test_the_state_in_which_something_is_refused_is_taken_by_that_test() -> None:
    with collecting() as session:
        from fsm.coverage import context

        one = door()
        with context("first"):
            one.push()
        with context("second"), pytest.raises(MachineError):
            one.push()
    [result] = results(session.data)
    by = result.coverages[0].by
    assert {id: set(tests) for (_, id), tests in by.items()} == {
        "open": {"first"},
        "shut": {"first", "second"},
    }


def test_callbacks_of_the_machine_change_no_count() -> None:
    calls = []

    def run(**callbacks: Any) -> None:
        one = door(**callbacks)
        one.push()
        one.lock()

    plain = only(run)
    names = ["before_state_change", "after_state_change", "prepare_event", "finalize_event"]
    assert (
        only(partial(run, **{name: lambda: calls.append(1) for name in names}))
        == plain
        == ((3, 3), (2, 3))
    )
    assert len(calls) == 8


def test_callbacks_of_machine_states_and_transitions_split_no_subject() -> None:
    def run() -> None:
        for callback in ("note", "print", None):
            rows = [
                [*ROWS[0]],
                {"trigger": "lock", "source": "shut", "dest": "locked", "after": callback},
            ]
            more = {
                "before_state_change": callback,
                "states": ["open", {"name": "shut", "on_exit": callback}, "locked"],
            }
            thing: Any = Door()
            thing.note = thing.print = lambda: None
            door(thing, transitions=rows, **more)
            thing.push()
            thing.lock()

    assert only(run) == ((3, 3), (2, 2))


def test_a_definition_is_the_same_whatever_is_called() -> None:
    plain = door()
    rows = [{"trigger": t, "source": a, "dest": b, "before": "note"} for t, a, b in ROWS]
    called = door(transitions=rows, states=[{"name": name, "on_enter": "note"} for name in STATES])
    assert subject_of(model_of(plain)).fingerprint == subject_of(model_of(called)).fingerprint


# one definition and place, one subject ------------------------------------------------------------


def push(thing: Any) -> None:
    found = thing.push()
    if inspect.isawaitable(found):
        asyncio.run(wait_for(found))


async def wait_for(found: Any) -> None:
    await found


def of_other_models() -> None:
    for thing in (Door(), Gate(), Door()):
        door(thing)
        push(thing)


def of_other_starts() -> None:
    for first in STATES:
        one = door(initial=first)
        if first == "open":
            one.push()
        else:
            one.set_state("open")
            one.push()


def of_other_names() -> None:
    for number in range(5):
        door(name=f"door {number}").push()


def of_models_added_later() -> None:
    one = door(model=[])
    for thing in (Door(), Gate()):
        one.add_model(thing)
        push(thing)
    door(model=[Gate(), Door()]).models[0].push()


class Made(Machine):
    """A class that makes its own machines, as its subclasses do."""

    def __init__(self) -> None:
        super().__init__(states=STATES, initial="open", transitions=ROWS, auto_transitions=False)


class MadeToo(Made):
    """Has the same definition."""


def of_subclasses() -> None:
    for kind in (Made, MadeToo):
        push(kind())


def of_conditions_that_are_objects() -> None:
    class Owner:
        def allows(self) -> bool:
            return True

    def agree(number: int) -> bool:
        return number > 0

    for number in (1, 2):
        owner = Owner()
        conditions = [lambda: True, partial(agree, number), owner.allows]
        row = {"trigger": "push", "source": "open", "dest": "shut", "conditions": conditions}
        door(transitions=[row, *ROWS[1:]]).push()


class Stage(Enum):
    OPEN = 1
    SHUT = 2
    LOCKED = 3


def of_an_enum() -> None:
    rows = [
        ["push", Stage.OPEN, Stage.SHUT],
        ["pull", Stage.SHUT, Stage.OPEN],
        ["lock", Stage.SHUT, Stage.LOCKED],
    ]
    for first in (Stage.OPEN, "OPEN"):
        door(states=Stage, initial=first, transitions=rows).push()


def of_copies() -> None:
    one = door()
    for each in (one, copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        each.push()


@pytest.mark.parametrize(
    "run",
    [
        *(of_other_models, of_other_starts, of_other_names, of_models_added_later, of_subclasses),
        *(of_conditions_that_are_objects, of_an_enum, of_copies),
    ],
    ids=lambda run: run.__name__,
)
def test_machines_of_one_definition_and_place_are_one(run: Callable[[], None]) -> None:
    states, rows = only(run)
    taken = 3 if run is of_other_starts else 2
    assert (states, rows) == ((taken, 3), (1, 3))


@pytest.mark.parametrize(
    "kind", [HierarchicalMachine, LockedMachine, AsyncMachine, HierarchicalAsyncMachine]
)
def test_machines_of_every_class_are_one(kind: Any) -> None:
    def run() -> None:
        for thing in (Door(), Gate()):
            kind(thing, states=STATES, initial="open", transitions=ROWS, auto_transitions=False)
            push(thing)

    assert only(run) == ((2, 3), (1, 3))


def test_machines_with_states_inside_states_that_grow_are_one() -> None:
    inner = {"name": "shut", "initial": "loose", "children": ["loose", "tight"]}

    def run() -> None:
        things: list[Any] = [Door(), Gate()]
        for thing in things:
            one: Any = HierarchicalMachine(
                thing, states=["open", inner], initial="open", transitions=[["push", "open", "shut"]],
                auto_transitions=False,
            )  # fmt: skip
            push(thing)
            one.add_transition("press", "shut_loose", "shut_tight")
            thing.press()

    assert only(run) == ((4, 4), (2, 2))


def test_the_same_definition_at_another_line_is_another_subject() -> None:
    def run() -> None:
        first = Machine(states=STATES, initial="open", transitions=ROWS)
        other = Machine(states=STATES, initial="open", transitions=ROWS)
        first.push()
        other.push()

    assert [result.coverages[1].asked for result in results(seen(run))] == [3, 3]


def test_other_definitions_at_one_line_are_other_subjects_with_numbers() -> None:
    def run() -> None:
        for rows in (ROWS, ROWS[:2], ROWS[:1]):
            door(Door(), transitions=rows).models[0].push()

    found = results(seen(run))
    label = f"Door ({HERE}:{line('# a door')})"
    assert {r.name for r in found} == {label, f"{label} #2", f"{label} #3"}
    assert sorted(r.coverages[1].asked for r in found) == [1, 2, 3]


def test_a_copy_of_what_cannot_be_told_stays_alone() -> None:
    one = door()
    with collecting() as session:
        one.push()
    assert [(s.name, s.place) for s in session.data.seen] == [("Machine", "")]
    assert [r.name for r in results(session.data)] == ["Machine"]


# names --------------------------------------------------------------------------------------------


def name_of(run: Callable[[], object]) -> str:
    [result] = results(seen(run))
    return result.name


def test_a_subject_is_named_for_what_is_driven_and_where_it_was_made() -> None:
    def run() -> None:
        thing: Any = Door()
        Machine(thing, states=STATES, initial="open", transitions=ROWS)  # here
        thing.push()

    assert name_of(run) == f"Door ({HERE}:{line('# here')})"


def test_a_machine_that_is_its_own_model_has_the_name_of_its_class() -> None:
    assert name_of(lambda: push(Made())) == f"Made ({HERE}:{line('super().__init__(')})"


def test_a_name_that_was_given_says_more_than_a_class_of_the_library() -> None:
    assert name_of(lambda: door(name="front").push()) == f"front ({HERE}:{line('# a door')})"
    assert name_of(lambda: door().push()) == f"Machine ({HERE}:{line('# a door')})"


def test_several_classes_are_named_together() -> None:
    assert name_of(of_other_models) == f"Door, Gate ({HERE}:{line('# a door')})"
    names = "door 0, door 1, door 2 and 2 more"
    assert name_of(of_other_names) == f"{names} ({HERE}:{line('# a door')})"


def test_a_place_outside_the_root_is_a_whole_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        name_of(lambda: door().push())
        == f"Machine ({Path(__file__).resolve().as_posix()}:{line('# a door')})"
    )


def test_started_processes_show_paths_from_the_same_root(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    code = "from transitions import Machine\nM = Machine(states=['a', 'b'], initial='a')\n"
    (tmp_path / "project" / "doors.py").write_text(
        f"{code}M.add_transition('go', 'a', 'b')\nM.go()\n", "utf-8"
    )
    session = start(tmp_path / "data", children=True, root=tmp_path)
    try:
        processes.run(
            [sys.executable, tmp_path / "project" / "doors.py"],
            cwd=tmp_path / "project",
            check=True,
        )
    finally:
        stop(session)
    assert [(s.place, s.grows) for s in session.data.seen] == [("project/doors.py:2", True)]


def test_allowed_lists_name_a_subject_with_or_without_its_place() -> None:
    data = seen(of_other_models)
    [whole] = (result.name for result in results(data))
    for name in ("Door", "Gate", whole):
        allowed = [Allowed(name, "transitions", "shut -> locked on lock", "not sold yet")]
        [result] = results_of(data, [], ["transitions"], allowed)
        assert [t.id for t in result.coverages[0].excused] == ["shut -> locked on lock"]
        assert wrong(allowed, [result]) == ()
    [result] = results_of(
        data,
        [],
        ["transitions"],
        [Allowed("Window", "transitions", "shut -> locked on lock", "no")],
    )
    assert result.coverages[0].excused == ()
