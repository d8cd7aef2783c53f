"""The turn graph on other state machine libraries, each imported only when it is built.

Where a library runs the initial state's callback at the start, the counters are set back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from typing import Any

from benchmarks.graph import (
    EDGES,
    EVENT,
    GUARDS,
    INITIAL,
    PHASES,
    STATES,
    Edge,
    Game,
    Live,
    entering,
)
from benchmarks.ours import described


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
                "children": [{"name": s, "on_enter": entering(s)} for s in states],
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
    body: dict[str, Any] = {
        s: library.State(initial=s == INITIAL, enter=entering(s)) for s in STATES
    }
    first, *rest = [body[e.source].to(body[e.target], cond=e.guard or None) for e in EDGES]
    for one in rest:
        first = first | one
    body[EVENT] = first
    game = Game()
    machine = type(library.StateMachine)("Turn", (library.StateMachine,), body)(game)
    return _from_start(game), machine.advance


def sismic() -> Live:
    """sismic: it wants guards that exclude one another, so an edge negates those before it."""
    load = import_module("sismic.io.datadict").import_from_dict
    states = [
        {
            "name": state,
            "on entry": f"game.{entering(state)}()",
            "transitions": [
                {"target": e.target, "event": EVENT, **_exclusive(e)}
                for e in EDGES
                if e.source == state
            ],
        }
        for state in STATES
    ]
    root = {"name": "turn", "initial": INITIAL, "states": states}
    game = Game()
    chart = load({"statechart": {"name": "turn", "root state": root}})
    interpreter = import_module("sismic.interpreter").Interpreter(
        chart, initial_context={"game": game}
    )
    interpreter.execute()

    def advance() -> None:
        interpreter.queue(EVENT)
        interpreter.execute_once()

    return _from_start(game), advance


def _exclusive(edge: Edge) -> dict[str, str]:
    before = [
        f"not game.{e.guard}()" for e in EDGES if e.source == edge.source and e.guard and e != edge
    ]
    terms = [f"game.{edge.guard}()"] if edge.guard else before
    return {"guard": " and ".join(terms)} if terms else {}


def automat() -> Live:
    """Automat has no guards: it gets a second input, and the caller, who must know the state,
    chooses.
    """
    from typing import Protocol

    class Turn(Protocol):
        def advance(self) -> None: ...

        def branch(self) -> None: ...

    builder = import_module("automat").TypeMachineBuilder(Turn, Game)
    states = {state: builder.state(state) for state in STATES}
    for edge in EDGES:
        heard = Turn.branch if edge.guard else Turn.advance
        states[edge.source].upon(heard).to(states[edge.target])(_entering(edge.target))
    game = Game()
    turn = builder.build()(game)
    return game, _choosing(game, turn.advance, turn.branch)


def _entering(state: str) -> Callable[[object, Game], None]:
    callback: Callable[[Game], None] = getattr(Game, entering(state))

    def entered(_: object, game: Game) -> None:
        callback(game)

    return entered


def _choosing(
    game: Game, advance: Callable[[], None], branch: Callable[[], None]
) -> Callable[[], None]:
    plain = {edge.source: edge.target for edge in EDGES if not edge.guard}
    guarded = {
        edge.source: (getattr(game, edge.guard), edge.target) for edge in EDGES if edge.guard
    }
    state = INITIAL

    def choose() -> None:
        nonlocal state
        guard, target = guarded.get(state, (None, ""))
        if guard is not None and guard():
            state = target
            branch()
        else:
            state = plain[state]
            advance()

    return choose


def xstate() -> Live:
    """xstate-statemachine: the graph in XState's JSON, callbacks and guards in its logic."""
    library = import_module("xstate_statemachine")
    logging.getLogger("xstate_statemachine").setLevel(logging.WARNING)
    game = Game()
    actions = {entering(s): _ignoring(getattr(game, entering(s))) for s in STATES}
    guards = {guard: _ignoring(getattr(game, guard)) for guard in GUARDS}
    states = {
        state: {
            "entry": [entering(state)],
            "on": {EVENT: [_xstate_edge(e) for e in EDGES if e.source == state]},
        }
        for state in STATES
    }
    config = {"id": "turn", "initial": INITIAL, "context": {}, "states": states}
    machine = library.create_machine(
        config, logic=library.MachineLogic(actions=actions, guards=guards)
    )
    interpreter = library.SyncInterpreter(machine)
    interpreter.start()
    send = interpreter.send
    return _from_start(game), lambda: send(EVENT)


def _xstate_edge(edge: Edge) -> dict[str, Any]:
    again = {"reenter": True} if edge.source == edge.target else {}
    return {"target": edge.target, **({"guard": edge.guard} if edge.guard else {}), **again}


def _ignoring(function: Callable[[], object]) -> Callable[..., object]:
    return lambda *_: function()


def _from_start(game: Game) -> Game:
    game.visits[STATES.index(INITIAL)] = 0
    return game
