"""The turn graph on our own Machine, made in the two ways there are."""

from __future__ import annotations

from typing import Any

from benchmarks.graph import EDGES, EVENT, GUARDS, INITIAL, STATES, Game, Live, entering
from fsm.engine.machine import Machine
from fsm.model import Event, Fact, Model, State, Term, Transition


def by_constructor() -> Live:
    """Through the library's constructor, with its own words for callbacks and guards."""
    game: Any = Game()
    Machine(game, **described())
    return game, game.advance


def by_model() -> Live:
    """From a Model; the library finds the callbacks by their names, `on_enter_` and the state."""
    game: Any = _Subject()
    Machine.from_model(graph_model(), game)
    return game, game.advance


def described() -> dict[str, Any]:
    """The graph as arguments of `transitions.Machine`."""
    return {
        "states": [{"name": state, "on_enter": entering(state)} for state in STATES],
        "transitions": [
            {
                "trigger": EVENT,
                "source": edge.source,
                "dest": edge.target,
                "conditions": edge.guard or None,
            }
            for edge in EDGES
        ],
        "initial": INITIAL,
        "auto_transitions": False,
    }


def graph_model() -> Model:
    """The graph as a Model."""
    return Model(
        name="bench-turn",
        initial=INITIAL,
        states=tuple(State(state, "stage", state) for state in STATES),
        events=(Event(EVENT, "the turn goes on"),),
        facts=tuple(Fact(guard, "a guard of the bench's turn graph") for guard in GUARDS),
        transitions=tuple(
            Transition(edge.source, edge.target, EVENT, (Term(edge.guard),) if edge.guard else ())
            for edge in EDGES
        ),
    )


_Subject = type(
    "_Subject",
    (Game,),
    {f"on_{entering(state)}": getattr(Game, entering(state)) for state in STATES},
)
