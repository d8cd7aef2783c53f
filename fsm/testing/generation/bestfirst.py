"""A best-first search over forks of real games for the nearest wait point at which something new is taken."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from fsm.engine.requests import Over
from fsm.testing.generation.abstractgraph import Guess
from fsm.testing.generation.goaldistance import FAR, Heading
from fsm.testing.generation.orders import paired, relevant
from fsm.testing.generation.replies import latching, ordering, plain, signalled
from fsm.testing.generation.searchnode import AnswerStep, Here
from fsm.testing.generation.wanted import Wanted

GREED = 3
"""The weight of the distance to the target against the number of answers so far. With 1, the very shortest path is
found, but much later."""
TIERS = 3
"""Plain answers and due signals are tried first at a wait point; then other signals and latched facts; then orders;
then two orders at a time. After an order, only one more is tried."""
Steps: TypeAlias = "tuple[AnswerStep, Steps] | None"


@dataclass(slots=True)
class Found:
    """The steps to something new, from the root of this number; the root's own steps are among them."""

    root: int
    steps: list[AnswerStep]


@dataclass(slots=True)
class _Node:
    here: Here
    root: int
    cost: int
    guess: Guess
    steps: Steps = None
    gains: int = 0
    tier: int = 0
    orders: int = 0


@dataclass
class Seeking:
    """One search, from several roots at once, each with the steps that led to it; `tries` answers are tried at most.

    `leave`: how much each step that led to a root counts, beside those from there on.
    """

    wanted: Wanted
    roots: list[tuple[Here, list[AnswerStep]]]
    tries: int
    greed: int = GREED
    leave: float = 1.0

    def __post_init__(self) -> None:
        self.heading = Heading(self.wanted)
        self.heap: list[tuple[int, int, int, int, int, _Node]] = []
        self.number = count()
        self.seen: set[Hashable] = set()
        self.tried = 0

    def run(self) -> Found | None:
        """The nearest, or None when the tries are used up."""
        for number, (here, steps) in reversed(list(enumerate(self.roots))):
            self._add(_Node(here, number, int(self.leave * len(steps)), self.heading.guess(here)))
        while self.heap and self.tried < self.tries:
            node = heappop(self.heap)[-1]
            if node.gains:
                return Found(node.root, [*self.roots[node.root][1], *_listed(node.steps)])
            self._expand(node)
        return None

    def _add(self, node: _Node) -> None:
        cost = node.cost + self.greed * node.guess.cost + node.tier
        heappush(self.heap, (cost, node.guess.cost, -node.gains, node.tier, -next(self.number), node))

    def _expand(self, node: _Node) -> None:
        if isinstance(node.here.controller.request, Over) or node.guess.cost >= FAR:
            return
        for step in self._steps(node):
            self.tried += 1
            gains = len(self.wanted.taken(step))
            known = step.here.likeness(self.wanted.length - 1)
            if gains or known not in self.seen:
                self.seen.add(known)
                guess = Guess(0, None) if gains else self.heading.guess(step.here)
                self._add(
                    _Node(
                        step.here,
                        node.root,
                        node.cost + 1,
                        guess,
                        (step, node.steps),
                        gains,
                        orders=node.orders + len(step.answer.orders),
                    )
                )
        if node.tier < TIERS - node.orders:
            node.tier += 1
            self._add(node)

    def _steps(self, node: _Node) -> Iterable[AnswerStep]:
        here = node.here
        if node.tier == 0:
            return (*plain(here), *signalled(here, self.heading.due(node.guess)))
        asked = self.heading.asked(here, node.guess)
        if node.tier == 1:
            return (*signalled(here, asked.events), *latching(here, asked.facts))
        players = tuple(p for side in here.controller.agenda.sides for p in side)
        single = relevant(self.wanted.ground.model, players[:2], asked.tests)
        return ordering(here, ((order,) for order in single) if node.tier == 2 else paired(single))


def _listed(steps: Steps) -> list[AnswerStep]:
    found: list[AnswerStep] = []
    while steps is not None:
        step, steps = steps
        found.append(step)
    return found[::-1]
