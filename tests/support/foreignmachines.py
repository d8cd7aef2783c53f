"""Machines of the transitions library as its users write them, in every one of its classes, for the
drawing of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from enum import Enum
from typing import Any

import transitions
from transitions.extensions import (
    AsyncGraphMachine,
    AsyncMachine,
    GraphMachine,
    HierarchicalAsyncGraphMachine,
    HierarchicalAsyncMachine,
    HierarchicalGraphMachine,
    HierarchicalMachine,
    LockedGraphMachine,
    LockedHierarchicalGraphMachine,
    LockedHierarchicalMachine,
    LockedMachine,
)

import fsm

FLAT: list[type] = [
    transitions.Machine,
    GraphMachine,
    LockedMachine,
    LockedGraphMachine,
    AsyncMachine,
    AsyncGraphMachine,
    fsm.engine.Machine,
]
NESTED: list[type] = [
    HierarchicalMachine,
    HierarchicalGraphMachine,
    LockedHierarchicalMachine,
    LockedHierarchicalGraphMachine,
    HierarchicalAsyncMachine,
    HierarchicalAsyncGraphMachine,
]


class Lamp:
    """What a flat machine drives; none of its callbacks may be called by drawing it."""

    def is_paid(self) -> bool:
        raise AssertionError("called")

    @property
    def has_bulb(self) -> bool:
        raise AssertionError("called")

    def count(self) -> None:
        raise AssertionError("called")

    def greet(self) -> None:
        raise AssertionError("called")


class Order:
    """What a nested machine drives."""


Light = Enum("Light", ["RED", "AMBER", "GREEN"])


def lamp(cls: Any = transitions.Machine, subject: Any = None) -> Any:
    """Off, dim, bright, broken: guarded alternatives, an internal and a reflexive transition, one
    from anywhere.
    """
    return cls(
        subject or Lamp(),
        states=[
            "off",
            {"name": "dim", "on_enter": ["greet"]},
            "bright",
            {"name": "broken", "final": True},
        ],
        initial="off",
        transitions=[
            {
                "trigger": "press",
                "source": "off",
                "dest": "bright",
                "conditions": ["is_paid", "has_bulb"],
            },
            {
                "trigger": "press",
                "source": "off",
                "dest": "dim",
                "conditions": "has_bulb",
                "unless": "is_paid",
            },
            {"trigger": "press", "source": "off", "dest": None},
            {"trigger": "press", "source": ["dim", "bright"], "dest": "off", "before": "count"},
            {"trigger": "turn", "source": "dim", "dest": "="},
            {"trigger": "turn", "source": "bright", "dest": "dim"},
            {"trigger": "drop", "source": "*", "dest": "broken", "conditions": lambda *_: True},
        ],
        name="Lamp",
        **_graphic(cls),
    )


def order(cls: Any = HierarchicalMachine) -> Any:
    """Cart to closed, with shipping as a state of three, each part of which may be recalled."""
    return cls(
        Order(),
        states=[
            "cart",
            "paid",
            {
                "name": "shipping",
                "initial": "packing",
                "children": ["packing", "label", "sent"],
                "transitions": [["print", "packing", "label"], ["hand", "label", "sent"]],
            },
            "delivered",
            {"name": "cancelled", "final": True},
        ],
        transitions=[
            {"trigger": "pay", "source": "cart", "dest": "paid", "conditions": "is_covered"},
            {"trigger": "pay", "source": "cart", "dest": "="},
            ["ship", "paid", "shipping"],
            ["arrive", "shipping_sent", "delivered"],
            ["cancel", ["cart", "paid"], "cancelled"],
            ["recall", "shipping", "paid"],
        ],
        initial="cart",
        **_graphic(cls),
    )


def lights(cls: Any = transitions.Machine) -> Any:
    """States that are members of an Enum, gone through in their order."""
    return cls(states=Light, initial=Light.RED, ordered_transitions=True, auto_transitions=False)


def tangled(seed: int, *, parallel: bool = False) -> Any:
    """A random machine, flat or nested, with initial states, or with several at a time."""
    choose = random.Random(seed)
    states = _inside(choose, choose.choice([0, 3]), parallel)
    known = list(_named(states, ""))
    is_flat = all(isinstance(one, str) for one in states)
    machine: Any = (transitions.Machine if is_flat else HierarchicalMachine)(
        states=states, initial=choose.choice(known), auto_transitions=choose.random() < 0.2
    )
    for _ in range(choose.randint(0, 2 * len(known))):
        machine.add_transition(
            choose.choice(["go", "stop", "turn the page", "x"]),
            choose.choice([*known, "*"]),
            choose.choice([*known, "=", None]),
            conditions=choose.choice([None, "is_ready", "a_very_long_condition_name_here"]),
            unless=choose.choice([None, "tired"]),
        )
    return machine


def _inside(choose: random.Random, depth: int, parallel: bool) -> list[Any]:
    """The states within one so deep. Those at depth 3 are plain."""
    names = [f"s{number}" for number in range(9)] + [f"state {number}" for number in range(9)]
    states: list[Any] = []
    for name in choose.sample(names, choose.randint(1, (4, 3, 2, 18)[depth])):
        inner = _inside(choose, depth + 1, parallel) if depth < 2 and choose.random() < 0.6 else []
        own = [one if isinstance(one, str) else one["name"] for one in inner]
        initial: Any = (
            choose.choice([None, own[0], own if parallel else own[-1]]) if inner else None
        )
        states.append({"name": name, "children": inner, "initial": initial} if inner else name)
    return states


def _named(states: list[Any], before: str) -> Iterator[str]:
    for state in states:
        name = before + (state if isinstance(state, str) else state["name"])
        yield name
        if isinstance(state, dict):
            yield from _named(state["children"], f"{name}_")


def _graphic(cls: Any) -> dict[str, str]:
    return {"graph_engine": "mermaid"} if "Graph" in cls.__name__ else {}


LAMP = lamp()
NOT_ONE = Lamp()
