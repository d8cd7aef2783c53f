"""Makes a covering tour: as few games as possible. Each continues while it takes something new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from fsm.testing.budget import Budget
from fsm.testing.generation.candidate import Candidate
from fsm.testing.generation.path import Start, plainness
from fsm.testing.generation.pruning import Pruner, all_of
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode
from fsm.testing.generation.targetedwalker import TargetedWalker

GAMES, FRUITLESS, FIXED_COST = 30, 3, 2
"""The number of random games compared at a time, the rounds after which the search gives up, and
the cost of a game besides its answers."""


class CoveringTour:
    """Makes games that take what a set of paths takes. The tries of the budget are answers."""

    def __init__(
        self, goal: SearchGoal, paths: Iterable[Candidate], random: Random, budget: Budget
    ) -> None:
        self.goal, self.random, self.budget = goal, random, budget
        self.paths = {path: all_of(goal, path) for path in paths}

    def run(self, starts: Mapping[Start, AnswerStep]) -> list[Candidate]:
        """Return the games. The first has the set-up in which most can happen, each other one
        begins as a path does.
        """
        self.goal.open = {
            key: None for key in self.goal.open if any(key in keys for keys in self.paths.values())
        }
        first = min(starts, key=plainness)
        games = [self._game(Candidate(first, starts[first]))]
        while self.goal.open:
            best = max(self.paths, key=self._worth)
            candidate = Candidate(best.start, best.first)
            candidate.extend(self.goal, best.steps)
            games.append(self._game(candidate))
        pruner = Pruner(self.goal, games, self.budget.up_to(1))
        return pruner.run() and pruner.finish()

    def _game(self, candidate: Candidate) -> Candidate:
        """Continue a game as long as anything new is found. Players leave last, and then the game
        ends.
        """
        for avoid in (_somebody_left, _over, _nothing):
            self._at_random(candidate, avoid)
        return candidate

    def _worth(self, path: Candidate) -> float:
        """Return the number of open targets that a path takes, divided by its length."""
        return len(self.paths[path] & self.goal.open.keys()) / (len(path.steps) + FIXED_COST)

    def _at_random(self, candidate: Candidate, avoid: Callable[[SearchNode], bool]) -> None:
        """Repeatedly add the best of many random continuations."""
        walker, found = TargetedWalker(self.goal, self.random, self.budget, avoid=avoid), True
        while found and self.goal.open and self.budget.lasts:
            best = None
            for _ in range(FRUITLESS):
                best = best or walker.best([candidate.node], GAMES, FIXED_COST)
            candidate.extend(self.goal, best.steps if best is not None else ())
            found = best is not None


def _over(node: SearchNode) -> bool:
    return node.over


def _somebody_left(node: SearchNode) -> bool:
    return bool(node.run.agenda.left) or node.over


def _nothing(node: SearchNode) -> bool:
    return False
