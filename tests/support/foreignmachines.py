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
        """The bill has been paid."""
        raise AssertionError("called")

    @property
    def has_bulb(self) -> bool:
        """there is a bulb in it"""
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


def tangled(seed: int) -> Any:
    """A random machine, flat or nested, of up to eighteen states."""
    choose = random.Random(seed)
    names = [
        f"s{i}" if choose.random() < 0.5 else f"state {i}" for i in range(choose.randint(1, 18))
    ]
    states: list[Any] = []
    known: list[str] = []
    nested = choose.random() < 0.5
    for name in names:
        inner = (
            [f"k{i}" for i in range(choose.randint(1, 3))]
            if nested and choose.random() < 0.3
            else []
        )
        first = {"initial": inner[0]} if inner and choose.random() < 0.7 else {}
        states.append({"name": name, "children": inner, **first} if inner else name)
        known += [name, *(f"{name}_{one}" for one in inner)]
    machine: Any = (HierarchicalMachine if nested else transitions.Machine)(
        states=states, initial=names[0], auto_transitions=choose.random() < 0.2
    )
    for _ in range(choose.randint(0, int(1.6 * len(names)) + 2)):
        machine.add_transition(
            choose.choice(["go", "stop", "turn the page", "x"]),
            choose.choice([*known, "*"]),
            choose.choice([*known, "="]),
            conditions=choose.choice([None, "is_ready", "a_very_long_condition_name_here"]),
            unless=choose.choice([None, "tired"]),
        )
    return machine


def nested(seed: int) -> Any:
    """A random nested machine, with names that repeat, initial and parallel states."""
    choose = random.Random(seed)
    states = _inside(choose, 0)
    known = list(_named(states, ""))
    machine: Any = HierarchicalMachine(
        states=states, initial=choose.choice(known), auto_transitions=False
    )
    for _ in range(choose.randint(1, 2 * len(known))):
        machine.add_transition(
            f"e{choose.randint(0, 5)}",
            choose.choice([*known, "*"]),
            choose.choice([*known, "=", None]),
            conditions=choose.choice([None, "is_ready", "a_very_long_condition_name_here"]),
        )
    return machine


def _inside(choose: random.Random, depth: int) -> list[Any]:
    names = choose.sample(["on", "off", "idle", "busy", "x"], choose.randint(1, 4 - depth))
    states: list[Any] = []
    for name in names:
        if depth == 2 or choose.random() > 0.4:
            states.append(name)
            continue
        inner = _inside(choose, depth + 1)
        own = [one if isinstance(one, str) else one["name"] for one in inner]
        first: Any = choose.choice(
            [{}, {"initial": own[0]}, {"initial": own[-1]}, {"initial": own}]
        )
        states.append({"name": name, "children": inner, **first})
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
