"""A best-first search over forks of real games for the nearest wait point at which something new is
taken.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from fsm.testing.budget import Budget
from fsm.testing.generation.abstractgraph import Estimate
from fsm.testing.generation.goaldistance import FAR, GoalDistance
from fsm.testing.generation.orders import paired, relevant
from fsm.testing.generation.replies import (
    latching_replies,
    order_replies,
    plain_replies,
    signal_replies,
)
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode

WEIGHT = 3
"""The weight of the distance against the number of answers so far. With 1, a slow search finds a
shortest path.
"""
TIERS = 3
"""The tiers of answers at a wait point: plain answers and expected signals, other signals and
latched facts, orders, pairs of orders. After an order, only one more is tried."""
Steps: TypeAlias = "tuple[AnswerStep, Steps] | None"


@dataclass(slots=True)
class SearchResult:
    """The steps to a new target, including those of the seed, and the number of the seed."""

    seed: int
    steps: list[AnswerStep]


@dataclass(slots=True)
class _QueueEntry:
    node: SearchNode
    seed: int
    cost: int
    estimate: Estimate
    steps: Steps = None
    gains: int = 0
    tier: int = 0
    orders: int = 0


@dataclass
class BestFirstSearch:
    """One search from several seeds at once. A seed is a node and the steps that led to it.

    The tries of its budget are answers. `seed_cost` is the cost of each step of a seed; other steps
    cost 1.
    """

    goal: SearchGoal
    seeds: list[tuple[SearchNode, list[AnswerStep]]]
    budget: Budget
    weight: int = WEIGHT
    seed_cost: float = 1.0

    def __post_init__(self) -> None:
        self.distance = GoalDistance(self.goal)
        self.heap: list[tuple[int, int, int, int, int, _QueueEntry]] = []
        self.number = count()
        self.seen: set[Hashable] = set()

    def run(self) -> SearchResult | None:
        """Return the steps to the nearest new target, or None if the budget is spent."""
        for number, (node, steps) in reversed(list(enumerate(self.seeds))):
            self._add(
                _QueueEntry(
                    node, number, int(self.seed_cost * len(steps)), self.distance.estimate(node)
                )
            )
        while self.heap and self.budget.lasts:
            entry = heappop(self.heap)[-1]
            if entry.gains:
                return SearchResult(entry.seed, [*self.seeds[entry.seed][1], *_listed(entry.steps)])
            self._expand(entry)
        return None

    def _add(self, entry: _QueueEntry) -> None:
        cost = entry.cost + self.weight * entry.estimate.cost + entry.tier
        heappush(
            self.heap,
            (cost, entry.estimate.cost, -entry.gains, entry.tier, -next(self.number), entry),
        )

    def _expand(self, entry: _QueueEntry) -> None:
        if entry.node.over or entry.estimate.cost >= FAR:
            return
        for step in self._steps(entry):
            self.budget.spend()
            gains = len(self.goal.newly_taken_by(step))
            key = step.node.equivalence_key
            if gains or key not in self.seen:
                self.seen.add(key)
                estimate = Estimate(0, None) if gains else self.distance.estimate(step.node)
                steps, orders = (step, entry.steps), entry.orders + len(step.answer.orders)
                self._add(
                    _QueueEntry(
                        step.node, entry.seed, entry.cost + 1, estimate, steps, gains, orders=orders
                    )
                )
        if entry.tier < TIERS - entry.orders:
            entry.tier += 1
            self._add(entry)

    def _steps(self, entry: _QueueEntry) -> Iterable[AnswerStep]:
        node = entry.node
        if entry.tier == 0:
            return (
                *plain_replies(node),
                *signal_replies(node, self.distance.expected_events(entry.estimate)),
            )
        required = self.distance.required(node, entry.estimate)
        if entry.tier == 1:
            return (*signal_replies(node, required.events), *latching_replies(node, required.facts))
        single = relevant(self.goal.abstract.model, node.players[:2], required.tests)
        return order_replies(
            node, ((order,) for order in single) if entry.tier == 2 else paired(single)
        )


def _listed(steps: Steps) -> list[AnswerStep]:
    found: list[AnswerStep] = []
    while steps is not None:
        step, steps = steps
        found.append(step)
    return found[::-1]
