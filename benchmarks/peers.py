"""The turn graph on the machines of `transitions`: frozen, and as they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.graph import EDGES, EVENT, INITIAL, PHASES, Game, Live, described


def frozen() -> Live:
    """A plain machine of `transitions`, frozen."""
    from transitions import Machine

    from fsm.engine import freeze

    game: Any = Game()
    freeze(Machine(game, **described()))
    return game, game.advance


def flat() -> Live:
    """`transitions`, its plain Machine."""
    from transitions import Machine

    game: Any = Game()
    Machine(game, **described())
    return game, game.advance


def hierarchical() -> Live:
    """`transitions`, its hierarchical machine: phases are the parents of states."""
    from transitions.extensions import HierarchicalMachine
    from transitions.extensions.nesting import NestedState

    # the separator is an attribute of the class, and the default "_" is part of our names
    state_class = type("State", (NestedState,), {"separator": "/"})
    machine = type("Machine", (HierarchicalMachine,), {"state_cls": state_class})
    path = {state: f"{phase}/{state}" for phase, states in PHASES.items() for state in states}
    game: Any = Game()
    machine(
        game,
        states=[
            {
                "name": phase,
                "children": [{"name": s, "on_enter": f"enter_{s}"} for s in states],
                "initial": states[0],
            }
            for phase, states in PHASES.items()
        ],
        transitions=[
            [EVENT, path[edge.source], path[edge.target], edge.guard or None] for edge in EDGES
        ],
        initial=path[INITIAL],
        auto_transitions=False,
    )
    return game, game.advance


LIBRARY: dict[str, tuple[Callable[[], Live], float]] = {
    "transitions": (flat, 25.0),
    "transitions, hierarchical": (hierarchical, 120.0),
}
"""How each is built, and how many times as fast a frozen machine must be."""
