"""Plain machines of the transitions library as Models and pictures, of each of its classes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import transitions
from transitions.extensions import HierarchicalMachine

import fsm
from fsm import draw, rulesets
from fsm.adapters import is_machine, model_of
from fsm.adapters import read as read_machine
from fsm.errors import ModelError, RulesetError
from fsm.model import Model
from fsm.views import tabulate
from fsm.views.drawing.options import Now
from fsm.views.machinestanding import state_of
from support.drawnsvg import collisions, read
from support.foreignmachines import FLAT, NESTED, Lamp, Light, lamp, lights, order, tangled

every_flat = pytest.mark.parametrize("cls", FLAT, ids=lambda c: c.__name__)
every_nested = pytest.mark.parametrize("cls", NESTED, ids=lambda c: c.__name__)


def now_of(machine: Any, number: int = 0) -> Now:
    """Where the machine's model of this number stands."""
    return Now(state_of(machine, model_of(machine), number))


def ids(model: Model) -> list[str]:
    return [t.id for t in model.transitions]


@every_flat
def test_a_flat_machine_of_every_class_is_the_same_model(cls: Any) -> None:
    model = model_of(lamp(cls))
    assert [s.id for s in model.leaves] == ["off", "dim", "bright", "broken"]
    assert [s.kind for s in model.leaves] == ["stage", "stage", "stage", "final"]
    assert model.initial == "off"
    assert ids(model) == [
        "off -> bright on press [is_paid, has_bulb]",
        "off -> dim on press [has_bulb, not is_paid]",
        "off -> (stays) on press",
        "dim -> off on press",
        "bright -> off on press",
        "dim -> dim on turn",
        "bright -> dim on turn",
        *(f"{state} -> broken on drop [condition]" for state in ("off", "dim", "bright", "broken")),
    ]
    assert is_machine(lamp(cls))


@every_nested
def test_a_nested_machine_of_every_class_is_the_same_model(cls: Any) -> None:
    model = model_of(order(cls))
    assert [s.id for s in model.children("shipping")] == [
        "shipping_packing",
        "shipping_label",
        "shipping_sent",
    ]
    assert [s.label for s in model.children("shipping")] == ["packing", "label", "sent"]
    assert set(ids(model)) == {
        "shipping_packing -> shipping_label on print",
        "shipping_label -> shipping_sent on hand",
        "cart -> paid on pay [is_covered]",
        "cart -> cart on pay",
        "paid -> shipping_packing on ship",
        "shipping_sent -> delivered on arrive",
        "cart -> cancelled on cancel",
        "paid -> cancelled on cancel",
        "shipping -> paid on recall",
    }


class Paid(Lamp):
    """A lamp that may be asked and told things."""

    def __init__(self, paid: bool) -> None:
        self.paid = paid

    def is_paid(self) -> bool:
        return self.paid

    has_bulb = True

    def count(self) -> None:
        pass

    greet = count


@pytest.mark.parametrize(
    "cls", [c for c in FLAT if "Async" not in c.__name__], ids=lambda c: c.__name__
)
@pytest.mark.parametrize("paid", [False, True])
def test_the_model_goes_where_the_machine_goes(cls: Any, paid: bool) -> None:
    """From every state, each trigger leads where the first row whose guard holds leads."""
    subject = Paid(paid)
    machine = lamp(cls, subject)
    model = model_of(machine)
    known = {"is_paid": paid, "has_bulb": True, "condition": True}
    for state in model.leaves:
        for event in model.events_at(state.id):
            machine.set_state(state.id, subject)
            row = next(
                t
                for t in model.rows(state.id, event)
                if all(known[g.fact] is g.value for g in t.guard)
            )
            subject.trigger(event)  # type: ignore[attr-defined]
            assert subject.state == (row.target or state.id), row.id  # type: ignore[attr-defined]


def test_states_that_are_members_of_an_enum() -> None:
    machine = lights()
    model = model_of(machine)
    ways = (("RED", "AMBER"), ("AMBER", "GREEN"), ("GREEN", "RED"))
    assert ids(model) == [f"{a} -> {b} on next_state" for a, b in ways]
    assert now_of(machine).state == "RED"
    machine.set_state(Light.GREEN)
    assert now_of(machine).state == "GREEN"


def test_facts_are_documented_by_docstrings_and_nothing_is_called() -> None:
    docs = {f.name: f.doc for f in model_of(lamp()).facts}
    assert docs == {
        "is_paid": "The bill has been paid",
        "has_bulb": "there is a bulb in it",
        "condition": "",
    }


def test_callables_that_are_called_the_same_get_numbers() -> None:
    def ready() -> bool:
        """It is."""
        return True

    machine = transitions.Machine(states=["a", "b"], initial="a", auto_transitions=False)
    machine.add_transition(
        "go", "a", "b", conditions=[ready, lambda: True, lambda: False, partial(ready)]
    )
    machine.add_transition("go", "a", "a", conditions=ready)
    model = model_of(machine)
    assert ids(model) == [
        "a -> b on go [ready, condition, condition 2, ready 2]",
        "a -> a on go [ready]",
    ]
    assert model.fact("ready").doc == "It is"


def test_callbacks_are_told_as_words() -> None:
    model = model_of(lamp())
    assert model.state("dim").doc == "on enter: greet"
    assert model.transition("dim -> off on press").doc == "count"


def test_from_anywhere_is_one_arrow() -> None:
    drawn = read(draw(model_of(lamp())))
    assert len([text for text in drawn.words if "drop" in text]) == 1
    assert drawn.says("from any state")


def test_what_all_states_have_stays_theirs_when_the_order_would_change() -> None:
    machine = transitions.Machine(states=["a", "b"], initial="a", auto_transitions=False)
    machine.add_transition("go", "*", "b", conditions="early")
    machine.add_transition("go", "a", "a")
    assert ids(model_of(machine)) == [
        "a -> b on go [early]",
        "a -> a on go",
        "b -> b on go [early]",
    ]


def test_back_to_the_same_state_from_anywhere() -> None:
    machine = transitions.Machine(states=["a", "b"], initial="a", auto_transitions=False)
    machine.add_transition("again", "*", "=")
    machine.add_transition("go", "a", "b")
    model = model_of(machine)
    assert ids(model) == ["a -> a on again", "b -> b on again", "a -> b on go"]
    assert read(draw(model)).says("Again: the same state again")


def test_states_by_themselves_and_several_at_once() -> None:
    machine = HierarchicalMachine(
        states=[
            "idle",
            {"name": "bare", "children": ["k"]},
            {"name": "both", "parallel": ["p", "q"]},
        ],
        transitions=[["a", "idle", "bare"], ["b", "bare", "bare_k"], ["c", "idle", "both"]],
        initial="idle",
        auto_transitions=False,
    )
    model = model_of(machine)
    assert set(ids(model)) == {
        "idle -> bare itself on a",
        "bare -> bare_k on b",
        "idle -> both itself on c",
        "both itself -> both_p on all together",
        "both itself -> both_q on all together",
    }
    machine.trigger("a")
    assert now_of(machine).state == "bare itself"
    machine.trigger("b")
    assert now_of(machine).state == "bare_k"


def test_a_machine_that_has_not_started() -> None:
    machine = transitions.Machine(None, states=["a"], initial=None, auto_transitions=False)
    assert model_of(machine).state(model_of(machine).initial).label == "not started"


def test_a_machine_without_states_is_refused() -> None:
    with pytest.raises(ModelError, match="has no states"):
        model_of(transitions.Machine(None, states=None, initial=None))


def test_a_machine_made_from_a_model_is_that_model() -> None:
    magic = fsm.load("magic")
    assert model_of(fsm.engine.Machine.from_model(magic)) is magic


def test_names_that_collide_with_ours() -> None:
    machine = transitions.Machine(
        states=["any state", "itself", "b"], initial="b", auto_transitions=False
    )
    machine.add_transition("go", "*", "b")
    model = model_of(machine)
    assert read(draw(model)).says("from any state")
    assert "anywhere in any state 2 | If go: goes on with b." in tabulate(model)
    assert len(model.leaves) == 3


@every_flat
def test_the_picture_of_a_flat_machine(cls: Any) -> None:
    machine = lamp(cls)
    picture = read(draw(model_of(machine), now=now_of(machine)))
    assert collisions(picture) == []
    assert {
        "off",
        "dim",
        "bright",
        "broken",
        "1 press [is_paid, has_bulb]",
        "2 press [has_bulb, not is_paid]",
    } <= set(picture.words)
    assert picture.says("press otherwise: nothing happens")
    assert any("is_paid: The bill has been paid" in tip for tip in picture.tooltips)


@every_nested
def test_the_picture_of_a_nested_machine(cls: Any) -> None:
    picture = read(draw(model_of(order(cls))))
    assert collisions(picture) == []
    assert {"shipping", "1 pay [is_covered]", "2 pay else", "recall"} <= set(picture.words)
    assert len(picture.boxes) == 1


def test_the_table_of_a_machine_is_one_of_its_states() -> None:
    flat, nested = tabulate(model_of(lamp())), tabulate(model_of(order()))
    assert "Part | State | What follows" in nested
    assert (
        "If press and there is a bulb in it, unless the bill has been paid: goes on with dim."
        in flat
    )
    assert "Otherwise, if press: nothing happens." in flat
    assert "anywhere in any state | If drop and condition: goes on with broken." in flat
    assert "anywhere in shipping | If recall: goes on with paid." in nested
    assert flat.count("No way on") == 0
    assert nested.count("No way on") == 1  # delivered


def test_a_state_without_a_way_on_is_told() -> None:
    assert read(draw(model_of(order()))).says("NO WAY ON from: delivered.")
    assert not read(draw(model_of(lamp()))).says("NO WAY ON")


def test_boxes_lie_in_boxes() -> None:
    inner = {"name": "b", "initial": "c", "children": ["c", "d"]}
    machine = HierarchicalMachine(
        states=["z", {"name": "a", "initial": "b", "children": [inner]}],
        transitions=[
            ["in", "z", "a"],
            ["go", "a_b_c", "a_b_d"],
            ["out", "a_b", "z"],
            ["stop", "a", "z"],
        ],
        initial="z",
        auto_transitions=False,
    )
    picture = read(draw(model_of(machine)))
    (around, inside) = picture.boxes
    assert around[0] < inside[0] < inside[2] < around[2]
    assert around[1] < inside[1] < inside[3] < around[3]
    assert collisions(picture) == []


@pytest.mark.parametrize("seed", [*range(20), 34, 80, 82, 106])
def test_no_two_texts_meet_in_any_machine(seed: int) -> None:
    machine = tangled(seed)
    said = collisions(read(draw(model_of(machine), now=now_of(machine))))
    assert [text for text in said if not text.endswith(("meets a line", "meets a border"))] == []


@pytest.mark.parametrize(
    "spec", [f"support.foreignmachines:{name}" for name in ("LAMP", "lamp", "order")]
)
def test_a_machine_is_loaded_where_machines_are_welcome(spec: str) -> None:
    assert rulesets.load(spec, machines=True).transitions


@pytest.mark.parametrize("spec", ["support.foreignmachines:LAMP", "support.foreignmachines:order"])
def test_a_machine_is_refused_where_a_model_is_needed(spec: str) -> None:
    with pytest.raises(RulesetError) as refused:
        rulesets.load(spec)
    assert str(refused.value) == (
        f"ruleset {spec!r} is a machine of the transitions library: it can be drawn, but this needs a Model or a Table"
    )


def test_what_is_no_machine_is_still_refused() -> None:
    with pytest.raises(
        RulesetError,
        match="is a Lamp, but must be a Model, a Table or a machine of the transitions",
    ):
        rulesets.load("support.foreignmachines:NOT_ONE", machines=True)


# what the machine's transitions are called --------------------------------------------------------


@pytest.mark.parametrize("cls", [*FLAT, *NESTED])
def test_each_transition_has_its_row(cls: Any) -> None:
    machine = order(cls) if cls in NESTED else lamp(cls)
    rows, model = read_machine(machine).rows, model_of(machine)
    events = [machine.events[e.name] for e in model.events if e.name in machine.events]
    own = [t for event in events for found in event.transitions.values() for t in found]
    assert own and all(id(t) in rows for t in own)
    assert set(rows.values()) == set(model.transitions)
    event, state = ("pay", "cart") if cls in NESTED else ("press", "off")
    assert {rows[id(t)].event for t in machine.events[event].transitions[state]} == {event}


def test_a_transition_from_a_state_that_was_deleted_is_left_out() -> None:
    machine = transitions.Machine(
        states=["a", "b", "c"], initial="a", transitions=[["x", "a", "b"], ["y", "c", "a"]]
    )
    del machine.states["c"]
    assert [t.id for t in model_of(machine).transitions] == ["a -> b on x"]


def test_callbacks_of_any_name_go_to_a_file_and_back() -> None:
    rows = [{"trigger": "x", "source": "a", "dest": "b", "before": ["sayHello2", "Ärger"]}]
    model = model_of(transitions.Machine(states=["a", "b"], initial="a", transitions=rows))
    assert fsm.Model.from_json(model.to_json()) == model


def test_each_model_of_a_machine_stands_where_it_stands() -> None:
    first, second = Lamp(), Lamp()
    machine = transitions.Machine([first, second], states=["a", "b"], initial="a")
    second.to_b()  # type: ignore[attr-defined]
    assert [now_of(machine, number).state for number in (0, 1)] == ["a", "b"]
    with pytest.raises(ModelError, match="has 2 models; there is no number 2"):
        now_of(machine, 2)


def test_a_trigger_of_ones_own_that_is_called_like_the_librarys_is_kept() -> None:
    machine = transitions.Machine(states=["a", "b"], initial="a")
    machine.events.pop("to_b")
    machine.add_transition("to_b", "a", "b", conditions="is_a")
    assert any("on to_b" in id for id in ids(model_of(machine)))
