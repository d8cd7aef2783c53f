"""Games without objects that live: pure functions from what is saved to what is saved next.

    waiting = fsm.stateless.start("magic", ["Ann", "Ben"])
    waiting = fsm.stateless.answer("magic", waiting.saved, fsm.Answer("done"))

What is saved is a token, a compact text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.model.model import ModelLike

__all__ = ["Waiting", "answer", "at", "start"]


class Waiting(NamedTuple):
    """A game that waits.

    Attributes
    ----------
    saved
        The game, as a token.
    request
        What is asked. It is an `Over` if the game is over.
    """

    saved: str
    request: Request | Over


def start(model: ModelLike, players: Sequence[str], **more: Any) -> Waiting:
    """Start a game.

    Parameters
    ----------
    model, players, **more
        The turn structure, the names of the players in seat order, and the other parameters of
        `TurnController`, such as `teams` and `start`.

    Returns
    -------
    Waiting
        The game, and the first request.
    """
    game = TurnController(model, players, **more)
    return Waiting(game.token(), game.request)


def at(model: ModelLike, saved: str) -> Waiting:
    """Return what a saved game asks.

    Parameters
    ----------
    model
        The model with which it was started.
    saved
        Its token.

    Returns
    -------
    Waiting
        The same game, and its request.
    """
    return Waiting(saved, TurnController.restore(model, saved).request)


def answer(model: ModelLike, saved: str, answer: Answer) -> Waiting:
    """Answer the request of a saved game.

    Parameters
    ----------
    model
        The model with which it was started.
    saved
        Its token.
    answer
        The answer.

    Returns
    -------
    Waiting
        The game after the answer, and its next request.
    """
    game = TurnController.restore(model, saved)
    request = game.answer(answer)
    return Waiting(game.token(), request)
