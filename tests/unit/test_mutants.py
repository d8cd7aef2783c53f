"""Which changes of a machine `fsm mutate` tries, and which it leaves out as no change at all."""

from __future__ import annotations

from typing import Any

from transitions import Machine
from transitions.extensions import HierarchicalMachine

from fsm.testing.mutation.mutants import Mutant, mutants_of


def texts(mutants: tuple[Mutant, ...], kind: str) -> list[str]:
    return [mutant.text for mutant in mutants if mutant.kind == kind]


def made(*rows: Any, kind: type[Machine] = Machine, **options: Any) -> Any:
    """A machine with the states a, b, c and these rows."""
    rest = {"states": ["a", "b", "c"], "initial": "a", "auto_transitions": False, **options}
    return kind(transitions=list(rows), **rest)


def test_what_makes_no_difference_is_not_tried() -> None:
    opposite = {"trigger": "go", "source": "a", "dest": "c", "unless": "x"}
    tried, same = mutants_of(made(["go", "a", "b", "x"], opposite))
    assert texts(same, "unconditional") == ["`a -> c on go [not x]` does not ask for `not x`"]
    assert "`a -> b on go [x]` does not ask for `x`" in texts(tried, "unconditional")
    _, same = mutants_of(made(["go", "a", "b"], ["go", "a", "c"]))
    assert [mutant.row for mutant in same] == ["a -> c on go", "a -> c on go"]


def test_a_new_target_is_another_state() -> None:
    tried, _ = mutants_of(made(["go", "a", "b"], ["on", "b", "b"], ["back", "b", "a"]))
    assert texts(tried, "retargeted") == [
        "`a -> b on go` leads to `a`",
        "`b -> b on on` leads to `a`",
        "`b -> a on back` leads to `b`",
    ]


def test_callbacks_of_transitions_states_and_machines_are_dropped() -> None:
    row = {"trigger": "go", "source": "a", "dest": "b", "before": ["one", "two"]}
    states = ["a", {"name": "b", "on_enter": "three"}]
    tried, _ = mutants_of(made(row, states=states, after_state_change="four"))
    assert texts(tried, "callback") == [
        "`a -> b on go` does not call `one`",
        "`a -> b on go` does not call `two`",
        "`on_enter` of `b` does not call `three`",
        "`after_state_change` of the machine does not call `four`",
    ]


def test_a_transition_inside_of_a_state_is_changed_within_the_state() -> None:
    rows = [["turn", "x", "y"]]
    inner = {"name": "on", "initial": "x", "children": ["x", "y"], "transitions": rows}
    tried, _ = mutants_of(made(["push", "a", "on"], kind=HierarchicalMachine, states=["a", inner]))
    assert texts(tried, "retargeted") == [
        "`on_x -> on_y on turn` leads to `on_x`",
        "`a -> on_x on push` leads to `a`",
    ]
