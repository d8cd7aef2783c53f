"""Random games with many orders and signals that concern the missing targets. The best beginning is
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.state.orders import Order
from fsm.testing.budget import Budget
from fsm.testing.generation.candidate import trimmed
from fsm.testing.generation.candidateorders import CandidateOrderFinder, CandidateOrders
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer

LENGTHS = (30, 45, 45, 90)
"""The largest number of answers in a game."""
ORDERS_FIRST, ORDERS, SIGNALS, ASKED, LATCHED, ACTS, SKIPPING = (
    0.7,
    0.12,
    0.06,
    0.7,
    0.02,
    0.25,
    0.3,
)
"""The probability of an order with the first answer, with another answer, and so on."""
TOGETHER = (1, 1, 2, 3, 5, 8)
ODD = (0.05, 0.2, 0.5)
"""The probability that a fact has another value than it has when nothing happens."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The best beginning of a random game: the targets taken for each answer, the steps, and the
    number of the seed.
    """

    worth: float
    steps: tuple[AnswerStep, ...]
    seed: int


class TargetedWalker:
    """Plays random games, whose orders and signals concern the missing targets of a goal."""

    def __init__(self, goal: SearchGoal, random: Random, budget: Budget) -> None:
        self.goal, self.random, self.budget = goal, random, budget
        self.order_finder = CandidateOrderFinder(goal, random)

    def best(self, seeds: Sequence[SearchNode], games: int, fixed_cost: int) -> Beginning | None:
        """Return the best of this number of games, played from these seeds in turn.

        `fixed_cost` is the cost of a game besides its answers. No game is begun when the time is
        up.
        """
        best: Beginning | None = None
        for number in range(games):
            if self.budget.late:
                break
            seed = number % len(seeds)
            steps = self._game(seeds[seed])
            worth, end = self._worth(steps, fixed_cost)
            if end and (best is None or worth > best.worth):
                best = Beginning(worth, steps[:end], seed)
        return best

    def _answer(self, node: SearchNode, choices: CandidateOrders, *, first: bool) -> Answer:
        """Return a random answer, with orders and a signal from the choices."""
        random, abstract = self.random, node.abstract
        words = node.waiting.words
        word = random.choice(words) if random.random() < ACTS else words[-1]
        odd = random.choice(ODD) if node.graph_node.frame else 0.5
        facts = {
            n: (n in abstract.quiet) != (random.random() < odd)
            for n in abstract.facts(*node.graph_node[:2])
        }
        facts.update((name, True) for name in abstract.latched if random.random() < LATCHED)
        return Answer(word, facts, self._orders(choices, first=first), self._signal(node, choices))  # type: ignore[arg-type]

    def _orders(self, choices: CandidateOrders, *, first: bool) -> tuple[Order, ...]:
        random, found = self.random, list[Order]()
        if choices.orders and random.random() < (ORDERS_FIRST if first else ORDERS):
            found = [random.choice(choices.orders) for _ in range(random.choice(TOGETHER))]
        if first and random.random() < SKIPPING:
            found += [order for order in choices.skips if random.random() < SKIPPING]
        return tuple(found)

    def _signal(self, node: SearchNode, choices: CandidateOrders) -> Signal | None:
        known = (
            choices.signals
            if choices.signals and self.random.random() < ASKED
            else sorted(node.abstract.signals)
        )
        if not known or self.random.random() >= SIGNALS:
            return None
        event, players = self.random.choice(known), node.may_leave
        return Signal(
            event,
            self.random.choice(players) if event == node.abstract.model.leaving and players else "",
        )

    def _worth(self, steps: Sequence[AnswerStep], fixed_cost: int) -> tuple[float, int]:
        got: set[Key] = set()
        worth, end = 0.0, 0
        for number, step in enumerate(steps, 1):
            fresh = set(self.goal.newly_taken_by(step)) - got
            got |= fresh
            if fresh and len(got) / (number + fixed_cost) > worth:
                worth, end = len(got) / (number + fixed_cost), number
        return worth, end

    def _game(self, node: SearchNode) -> tuple[AnswerStep, ...]:
        choices, steps = self.order_finder.find(node.players[:2]), list[AnswerStep]()
        for number in range(self.random.choice(LENGTHS)):
            step = None if node.over else self._step(node, choices, first=not number)
            if step is None:
                break
            steps.append(trimmed(step, node))
            node = step.node
        return tuple(steps)

    def _step(
        self, node: SearchNode, choices: CandidateOrders, *, first: bool
    ) -> AnswerStep | None:
        for _ in range(3):
            self.budget.spend()
            step = try_answer(node, self._answer(node, choices, first=first))
            if step is not None:
                return step
        return None
