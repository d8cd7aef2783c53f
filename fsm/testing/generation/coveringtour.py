"""Makes a covering tour: as few games as possible. Each continues while it takes something new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from time import perf_counter

from fsm.engine.requests import Over
from fsm.testing.generation.candidate import Candidate
from fsm.testing.generation.path import Start, plainness
from fsm.testing.generation.pruning import Pruner, all_of
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode
from fsm.testing.generation.targetedwalker import TargetedWalker

GAMES, FRUITLESS, FIXED_COST = 30, 3, 2
"""How many random games are compared at a time, after how many rounds the search gives up, and what a game costs
besides."""


class CoveringTour:
    """Makes games that take what a set of paths takes. `left`: so many answers may be tried still."""

    def __init__(self, goal: SearchGoal, paths: Iterable[Candidate], random: Random, effort: int, until: float) -> None:
        self.goal, self.random, self.left, self.until = goal, random, effort, until
        self.paths = {path: all_of(goal, path) for path in paths}

    def run(self, starts: Mapping[Start, AnswerStep]) -> list[Candidate]:
        """The games: the first begins so that most can happen, each other one as a path that takes what is left."""
        self.goal.open = {key: None for key in self.goal.open if any(key in keys for keys in self.paths.values())}
        first = min(starts, key=plainness)
        games = [self._game(Candidate(first, starts[first]))]
        while self.goal.open:
            best = max(self.paths, key=self._worth)
            candidate = Candidate(best.start, best.first)
            self._go_on(candidate, best.steps)
            games.append(self._game(candidate))
        pruner = Pruner(self.goal, games, self.left if self._may_go_on() else 0)
        return pruner.run() and pruner.finish()

    def _game(self, candidate: Candidate) -> Candidate:
        """The game gone on with as long as anything new is found; who leaves it, and what ends it, comes last."""
        for avoid in (_somebody_left, _over, _nothing):
            self._at_random(candidate, avoid)
        return candidate

    def _worth(self, path: Candidate) -> float:
        """How much that is open a path takes, for its length."""
        return len(self.paths[path] & self.goal.open.keys()) / (len(path.steps) + FIXED_COST)

    def _may_go_on(self) -> bool:
        return self.left > 0 and perf_counter() < self.until

    def _go_on(self, candidate: Candidate, steps: Iterable[AnswerStep]) -> None:
        self.goal.mark_taken(self.goal.taken_by(candidate.first))
        for step in steps:
            candidate.steps.append(step)
            self.goal.mark_taken(self.goal.newly_taken_by(step))

    def _at_random(self, candidate: Candidate, avoid: Callable[[SearchNode], bool]) -> None:
        """The best of many continuations at random, again and again."""
        walker, found = TargetedWalker(self.goal, self.random, avoid=avoid), True
        while found and self.goal.open and self._may_go_on():
            best, before = None, walker.tried
            for _ in range(FRUITLESS):
                best = best or walker.best([candidate.node], GAMES, FIXED_COST)
            self.left -= walker.tried - before
            self._go_on(candidate, best.steps if best is not None else ())
            found = best is not None


def _over(node: SearchNode) -> bool:
    return isinstance(node.controller.request, Over)


def _somebody_left(node: SearchNode) -> bool:
    return bool(node.controller.agenda.left) or _over(node)


def _nothing(node: SearchNode) -> bool:
    return False
