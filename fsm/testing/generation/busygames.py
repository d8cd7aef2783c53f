"""Random games with many orders and signals that concern the missing targets. The best beginning is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Over, Signal
from fsm.state.orders import Order
from fsm.testing.generation.candidate import trimmed
from fsm.testing.generation.candidateorders import CandidateOrders, Menu
from fsm.testing.generation.replies import players_of
from fsm.testing.generation.searchnode import AnswerStep, Here, tried
from fsm.testing.generation.wanted import Wanted

LONG = (30, 45, 45, 90)
"""The largest number of answers in a game."""
ORDERS_FIRST, ORDERS, SIGNALS, ASKED, TELLS, ACTS, PASSING = 0.7, 0.12, 0.06, 0.7, 0.02, 0.25, 0.3
"""The probability of an order with the first answer, with another answer, and so on."""
TOGETHER = (1, 1, 2, 3, 5, 8)
ODD = (0.05, 0.2, 0.5)
"""The probability that a fact has another value than it has when nothing happens."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The best beginning of a game at random: what it takes for each answer, by which steps, from which root."""

    worth: float
    steps: tuple[AnswerStep, ...]
    root: int


class Walker:
    """Tries games at random; `tried` counts the answers. `spoils`: where this holds no game goes on to."""

    def __init__(self, goal: Wanted, random: Random, *, spoils: Callable[[Here], bool] = lambda here: False) -> None:
        self.goal, self.random, self.spoils = goal, random, spoils
        self.kitchen = CandidateOrders(goal, random)
        self.tried = 0

    def best(self, roots: Sequence[Here], games: int, toll: int) -> Beginning | None:
        """The best of so many games, from these roots in turn. `toll`: what a game costs beside its answers."""
        best: Beginning | None = None
        for number in range(games):
            root = number % len(roots)
            steps = self._game(roots[root])
            worth, end = self._worth(steps, toll)
            if end and (best is None or worth > best.worth):
                best = Beginning(worth, steps[:end], root)
        return best

    def _worth(self, steps: Sequence[AnswerStep], toll: int) -> tuple[float, int]:
        got: set[Key] = set()
        worth, end = 0.0, 0
        for number, step in enumerate(steps, 1):
            fresh = set(self.goal.taken(step)) - got
            got |= fresh
            if fresh and len(got) / (number + toll) > worth:
                worth, end = len(got) / (number + toll), number
        return worth, end

    def _game(self, here: Here) -> tuple[AnswerStep, ...]:
        players = tuple(p for side in here.controller.agenda.sides for p in side)
        menu, steps = self.kitchen.menu(players[:2]), list[AnswerStep]()
        for number in range(self.random.choice(LONG)):
            step = None if isinstance(here.controller.request, Over) else self._step(here, menu, first=not number)
            if step is None or self.spoils(step.here):
                break
            steps.append(trimmed(step, here))
            here = step.here
        return tuple(steps)

    def _step(self, here: Here, menu: Menu, *, first: bool) -> AnswerStep | None:
        for _ in range(3):
            self.tried += 1
            step = tried(here, self.answer(here, menu, first=first))
            if step is not None:
                return step
        return None

    def answer(self, here: Here, menu: Menu, *, first: bool) -> Answer:
        """Some answer, with orders from the menu."""
        random, ground = self.random, here.ground
        words = here.controller.waiting.words
        word = random.choice(words) if random.random() < ACTS else words[-1]
        odd = random.choice(ODD) if here.spot.frame else 0.5
        facts = {n: (n in ground.quiet) != (random.random() < odd) for n in ground.facts(*here.spot[:2])}
        facts.update((name, True) for name in ground.latched if random.random() < TELLS)
        return Answer(word, facts, self._orders(menu, first=first), self._signal(here, menu))  # type: ignore[arg-type]

    def _orders(self, menu: Menu, *, first: bool) -> tuple[Order, ...]:
        random, found = self.random, list[Order]()
        if menu.orders and random.random() < (ORDERS_FIRST if first else ORDERS):
            found = [random.choice(menu.orders) for _ in range(random.choice(TOGETHER))]
        if first and random.random() < PASSING:
            found += [order for order in menu.passing if random.random() < PASSING]
        return tuple(found)

    def _signal(self, here: Here, menu: Menu) -> Signal | None:
        known = menu.signals if menu.signals and self.random.random() < ASKED else sorted(here.ground.signals)
        if not known or self.random.random() >= SIGNALS:
            return None
        event, players = self.random.choice(known), players_of(here)
        return Signal(event, self.random.choice(players) if event == "player_left" and players else "")
