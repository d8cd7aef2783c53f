"""A game as a quiet one and what departs from it, place by place: parts can be left out, and it is still a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fsm.engine.controller import TurnController
from fsm.engine.quiet import quiet_facts
from fsm.engine.requests import Answer, Priority, Request, Signal, Word
from fsm.model import Model
from fsm.state.orders import Order
from fsm.state.setup import Head


class Spot(NamedTuple):
    """A request of a game: the `time`-th in this state, of this visit of a step."""

    turn: int
    step: str
    iteration: int
    stage: str
    state: str
    time: int


@dataclass(frozen=True)
class Departure:
    """One thing that a quiet game would not do there: act, tell a fact otherwise, give an order or a signal."""

    spot: Spot
    what: bool | tuple[str, bool] | Order | Signal


@dataclass(frozen=True)
class Case:
    """A game: who plays, and what departs from a quiet game, in order. `answers`: no longer than this many."""

    head: Head
    departures: tuple[Departure, ...]
    answers: int


class Spots:
    """Names the requests of one game, one after another."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[object, ...]] = Counter()

    def name(self, request: Request) -> Spot:
        """The spot of the next request."""
        at = request.at
        key = (at.turn, at.step, at.iteration, at.stage, request.state)
        self.counts[key] += 1
        return Spot(*key, self.counts[key])


def departures(model: Model, spot: Spot, request: Request, answer: Answer) -> Iterator[Departure]:
    """What this answer to this request does that a quiet game would not."""
    quiet = quiet_facts(model)
    if answer.word == "acted":
        yield Departure(spot, True)
    for name, value in answer.facts.items():
        if value != (name in quiet if name in request.facts else False):
            yield Departure(spot, (name, value))
    for order in answer.orders:
        yield Departure(spot, order)
    if answer.signal is not None:
        yield Departure(spot, answer.signal)


class Player:
    """Plays a case: answers as a quiet game does, but for its departures."""

    def __init__(self, model: Model, given: Iterable[Departure]) -> None:
        self.quiet, self.spots = quiet_facts(model), Spots()
        self.given: dict[Spot, list[Departure]] = {}
        for departure in given:
            self.given.setdefault(departure.spot, []).append(departure)

    def answer(self, controller: TurnController) -> Answer:
        """The answer to what this controller asks."""
        request = controller.request
        word: Word = "passed" if isinstance(request, Priority) else "done"
        facts = {name: name in self.quiet for name in request.facts}
        orders: Sequence[Order] = ()
        signal = None
        for departure in self.given.get(self.spots.name(request), ()):
            what = departure.what
            if isinstance(what, bool):
                word = "acted"
            elif isinstance(what, tuple):
                facts[what[0]] = what[1]
            elif isinstance(what, Signal):
                signal = what
            else:
                orders = (*orders, what)
        return Answer(word, facts, tuple(orders), signal)
