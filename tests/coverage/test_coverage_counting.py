"""What counts of a machine of the transitions library: each transition as it was written, each
definition once.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine, MachineError
from transitions.extensions import AsyncMachine, GraphMachine, HierarchicalMachine

from fsm import draw
from fsm.adapters import model_of
from fsm.coverage import (
    Data,
    collecting,
    combine,
    covered,
    model_in,
    read,
    save,
    subject_of,
)
from fsm.coverage.reports import Result, report_asked, results_of, written
from fsm.views import tabulate
from fsm.views.drawing import Counts
from support.drawnsvg import read as picture
from support.smallmodels import CARDS

CRITERIA = ("states", "transitions", "pairs", "refusals")
LINK = [
    ["connect", "idle", "connecting"],
    ["established", "connecting", "online"],
    ["disconnect", "idle", "idle"],
    ["disconnect", "connecting", "idle"],
    ["disconnect", "online", "idle"],
]
ORDER = [["pay", "new", "paid"], ["send", "paid", "sent"], ["close", "sent", "done"]]


def link(kind: type = Machine, **more: Any) -> Any:
    """A machine with five transitions, three of them the same event from each state."""
    states = ["idle", "connecting", "online"]
    return kind(
        states=states, initial="idle", auto_transitions=False, name="link", transitions=LINK, **more
    )


def order(start: str | None, states: str = "new paid sent done", **more: Any) -> Any:
    """An order as a program restores it: a machine of its own, which starts where the database
    says.
    """
    settings: dict[str, Any] = {
        "auto_transitions": False,
        "transitions": ORDER,
        "name": "order",
    } | more
    return Machine(states=states.split(), initial=start, **settings)


def seen(run: Callable[[], object]) -> Data:
    """What is recorded while this runs."""
    with collecting() as session:
        run()
    return session.data


def results(data: Data) -> list[Result]:
    return list(results_of(data, [], CRITERIA))


def figures(
    run: Callable[[], object], criterion: str = "transitions"
) -> list[tuple[int, int, int]]:
    """Of each subject that is met: how many were taken, are to be taken, and cannot be."""
    found = [result.by(criterion) for result in results(seen(run))]
    return [(len(c.covered), c.asked, len(c.infeasible)) for c in found if c is not None]


def missing(run: Callable[[], object], criterion: str) -> set[str]:
    [result] = results(seen(run))
    coverage = result.by(criterion)
    assert coverage is not None
    return {target.id for target in coverage.missing}


# each transition as it was written ----------------------------------------------------------------


def through(machine: Any, *events: str) -> Callable[[], None]:
    def run() -> None:
        for event in events:
            machine.trigger(event)

    return run


def test_rows_written_for_each_state_count_each() -> None:
    ways = through(link(), "connect", "established", "disconnect")
    assert missing(ways, "transitions") == {
        "idle -> idle on disconnect",
        "connecting -> idle on disconnect",
    }
    assert figures(through(link(), "connect", "established", "disconnect")) == [(3, 5, 0)]


def test_no_state_is_made_up() -> None:
    assert figures(through(link(), "connect", "established"), "states") == [(3, 3, 0)]


@pytest.mark.parametrize("kind", [Machine, HierarchicalMachine, GraphMachine])
@pytest.mark.parametrize(
    ("source", "dest", "rows"),
    [
        ("*", "b", {"a -> b on go", "b -> b on go", "c -> b on go"}),
        (["a", "c"], "b", {"a -> b on go", "c -> b on go"}),
        ("*", "=", {"a -> a on go", "b -> b on go", "c -> c on go"}),
        ("*", None, {"a -> (stays) on go", "b -> (stays) on go", "c -> (stays) on go"}),
    ],
)
def test_wildcards_and_lists_count_for_each_source(
    kind: type, source: Any, dest: Any, rows: set[str]
) -> None:
    graphic = {"graph_engine": "mermaid"} if kind is GraphMachine else {}
    machine = kind(states=list("abc"), initial="a", auto_transitions=False, name="wild", **graphic)
    machine.add_transition("go", source, dest)
    machine.add_transition("turn", "b", "c")
    machine.add_transition("turn", "a", "b")
    ids = {row.id for row in model_of(machine).transitions}
    assert ids == rows | {"b -> c on turn", "a -> b on turn"}
    assert figures(through(machine, "turn", "turn")) == [(2, len(rows) + 2, 0)]


def test_rows_with_other_conditions_are_others() -> None:
    machine = Machine(states=["a", "b"], initial="a", auto_transitions=False, name="picky")
    machine.add_transition("go", "a", "b", conditions=lambda: False)
    machine.add_transition("go", "a", "b", conditions=lambda: True)
    machine.add_transition("go", "a", "b", unless=lambda: True)
    assert missing(through(machine, "go"), "transitions") == {
        "a -> b on go [condition]",
        "a -> b on go [not condition 3]",
    }


class Colour(Enum):
    RED = 1
    GREEN = 2


def test_members_of_an_enum_and_ordered_transitions() -> None:
    machine = Machine(
        states=Colour,
        initial=Colour.RED,
        ordered_transitions=True,
        auto_transitions=False,
        name="lamp",
    )
    machine.add_transition("off", "*", Colour.RED)
    assert figures(through(machine, "next_state", "off")) == [(2, 4, 0)]


def test_an_asynchronous_machine() -> None:
    machine = link(AsyncMachine)

    async def run() -> None:
        await machine.connect()
        await machine.disconnect()

    assert figures(lambda: asyncio.run(run())) == [(2, 5, 0)]


def test_a_transition_of_a_composite_state_counts_once_as_it_was_written() -> None:
    states = ["idle", {"name": "busy", "initial": "slow", "children": ["slow", "fast"]}]
    rows = [["work", "idle", "busy"], ["hurry", "busy_slow", "busy_fast"], ["stop", "*", "idle"]]
    machine = HierarchicalMachine(
        states=states, transitions=rows, initial="idle", auto_transitions=False, name="nest"
    )
    assert {row.id for row in model_of(machine).transitions} == {
        "idle -> busy_slow on work",
        "busy_slow -> busy_fast on hurry",
        "idle -> idle on stop",
        "busy -> idle on stop",
    }
    assert figures(through(machine, "work", "hurry", "stop")) == [(3, 4, 0)]


def parallel() -> Any:
    part = {"children": ["1", "2"], "initial": "1"}
    states = ["off", {"name": "on", "parallel": [{"name": "l", **part}, {"name": "r", **part}]}]
    rows = [
        ["start", "off", "on"],
        ["left", "on_l_1", "on_l_2"],
        ["right", "on_r_1", "on_r_2"],
        ["stop", "on", "off"],
    ]
    return HierarchicalMachine(
        states=states, transitions=rows, initial="off", auto_transitions=False, name="both"
    )


def test_what_stands_for_several_states_at_once_is_not_counted() -> None:
    data = seen(through(parallel(), "start", "left", "right", "stop"))
    [result] = results(data)
    counted = {c.criterion: {t.id for t in c.targets} for c in result.coverages}
    states = {"off", "on", *(f"on_{side}{part}" for side in "lr" for part in ("", "_1", "_2"))}
    assert counted["states"] == states
    assert len(counted["transitions"]) == 4
    assert not any("all together" in id for ids in counted.values() for id in ids)
    assert [c.share for c in result.coverages[:2]] == [1.0, 1.0]


# each definition once -----------------------------------------------------------------------------


def three() -> None:
    order("new").pay()
    order("paid").send()
    order("sent").close()


def test_one_machine_that_starts_in_three_states_is_one() -> None:
    [result] = results(seen(three))
    assert (result.firings, result.names) == (3, frozenset({result.name, "order"}))
    assert [(c.criterion, len(c.covered), c.asked) for c in result.coverages[:2]] == [
        ("states", 4, 4),
        ("transitions", 3, 3),
    ]


@pytest.mark.parametrize("start", ["new", "paid", "sent", "done", None])
def test_the_start_is_no_part_of_what_a_subject_is(start: str | None) -> None:
    machine = order("new")
    other = order(start, model=None)
    assert subject_of(model_of(other)).fingerprint == subject_of(model_of(machine)).fingerprint
    assert covered(model_of(other), "transitions", seen(three)).share == 1.0


def test_the_model_in_the_data_is_the_same_in_whatever_order_it_was_met() -> None:
    def backwards() -> None:
        order("sent").close()
        order("new").pay()
        order("paid").send()

    models = [model_in(data, next(iter(data.seen))) for data in (seen(three), seen(backwards))]
    assert models[0] is not None and models[0] == models[1]
    assert models[0].initial == "new"


def test_a_game_begins_where_its_model_begins() -> None:
    subject = subject_of(CARDS)
    data = Data(models={subject: CARDS.to_json()})
    data.of(subject).starts.add("lost")
    assert model_in(data, subject) == CARDS


def test_data_of_several_runs_are_one(tmp_path: Path) -> None:
    for number, (start, event) in enumerate([("sent", "close"), ("paid", "send"), ("new", "pay")]):
        save(seen(through(order(start), event)), tmp_path / f"{number}.fsmcov")
    together = combine([tmp_path])
    [result] = results(together)
    assert [c.share for c in result.coverages[:2]] == [1.0, 1.0]
    [subject] = together.seen
    assert together.seen[subject].starts == {"new", "paid", "sent"}
    save(together, tmp_path / "all.fsmcov")
    assert read(tmp_path / "all.fsmcov") == together


class Thing:
    """What a machine drives."""


def test_objects_that_start_each_elsewhere() -> None:
    machine = order("new", model=None)
    things: list[Any] = [Thing() for _ in range(3)]

    def run() -> None:
        machine.add_model(things[0])
        machine.add_model(things[1], initial="paid")
        machine.add_model(things[2])
        machine.set_state("sent", things[2])
        things[0].pay()
        things[1].send()
        things[2].close()

    assert figures(run) == [(3, 3, 0)]


def test_machines_of_a_class_made_by_each_test_are_one() -> None:
    class Shop(Machine):
        def __init__(self, start: str) -> None:
            super().__init__(
                states=["new", "paid"],
                initial=start,
                auto_transitions=False,
                before_state_change="log",
            )
            self.add_transition("pay", "new", "paid", conditions=self.rich)
            self.add_transition("back", "*", "new")

        def rich(self) -> bool:
            """Is there money?"""
            return True

        def log(self) -> None:
            """Nothing."""

    def run() -> None:
        Shop("new").pay()
        Shop("new").pay()
        Shop("paid").back()

    assert figures(run) == [(2, 3, 0)]


class Payer:
    def rich(self) -> bool:
        """There is money."""
        return True


class Stub:
    def rich(self) -> bool:
        return True


def test_a_stub_is_driven_by_the_same_machine() -> None:
    rows = [{"trigger": "pay", "source": "new", "dest": "paid", "conditions": "rich"}, *ORDER[1:]]

    def run() -> None:
        things: list[Any] = [Payer(), Stub()]
        for thing in things:
            order("new", model=thing, transitions=rows)
            thing.pay()

    assert figures(run) == [(1, 3, 0)]


def test_machines_that_differ_stay_apart() -> None:
    def run() -> None:
        for dest in "bc":
            machine = Machine(states=list("abc"), initial="a", auto_transitions=False, name="twin")
            machine.add_transition("go", "a", dest)
            machine.trigger("go")

    assert figures(run) == [(1, 1, 0), (1, 1, 0)]


def test_composites_that_only_a_start_enters_do_not_make_another_machine() -> None:
    def nest(start: str) -> Any:
        states = ["idle", {"name": "busy", "children": ["slow", "fast"]}]
        rows = [
            ["hurry", "busy_slow", "busy_fast"],
            ["begin", "idle", "busy_slow"],
            ["stop", "busy", "idle"],
        ]
        return HierarchicalMachine(
            states=states, transitions=rows, initial=start, auto_transitions=False, name="nest"
        )

    def run() -> None:
        nest("idle").begin()
        nest("busy_slow").hurry()
        nest("busy").stop()

    assert figures(run) == [(3, 3, 0)]


# what is impossible -------------------------------------------------------------------------------


def island(start: str, **more: Any) -> Any:
    rows = [["pay", "new", "paid"], ["send", "paid", "sent"], ["swim", "island", "new"]]
    return order(start, "new paid sent island", transitions=rows, name="island", **more)


def test_what_is_impossible_is_judged_from_all_starts() -> None:
    def restored() -> None:
        island("paid").send()
        island("sent")

    # nobody was seen to begin in "new" or on the island
    assert figures(restored) == [(1, 1, 2)]
    assert figures(restored, "states") == [(2, 2, 2)]

    def fresh() -> None:
        restored()
        with pytest.raises(MachineError):
            island("new").send()  # it begins there, and nothing fires

    assert figures(fresh) == [(1, 2, 1)]
    assert figures(fresh, "states") == [(3, 3, 1)]


@pytest.mark.parametrize("how", ["to_island", "set_state"])
def test_a_state_that_an_object_was_put_into_is_possible(how: str) -> None:
    machine = island("new", auto_transitions=True)

    def run() -> None:
        machine.pay()
        if how == "set_state":
            machine.set_state("island")
        else:
            machine.to_island()

    assert figures(run) == [(1, 3, 0)]
    assert figures(lambda: island("new").pay()) == [(1, 2, 1)]


# reports and pictures -----------------------------------------------------------------------------


def reported(kind: str, data: Data) -> str:
    return next(iter(written(results(data), [report_asked(f"{kind}:out.{kind}")]).values()))


def test_reports_count_what_was_written() -> None:
    data = seen(through(link(), "connect", "established", "disconnect"))
    page = re.sub(r"\s*<[^>]+>\s*", " ", reported("html", data))
    assert "3 firings" in page and "States entered 3 of 3 100%" in " ".join(page.split())


def test_pictures_and_tables_say_once_what_every_state_has() -> None:
    model = model_of(link())
    drawn = picture(draw(model))
    assert [text for text in drawn.words if "disconnect" in text] == ["disconnect"]
    assert drawn.says("from any state")
    assert "anywhere in any state | If disconnect: goes on with idle." in tabulate(model)
    assert len(model.transitions) == 5


def counts(data: Data) -> Counts:
    """How often each transition was taken."""
    [coverage] = results(data)[0].coverages[1:2]
    return Counts({id: count for (_, id), count in coverage.taken.items()})


def test_the_heat_map_tells_from_how_many_states_a_line_was_taken() -> None:
    data = seen(through(link(), "connect", "established", "disconnect"))
    drawn = picture(draw(model_of(link()), counts=counts(data)))
    assert drawn.says("1× from 1 of 3")
    assert drawn.says("States 3 of 3, transitions 3 of 5.")
    assert drawn.says("Never: disconnect from idle, connecting.")
    events = ["disconnect", "connect", "disconnect", "connect", "established", "disconnect"]
    whole = picture(draw(model_of(link()), counts=counts(seen(through(link(), *events)))))
    assert whole.says("transitions 5 of 5.") and not whole.says("from 3 of 3")
