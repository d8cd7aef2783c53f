"""A game as its departures from a quiet game.

In a quiet game everybody passes and nothing special happens (`Fact.quiet`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.state.orders import Order


class RequestId(NamedTuple):
    """One request of a game.

    Attributes
    ----------
    turn, step, iteration, stage
        Its position. See `fsm.engine.requests.Position`.
    state
        The id of the state that waits.
    time
        How often this state has made a request at this position, counted from 1.
    """

    turn: int
    step: str
    iteration: int
    stage: str
    state: str
    time: int


@dataclass(frozen=True)
class Departure:
    """One thing that a quiet game would not do.

    Attributes
    ----------
    request
        The request at which it happens.
    what
        True if the player acts. Else a fact with its value, or an order. Orders that are given
        before the answer are an Answer without a word.
    """

    request: RequestId
    what: bool | tuple[str, bool] | Order | Answer


class RequestNamer:
    """Gives the requests of one game their ids, in order."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[object, ...]] = Counter()

    def name(self, request: Request | Over) -> RequestId:
        """Return the id of the next request."""
        at = request.at
        key = (at.turn, at.step, at.iteration, at.stage, request.state)
        self.counts[key] += 1
        return RequestId(*key, self.counts[key])


def departures_of(game: TurnController, answers: Iterable[Answer]) -> Iterator[list[Departure]]:
    """Give a game these answers, and yield what each of them does that a quiet game would not,
    before it is given.
    """
    namer = RequestNamer()
    for answer in answers:
        yield list(_departures(namer.name(game.request), game.request, answer))
        game.answer(answer)


def _departures(id: RequestId, request: Request | Over, answer: Answer) -> Iterator[Departure]:
    """Yield everything in an answer that a quiet game would not do."""
    if not answer.word:
        yield Departure(id, answer)
        return
    if answer.word == "acted":
        yield Departure(id, True)
    for name, value in answer.facts.items():
        if value != request.facts.get(name, False):
            yield Departure(id, (name, value))
    for order in answer.orders:
        yield Departure(id, order)
