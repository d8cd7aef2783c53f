"""The random walk: the random answers of a game of any Model. Everything here that plays at random
uses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Priority, Request, Signal, Word
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.orders import Order
from fsm.state.setup import GameHeader, settings_of, sides_of
from fsm.testing.fuzzing.gameelements import GameElements, game_elements_of
from fsm.testing.fuzzing.weights import Weights

APPOINTMENTS = 0.1
"""The share of appointments among the orders, in phases in which a defending player can be
appointed.
"""
SEATS = (("A", "B"), ("A", "B", "C"), ("A", "B", "C", "D"))


@dataclass(slots=True)
class AnswerOptions:
    """The plain answers to one request: the facts, the probability that each is true, and the
    answers made so far.
    """

    facts: tuple[str, ...]
    likely: tuple[float, ...]
    acts: float
    words: tuple[Word, Word]
    answers: dict[int, Answer] = field(default_factory=dict)

    def answer(self, random: Random) -> Answer:
        """Return a plain answer: a word, and each fact that was asked for."""
        chance, number = random.random, 1
        for likely in self.likely:
            number = number * 2 + (chance() < likely)
        number = number * 2 + (self.acts > 0 and chance() < self.acts)
        found = self.answers.get(number)
        return found if found is not None else self._made(number)

    def _made(self, number: int) -> Answer:
        bits = number >> 1
        facts = {name: bool(bits >> i & 1) for i, name in enumerate(reversed(self.facts))}
        made = self.answers[number] = Answer(
            self.words[number & 1], {name: facts[name] for name in self.facts}
        )
        return made


class Wanderings:
    """What all random games of a Model with these weights share."""

    def __init__(self, model: Model, weights: Weights) -> None:
        self.elements: GameElements = game_elements_of(model)
        self.weights: Weights = weights
        self.known: dict[tuple[str, tuple[str, ...]], AnswerOptions] = {}

    def options(self, request: Request | Over) -> AnswerOptions:
        """Return the plain answers to a request."""
        key = (request.state, request.facts)
        found = self.known.get(key)
        if found is None:
            likely = tuple(self._likely(self.elements, name) for name in request.facts)
            acts, both = _words(request, self.weights)
            found = self.known[key] = AnswerOptions(request.facts, likely, acts, both)
        return found

    def _likely(self, elements: GameElements, name: str) -> float:
        if name in self.weights.facts:
            return self.weights.facts[name]
        if name not in elements.window:
            return self.weights.even
        return self.weights.usual if name in elements.quiet else 1 - self.weights.usual


def _words(request: Request | Over, weights: Weights) -> tuple[float, tuple[Word, Word]]:
    """Return the quiet word and another one, and how probable the other one is."""
    if isinstance(request, Priority):
        return weights.acted, ("passed", "acted")
    return 0.0, ("done", "done")


class RandomAnswers:
    """The random answers of one game between these players, from this random generator."""

    def __init__(self, shared: Wanderings, random: Random, players: tuple[str, ...]) -> None:
        self.shared: Wanderings = shared
        self.random: Random = random
        self.players: tuple[str, ...] = players
        self.made: int = 0
        self.ordinary: dict[str, tuple[str, ...]] = shared.elements.ordinary
        weights, temper = shared.weights, self.random.random()
        wild = (
            1.0
            if temper >= weights.calm + weights.wild
            else (0.0 if temper < weights.calm else 4.0)
        )
        self.order: float = weights.order * wild if shared.elements.makers else 0.0
        self.signal: float = weights.signal * wild
        self.latch: float = weights.latched * wild
        self.special: float = min(1.0, self.order + self.signal + self.latch)

    def answer(self, controller: TurnController) -> Answer:
        """Return the answer to the request of a controller. Call it once for each request.

        Parameters
        ----------
        controller
            The controller of the game.

        Returns
        -------
        Answer
            The answer. It fits the request.
        """
        request, chance = controller.request, self.random.random
        plain = self.shared.options(request).answer(self.random)
        if (
            self.ordinary
            and request.at.stage in self.ordinary
            and chance() < self.shared.weights.ordinary
        ):
            return Answer(
                plain.word,
                plain.facts,
                signal=Signal(self.random.choice(self.ordinary[request.at.stage])),
            )
        return plain if chance() >= self.special else self._special(controller, plain)

    def play(self, controller: TurnController, most: int) -> Iterator[Answer]:
        """Give at most this many answers. Yield each after it was given."""
        for _ in range(most):
            if isinstance(controller.request, Over):
                return
            answer = self.answer(controller)
            controller.answer(answer)
            yield answer

    def _special(self, controller: TurnController, plain: Answer) -> Answer:
        chance, elements, all = self.random.random, self.shared.elements, self.special
        orders = (self._order(controller),) if chance() < self.order / all else ()
        signal = self._signal(controller) if chance() < self.signal / all else None
        facts = plain.facts
        if elements.latched and chance() < self.latch / all:
            facts = {**facts, self.random.choice(elements.latched): True}
        return Answer(plain.word, facts, orders, signal)

    def _order(self, controller: TurnController) -> Order:
        """Return a random order for a player who has not left the game."""
        self.made += 1
        if self.random.random() < APPOINTMENTS:
            order = self.shared.elements.appointment(self.random, controller.agenda)
            if order is not None:
                return order
        left = controller.agenda.left
        here = (
            tuple(player for player in self.players if player not in left) if left else self.players
        )
        return self.shared.elements.order(self.random, here or self.players, str(self.made))

    def _signal(self, controller: TurnController) -> Signal | None:
        elements = self.shared.elements
        if not elements.events:
            return None
        event = self.random.choice(elements.events)
        if event != controller.model.leaving:
            return Signal(event)
        agenda = controller.agenda
        here = [player for player in self.players if player not in agenda.left]
        stays = len(agenda.living) > 1 and (elements.ends or len(here) > 1)
        if not stays or self.random.random() >= self.shared.weights.leaving:
            return None
        return Signal(event, self.random.choice(here))


class Wanderer(RandomAnswers):
    """The set-up and the answers of one random game.

    Equal models, weights, seeds and numbers give equal games.

    Parameters
    ----------
    shared
        What all games of the model share. See `wanderings_of`.
    seed
        The seed of all games.
    number
        The number of this game.

    Attributes
    ----------
    head
        The game set-up: the players, the teams and the settings.
    """

    def __init__(self, shared: Wanderings, seed: int, number: int) -> None:
        random = Random(f"{seed} {number}")
        self.head: GameHeader = _head(shared, random)
        super().__init__(shared, random, self.head.players)


def _head(shared: Wanderings, random: Random) -> GameHeader:
    chance, weights, model = random.random, shared.weights, shared.elements.model
    seats = random.choice(SEATS)
    teams = (seats[:2], seats[2:]) if len(seats) == 4 and chance() < weights.teams else ()
    chosen = {n: chance() < 0.5 for n in shared.elements.settings if chance() < weights.settings}
    settings = settings_of(model, sides_of(seats, teams), chosen)
    return GameHeader(model.name, model.fingerprint, seats, teams, settings)


@per_model
def wanderings_of(model: Model, weights: Weights) -> Wanderings:
    """Return what all random games of a model with these weights share. It is made once and kept
    with the model.

    Parameters
    ----------
    model
        The Model to play.
    weights
        The probabilities of what happens in a game.

    Returns
    -------
    Wanderings
        What a `Wanderer` needs.
    """
    return Wanderings(model, weights)
