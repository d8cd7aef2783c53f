"""Games without objects that live: pure functions from what is saved to what is saved next.

    waiting = fsm.stateless.start("magic", ["Ann", "Ben"])
    waiting = fsm.stateless.answer("magic", waiting.saved, fsm.Answer("done"))

What is saved is a token (compact text) or a snapshot (plain JSON values). Each function returns the
kind that it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.errors import FsmError
from fsm.model.model import ModelLike, as_model

__all__ = ["Waiting", "answer", "answer_many", "at", "start"]

S = TypeVar("S", str, dict[str, object])


class Waiting(NamedTuple, Generic[S]):
    """A game that waits.

    Attributes
    ----------
    saved
        The game, as a token or a snapshot.
    request
        What is asked. It is an `Over` if the game is over.
    """

    saved: S
    request: Request | Over


def start(model: ModelLike, players: Sequence[str], **more: Any) -> Waiting[str]:
    """Start a game.

    Parameters
    ----------
    model, players, **more
        What `TurnController` takes: the turn structure, the names of the players in seat order, and
        `teams`, `settings`, `orders` or `start`.

    Returns
    -------
    Waiting
        The game as a token, and the first request.
    """
    game = TurnController(model, players, **more)
    return Waiting(game.token(), game.request)


def at(model: ModelLike, saved: S) -> Waiting[S]:
    """Return what a saved game asks.

    Parameters
    ----------
    model
        The model with which it was started.
    saved
        A token or a snapshot.

    Returns
    -------
    Waiting
        The same game, and its request.
    """
    return Waiting(saved, TurnController.restore(model, saved).request)


def answer(model: ModelLike, saved: S, answer: Answer) -> Waiting[S]:
    """Answer the request of a saved game.

    Parameters
    ----------
    model
        The model with which it was started.
    saved
        A token or a snapshot.
    answer
        The answer.

    Returns
    -------
    Waiting
        The game after the answer, as the same kind of text or data, and its next request.
    """
    game = TurnController.restore(model, saved)
    request = game.answer(answer)
    was: object = saved
    after: Any = game.token() if isinstance(was, str) else game.snapshot()
    return Waiting(after, request)


def answer_many(
    model: ModelLike, answers: Iterable[tuple[S, Answer]]
) -> list[Waiting[S] | FsmError]:
    """Answer many games. The error of one does not stop the others.

    Parameters
    ----------
    model
        The model with which they were started.
    answers
        Pairs of a saved game and the answer to it.

    Returns
    -------
    list of Waiting or FsmError
        For each pair the game after the answer, or the error with which the answer is refused.
    """
    found: list[Waiting[S] | FsmError] = []
    model = as_model(model)
    for saved, given in answers:
        try:
            found.append(answer(model, saved, given))
        except FsmError as error:
            found.append(error)
    return found
