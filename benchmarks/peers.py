"""The turn graph on other state machine libraries, each imported only when it is built."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.graph import EDGES, EVENT, INITIAL, PHASES, STATES, Game, Live, described


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
    extensions, nesting = (
        import_module("transitions.extensions"),
        import_module("transitions.extensions.nesting"),
    )
    # the separator is an attribute of the class, and the default "_" is part of our names
    state_class = type("State", (nesting.NestedState,), {"separator": "/"})
    machine = type("Machine", (extensions.HierarchicalMachine,), {"state_cls": state_class})
    path = {state: f"{phase}/{state}" for phase, states in PHASES.items() for state in states}
    game: Any = Game()
    machine(
        game,
        states=[
            {
                "name": phase,
                "children": [{"name": s, "on_enter": _enter(s)} for s in states],
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


def statemachine() -> Live:
    """python-statemachine: its class body is written from the graph."""
    library = import_module("statemachine")
    body: dict[str, Any] = {s: library.State(initial=s == INITIAL, enter=_enter(s)) for s in STATES}
    first, *rest = [body[e.source].to(body[e.target], cond=e.guard or None) for e in EDGES]
    for one in rest:
        first = first | one
    body[EVENT] = first
    game = Game()
    machine = type(library.StateMachine)("Turn", (library.StateMachine,), body)(game)
    return _from_start(game), machine.advance


def _enter(state: str) -> str:
    return f"enter_{state}"


def _from_start(game: Game) -> Game:
    """Some libraries run the callback of the initial state at the start: set its counter back."""
    game.visits[STATES.index(INITIAL)] = 0
    return game


PEERS: dict[str, tuple[Callable[[], Live], str, float | None]] = {
    "transitions": (flat, "transitions", 25.0),
    "transitions, hierarchical": (hierarchical, "transitions", 120.0),
    "python-statemachine": (statemachine, "statemachine", None),
}
"""How each is built, the module that it needs, and how many times as fast ours must be."""
