"""Any machine of the `transitions` library becomes a Model, with the names of the user."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import Any

import pytest
import transitions
from transitions.extensions import HierarchicalMachine

import fsm
from fsm.adapters import is_machine, model_of
from fsm.errors import ModelError, RulesetError
from fsm.model import Model
from support.amounts import sample
from support.foreignmachines import FLAT, NESTED, lamp, lights, order, tangled


def ids(model: Model) -> list[str]:
    return [row.id for row in model.transitions]


def small(*rows: Any, states: str = "ab") -> Any:
    """A machine of these transitions."""
    return transitions.Machine(
        states=list(states), initial="a", transitions=list(rows), auto_transitions=False
    )


@pytest.mark.parametrize("cls", FLAT, ids=lambda cls: cls.__name__)
def test_a_flat_machine_of_every_class_is_the_same_model(cls: Any) -> None:
    model = model_of(lamp(cls))
    assert [state.id for state in model.leaves] == ["off", "dim", "bright", "broken"]
    assert [state.kind for state in model.leaves] == ["stage", "stage", "stage", "final"]
    assert (model.name, model.initial) == ("Lamp", "off")
    assert ids(model) == [
        "off -> bright on press [is_paid, has_bulb]",
        "off -> dim on press [has_bulb, not is_paid]",
        "off -> (stays) on press",
        "dim -> off on press",
        "bright -> off on press",
        "dim -> dim on turn",
        "bright -> dim on turn",
        *(f"{state} -> broken on drop [lambda]" for state in ("off", "dim", "bright", "broken")),
    ]


@pytest.mark.parametrize("cls", NESTED, ids=lambda cls: cls.__name__)
def test_a_nested_machine_of_every_class_is_the_same_model(cls: Any) -> None:
    model = model_of(order(cls))
    assert [state.label for state in model.children("shipping")] == ["packing", "label", "sent"]
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


def test_states_of_an_enum_have_their_names() -> None:
    assert ids(model_of(lights())) == [
        "RED -> AMBER on next_state",
        "AMBER -> GREEN on next_state",
        "GREEN -> RED on next_state",
    ]


def test_parallel_states_are_entered_all_together() -> None:
    """A state of others that has no initial one can be by itself."""
    bare, both = {"name": "bare", "children": ["k"]}, {"name": "both", "parallel": ["p", "q"]}
    machine = HierarchicalMachine(
        states=["idle", bare, both],
        transitions=[["a", "idle", "bare"], ["b", "bare", "bare_k"], ["c", "idle", "both"]],
        initial="idle",
        auto_transitions=False,
    )
    assert set(ids(model_of(machine))) == {
        "idle -> bare itself on a",
        "bare -> bare_k on b",
        "idle -> both itself on c",
        "both itself -> both_p on all together",
        "both itself -> both_q on all together",
    }


@pytest.mark.parametrize("seed", sample(range(60), 6))
def test_a_model_has_every_transition_of_the_machine(seed: int) -> None:
    machine = tangled(seed)
    known = {(t.source, t.event, tuple(map(str, t.guard))) for t in model_of(machine).transitions}
    own = [event for event in machine.events.values() if not event.name.startswith("to_")]
    for event in own:
        for row in chain.from_iterable(event.transitions.values()):
            guard = tuple("not " * (not c.target) + c.func for c in row.conditions)
            assert (row.source, event.name, guard) in known


# words --------------------------------------------------------------------------------------------


def test_a_lambda_says_where_it_is_written_and_nothing_is_called() -> None:
    model = model_of(lamp())  # its callbacks raise
    docs = {fact.name: fact.doc for fact in model.facts}
    assert docs.pop("lambda").startswith("foreignmachines.py, line ")
    assert docs == {"is_paid": "", "has_bulb": ""}
    assert model.state("dim").doc == "on enter: greet"
    assert model.transition("dim -> off on press").doc == "count"


def test_callables_that_are_called_the_same_get_numbers() -> None:
    def ready(level: int = 0) -> bool:
        """It is."""
        return True

    checks = [ready, lambda: True, lambda: False, partial(ready, 5)]
    machine = small(
        {"trigger": "go", "source": "a", "dest": "b", "conditions": checks},
        {"trigger": "go", "source": "a", "dest": "a", "conditions": ready},
    )
    assert ids(model_of(machine)) == [
        "a -> b on go [ready, lambda, lambda 2, ready 2]",
        "a -> a on go [ready]",
    ]


def test_a_method_of_what_a_machine_drives_has_one_name() -> None:
    class Door:
        def is_free(self) -> bool:
            return True

    door = Door()
    machine = transitions.Machine(door, ["a", "b"], "a", auto_transitions=False)
    machine.add_transition("go", "a", "b", conditions=door.is_free)
    machine.add_transition("back", "b", "a", conditions="is_free")
    assert ids(model_of(machine)) == ["a -> b on go [is_free]", "b -> a on back [is_free]"]


def test_callbacks_of_any_name_go_to_a_file_and_back() -> None:
    row = {"trigger": "x", "source": "a", "dest": "b", "before": ["sayHello2", "Ärger"]}
    model = model_of(small(row))
    assert fsm.Model.from_json(model.to_json()) == model


def test_the_order_in_which_a_machine_tries_its_transitions_is_kept() -> None:
    early = {"trigger": "go", "source": "*", "dest": "b", "conditions": "early"}
    machine = small(early, ["go", "a", "a"], ["again", "*", "="])
    assert ids(model_of(machine)) == [
        "a -> b on go [early]",
        "a -> a on go",
        "b -> b on go [early]",
        "a -> a on again",
        "b -> b on again",
    ]


# what is special ----------------------------------------------------------------------------------


def test_what_can_never_fire_is_left_out() -> None:
    machine = small(["x", "a", "b"], ["y", "c", "a"], states="abc")
    del machine.states["c"]
    assert ids(model_of(machine)) == ["a -> b on x"]


def test_a_trigger_of_ones_own_may_be_called_like_the_librarys() -> None:
    machine = transitions.Machine(states=["a", "b"], initial="a")
    assert ids(model_of(machine)) == []
    machine.events.pop("to_b")
    machine.add_transition("to_b", "a", "b", conditions="is_a")
    assert ids(model_of(machine)) == ["a -> b on to_b [is_a]"]


def test_a_machine_that_has_not_started_says_so() -> None:
    model = model_of(transitions.Machine(None, states=["a"], initial=None))
    assert model.state(model.initial).label == "not started"


def test_a_machine_without_states_is_refused() -> None:
    with pytest.raises(ModelError, match="has no states"):
        model_of(transitions.Machine(None, states=None, initial=None))


def test_a_machine_made_from_a_model_is_that_model(magic: Model) -> None:
    machine = fsm.engine.Machine.from_model(magic)
    assert is_machine(machine) and not is_machine(magic)
    assert model_of(machine) is magic


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("LAMP", "draw, check, paths and conform also take machines of the transitions library"),
        ("NOT_ONE", "is a Lamp, but must be a Model or a Table"),
    ],
)
def test_a_machine_is_refused_where_a_game_is_needed(name: str, says: str) -> None:
    with pytest.raises(RulesetError, match=says):
        fsm.load(f"support.foreignmachines:{name}")
