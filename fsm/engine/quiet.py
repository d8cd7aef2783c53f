"""The facts that a game reports while nothing special happens. They are found by playing."""

from __future__ import annotations

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Priority
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.permodel import per_model

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
    try:
        game = TurnController(model, ("A", "B"))
        for _ in range(ANSWERS):
            if isinstance(game.request, Over):
                break
            asked.update(dict.fromkeys(game.request.facts))
            facts = {name: name in quiet for name in game.request.facts}
            game.answer(Answer("passed" if isinstance(game.request, Priority) else "done", facts))
    except FsmError:
        return 0, tuple(asked)
    return game.agenda.occurrences, tuple(asked)
