"""Improves a set of paths: it removes some, and puts what only they took into other paths or into new ones.

This is large neighbourhood search: Shaw, "Using constraint programming and local search methods to solve vehicle
routing problems" (1998). The result is kept if it is cheaper.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer
from fsm.testing.budget import Budget
from fsm.testing.generation.candidate import Candidate, replayed, trimmed
from fsm.testing.generation.pruning import Pruner, all_of, cost_of, cost_of_steps
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep
from fsm.testing.generation.targetedwalker import TargetedWalker

GAMES, ROUNDS, FRUITLESS = 24, 14, 20
"""The number of changes compared at a time, of repairs in an attempt, and of failed attempts that end the search."""


class NeighbourhoodSearch:
    """Makes a set of paths cheaper. The tries of the budget are answers."""

    def __init__(
        self,
        goal: SearchGoal,
        candidates: Sequence[Candidate],
        fresh: Sequence[Candidate],
        random: Random,
        budget: Budget,
    ) -> None:
        self.goal, self.candidates, self.beginnings, self.random = goal, list(candidates), fresh, random
        self.budget, self.walker = budget, TargetedWalker(goal, random, budget)

    def run(self) -> list[Candidate]:
        """Repeat attempts until the budget is spent or many attempts in a row have failed. Return the paths."""
        open, fruitless = dict(self.goal.open), 0
        while self.budget.lasts and len(self.candidates) > 1 and fruitless < FRUITLESS:
            before = cost_of(self.candidates)
            self._attempt()
            fruitless = 0 if cost_of(self.candidates) < before else fruitless + 1
        self.goal.open.clear()
        self.goal.open.update(open)
        return self.candidates

    def _attempt(self) -> None:
        gone = self._removed()
        kept = [Candidate(d.start, d.first, list(d.steps)) for d in self.candidates if d not in gone]
        missing = all_of(self.goal, *self.candidates) - all_of(self.goal, *kept)
        self.goal.open.clear()
        self.goal.open.update(dict.fromkeys(sorted(missing)))
        most, changed = cost_of(self.candidates), list[Candidate]()
        for _ in range(ROUNDS):
            if not self.goal.open or not self.budget.lasts or cost_of(kept) >= most:
                break
            self._repair(kept, changed)
        if self.goal.open or not self.budget.lasts or cost_of(kept) >= most * 1.1:
            return
        pruner = Pruner(self.goal, kept, self.budget)
        pruner.once([d for d in kept if d in changed])
        if cost_of(pruner.candidates) < most:
            self.candidates = pruner.candidates

    def _removed(self) -> list[Candidate]:
        """Choose a few paths to remove. Paths that take few targets of their own for their cost are more likely."""
        pruner = Pruner(self.goal, self.candidates, Budget(0))
        ordered = sorted(self.candidates, key=pruner.worth)
        many = min(self.random.choice((1, 1, 2, 3)), len(ordered) - 1)
        positions = {min(int(self.random.expovariate(3 / len(ordered))), len(ordered) - 1) for _ in range(many)}
        return [ordered[position] for position in positions]

    def _repair(self, kept: list[Candidate], changed: list[Candidate]) -> None:
        """Take some missing targets in the best of many ways: a path is varied, extended or newly begun."""
        needs = {id(d): needed for d, needed in zip(kept, _needed(self.goal, kept), strict=True)}
        best: tuple[float, Candidate, int, list[AnswerStep]] | None = None
        for number in range(GAMES):
            candidate = self.random.choice(kept if number % 4 else (self.beginnings[0], *self.beginnings))
            vary = number % 2 and candidate.steps
            made = self._varied(candidate, needs[id(candidate)]) if vary else self._extended(candidate)
            if made is not None and (best is None or made[0] > best[0]):
                best = (made[0], candidate, made[1], made[2])
        if best is not None:
            _, candidate, at, steps = best
            if candidate not in kept:
                candidate = Candidate(candidate.start, candidate.first)
                kept.append(candidate)
            candidate.steps[at:] = steps
            changed.append(candidate)
            self.goal.mark_taken(all_of(self.goal, candidate))

    def _extended(self, candidate: Candidate) -> tuple[float, int, list[AnswerStep]] | None:
        found = self.walker.best([candidate.node], 1, 4)
        return (found.worth, len(candidate.steps), list(found.steps)) if found is not None else None

    def _varied(self, candidate: Candidate, needed: set[Key]) -> tuple[float, int, list[AnswerStep]] | None:
        """Add orders and facts to one answer of a path, and repeat the answers after it as far as possible."""
        at = self.random.randrange(len(candidate.steps))
        node, answers = candidate.node_after(at), self.walker.answers
        (pair, old), *script = candidate.script[at:]
        new = answers.answer(node, answers.order_finder.find(node.players[:2]), first=True)
        more = Answer(
            old.word,
            {**new.facts, **(old.facts if self.random.random() < 0.7 else {})},
            (*old.orders, *new.orders),
            new.signal or old.signal,
        )
        rest = needed - {key for s in (candidate.first, *candidate.steps[:at]) for key in self.goal.taken_by(s)}
        steps, gained, end = list[AnswerStep](), set[Key](), 0
        for step in replayed(node, [(pair, more), *script]):
            self.budget.spend()
            steps.append(trimmed(step, node))
            node, taken = step.node, self.goal.taken_by(step)
            fresh = {key for key in taken if key in self.goal.open} - gained
            if fresh or taken & rest:
                end = len(steps)
            gained, rest = gained | fresh, rest - taken
        if rest or not gained:
            return None
        longer = cost_of_steps(steps[:end]) - cost_of_steps(candidate.steps[at:])
        return len(gained) / max(longer / 4 + 2, 0.5), at, steps[:end]


def _needed(goal: SearchGoal, candidates: Sequence[Candidate]) -> list[set[Key]]:
    """Return for each path the targets that only it takes."""
    own = [all_of(goal, candidate) for candidate in candidates]
    return [keys.difference(*(o for o in own if o is not keys)) for keys in own]
