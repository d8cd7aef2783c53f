"""Which changes of a machine `fsm mutate` tries, and which it leaves out as no change at all."""

from __future__ import annotations

from typing import Any

from transitions import Machine
from transitions.extensions import HierarchicalMachine

from fsm.adapters import model_of
from fsm.testing.mutants import Mutant, differences, mutants_of


def texts(mutants: list[Mutant], kind: str) -> list[str]:
    return [str(mutant) for mutant in mutants if mutant.kind == kind]


def tried(machine: Any) -> tuple[list[Mutant], list[Mutant]]:
    """The changes that are tried, and those that make no difference."""
    model = model_of(machine)
    every = list(mutants_of(model))
    same = [mutant for mutant in every if next(differences(model, mutant), None) is None]
    return [mutant for mutant in every if mutant not in same], same


def made(*rows: Any, kind: type[Machine] = Machine, **options: Any) -> Any:
    """A machine with the states a, b, c and these rows."""
    rest = {"states": ["a", "b", "c"], "initial": "a", "auto_transitions": False, **options}
    return kind(transitions=list(rows), **rest)


def test_what_makes_no_difference_is_not_tried() -> None:
    opposite = {"trigger": "go", "source": "a", "dest": "c", "unless": "x"}
    changes, same = tried(made(["go", "a", "b", "x"], opposite))
    assert texts(same, "unconditional") == ["`a -> c on go [not x]` does not ask for `not x`"]
    assert "`a -> b on go [x]` does not ask for `x`" in texts(changes, "unconditional")
    _, same = tried(made(["go", "a", "b"], ["go", "a", "c"]))
    assert [mutant.row for mutant in same] == ["a -> c on go", "a -> c on go"]


def test_a_new_target_is_another_state() -> None:
    changes, _ = tried(made(["go", "a", "b"], ["on", "b", "b"], ["back", "b", "a"]))
    assert texts(changes, "retargeted") == [
        "`a -> b on go` leads to `a`",
        "`b -> b on on` leads to `a`",
        "`b -> a on back` leads to `b`",
    ]


def test_a_transition_inside_of_a_state_is_changed_within_the_state() -> None:
    rows = [["turn", "x", "y"]]
    inner = {"name": "on", "initial": "x", "children": ["x", "y"], "transitions": rows}
    changes, _ = tried(made(["push", "a", "on"], kind=HierarchicalMachine, states=["a", inner]))
    assert texts(changes, "retargeted") == [
        "`on_x -> on_y on turn` leads to `on_x`",
        "`a -> on_x on push` leads to `on_y`",
    ]
