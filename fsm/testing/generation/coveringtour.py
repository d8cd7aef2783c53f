"""Makes a covering tour: as few games as possible. Each continues while it takes something new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random
from time import perf_counter

from fsm.engine.requests import Over
from fsm.testing.generation.busygames import Walker
from fsm.testing.generation.candidate import Draft
from fsm.testing.generation.path import Start, plainness
from fsm.testing.generation.pruning import Pruner, all_of
from fsm.testing.generation.searchnode import AnswerStep, Here
from fsm.testing.generation.wanted import Wanted

GAMES, FRUITLESS, TOLL = 30, 3, 2
"""How many random games are compared at a time, after how many rounds the search gives up, and what a game costs
besides."""


class Tour:
    """Makes games that take what a set of paths takes. `left`: so many answers may be tried still."""

    def __init__(self, goal: Wanted, paths: Iterable[Draft], random: Random, effort: int, until: float) -> None:
        self.goal, self.random, self.left, self.until = goal, random, effort, until
        self.paths = {path: all_of(goal, path) for path in paths}

    def run(self, starts: Mapping[Start, AnswerStep]) -> list[Draft]:
        """The games: the first begins so that most can happen, each other one as a path that takes what is left."""
        self.goal.open = {key: None for key in self.goal.open if any(key in keys for keys in self.paths.values())}
        first = min(starts, key=plainness)
        games = [self._game(Draft(first, starts[first]))]
        while self.goal.open:
            best = max(self.paths, key=self._worth)
            draft = Draft(best.start, best.first)
            self._go_on(draft, best.steps)
            games.append(self._game(draft))
        pruner = Pruner(self.goal, games, self.left if self._may() else 0)
        return pruner.run() and pruner.finish()

    def _game(self, draft: Draft) -> Draft:
        """The game gone on with as long as anything new is found; who leaves it, and what ends it, comes last."""
        for spoils in (_somebody_left, _over, _nothing):
            self._at_random(draft, spoils)
        return draft

    def _worth(self, path: Draft) -> float:
        """How much that is open a path takes, for its length."""
        return len(self.paths[path] & self.goal.open.keys()) / (len(path.steps) + TOLL)

    def _may(self) -> bool:
        return self.left > 0 and perf_counter() < self.until

    def _go_on(self, draft: Draft, steps: Iterable[AnswerStep]) -> None:
        self.goal.done(self.goal.met(draft.first))
        for step in steps:
            draft.steps.append(step)
            self.goal.done(self.goal.taken(step))

    def _at_random(self, draft: Draft, spoils: Callable[[Here], bool]) -> None:
        """The best of many continuations at random, again and again."""
        walker, found = Walker(self.goal, self.random, spoils=spoils), True
        while found and self.goal.open and self._may():
            best, before = None, walker.tried
            for _ in range(FRUITLESS):
                best = best or walker.best([draft.here], GAMES, TOLL)
            self.left -= walker.tried - before
            self._go_on(draft, best.steps if best is not None else ())
            found = best is not None


def _over(here: Here) -> bool:
    return isinstance(here.controller.request, Over)


def _somebody_left(here: Here) -> bool:
    return bool(here.controller.agenda.left) or _over(here)


def _nothing(here: Here) -> bool:
    return False
