"""The facts that a game reports while nothing special happens. They are found by playing."""

from __future__ import annotations

from fsm.engine.answers import game_facts
from fsm.engine.requesting import facts_asked
from fsm.engine.requests import Answer
from fsm.engine.semantics import Fired, semantics_of, waiting
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.primitives import holds
from fsm.state.setup import GameHeader, run_of, settings_of

PLAYERS = ("A", "B")
ANSWERS = 300
MOST = 3


@per_model
def quiet_facts(model: Model) -> tuple[str, ...]:
    """Return the game facts that are true while everybody passes and nothing happens. All others are false.

    A window may ask whether anything is left to resolve. It closes only if the game reports that nothing is left. So a
    fact counts as quiet if turns go on when it is true, and fewer turns or none go on when it is false.
    """
    quiet: tuple[str, ...] = ()
    for _ in range(MOST):
        best, asked = _progress(model, quiet)
        tries = {name: _progress(model, (*quiet, name))[0] for name in asked if name not in quiet}
        name = max(tries, key=lambda n: tries[n], default="")
        if not name or tries[name] <= 2 * best:
            break
        quiet = (*quiet, name)
    return quiet


def _progress(model: Model, quiet: tuple[str, ...]) -> tuple[int, tuple[str, ...]]:
    """Return how many turns, phases and steps begin when everybody passes, and which facts are asked for."""
    asked: dict[str, None] = {}
    told = {name: name in quiet for name in game_facts(model)}
    semantics, settings = semantics_of(model), settings_of(model, [(player,) for player in PLAYERS], {})
    run = run_of(model, GameHeader(model.name, "", PLAYERS, settings=settings))
    try:
        semantics.macrostep(run, holds, _ignore)
        for _ in range(ANSWERS):
            state = waiting(run)
            if state.kind == "final":
                break
            asked.update(dict.fromkeys(facts_asked(model, run.state, state, run.frame, busy=False)))
            semantics.answer(run, Answer("passed" if state.asks == "priority" else "done", told), holds, _ignore)
    except FsmError:
        return 0, tuple(asked)
    return run.agenda.occurrences, tuple(asked)


def _ignore(fired: Fired) -> None:
    """Make no record of a firing."""
