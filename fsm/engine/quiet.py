"""What the game tells where nothing special happens, found by playing: which facts must hold for turns to go by."""

from __future__ import annotations

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Priority
from fsm.errors import FsmError
from fsm.model import Model

ANSWERS = 300
MOST = 3


def quiet_facts(model: Model) -> tuple[str, ...]:
    """The game facts that hold while everybody passes and nothing happens; all others do not.

    A window that asks whether anything is left to resolve never closes unless it is told so: a fact counts as quiet
    if turns go by with it, and fewer, or none, without.
    """
    return model.kept("quiet facts", lambda: _quiet(model))


def _quiet(model: Model) -> tuple[str, ...]:
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
    """How many turns, phases and steps begin when everybody passes, and which facts are asked for on the way."""
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
