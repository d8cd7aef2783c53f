"""Makes paths shorter: it leaves out what other paths also take, and what nothing depends on.

Parts of a path are left out as long as it still takes what no other path takes. Shortcuts past
unneeded parts are also
tried: a skipped step, or an ended phase or turn. The method follows Zeller and Hildebrandt,
"Simplifying and isolating failure-inducing input" (2002). Leaving out whole paths is greedy set
cover, Chvatal (1979).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from fsm.coverage.target import Key
from fsm.engine.requests import Answer
from fsm.state.orders import SKIPS, Order
from fsm.state.primitives import opening_of
from fsm.state.primitives.openings import Skip
from fsm.testing.budget import Budget
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import (
    Candidate,
    Script,
    replay_progress,
    replayed_exactly,
    trimmed,
)
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, alike

Shorten = Callable[[Candidate, set[Key]], None]
"""Makes a candidate path shorter and keeps the targets for which it is needed."""
LARGE = 24
"""The largest part, in answers, that is left out of a path more than twice as long, except whole
turns.
"""
FEW, TRIES = 6, 300
"""A path that is needed for at most this many targets is made anew, with at most this many answers
for each search.
"""


class Pruner:
    """Shortens the paths of a set. The tries of the budget are answers.

    `settled` has each path as it was after the last attempt, so that the same attempt is not
    repeated.
    """

    def __init__(self, goal: SearchGoal, candidates: Sequence[Candidate], budget: Budget) -> None:
        self.goal, self.candidates, self.budget = goal, list(candidates), budget
        self.passes = tuple(passes_of(goal))
        self.takers = Counter(
            key for candidate in self.candidates for key in all_of(goal, candidate)
        )
        self.settled: dict[Candidate, tuple[list[AnswerStep], set[Key], Sequence[Shorten]]] = {}

    def run(self) -> list[Candidate]:
        """Return the remaining paths. Together they take what all paths took before.

        The answers are simplified last, because this seldom makes a path shorter.
        """
        before = -1
        self._prune_each((self._cut, self._anew, self._leave_out))
        while self.budget.lasts and before != cost_of(self.candidates):
            before = cost_of(self.candidates)
            self._prune_each((self._cut, self._leave_out, self._pass))
        self._prune_each((self._plainer, self._cut))
        return self.candidates

    def _prune_each(self, ways: Sequence[Shorten]) -> None:
        """Shorten each path once, beginning with the one of the least worth."""
        for candidate in sorted(self.candidates, key=self.worth):
            self._prune(candidate, ways)

    def _prune(self, candidate: Candidate, ways: Sequence[Shorten]) -> None:
        needed = self._needed(candidate)
        self.takers.subtract(all_of(self.goal, candidate))
        if not needed:
            self.candidates.remove(candidate)
            return
        if self.settled.get(candidate) != (candidate.steps, needed, ways):
            for shorten in ways:
                if self.budget.lasts:
                    shorten(candidate, needed)
            self.settled[candidate] = (list(candidate.steps), needed, ways)
        self.takers.update(all_of(self.goal, candidate))

    def _needed(self, candidate: Candidate) -> set[Key]:
        """Return the targets that no other path takes."""
        return {key for key in all_of(self.goal, candidate) if self.takers[key] == 1}

    def worth(self, candidate: Candidate) -> float:
        """Return the number of targets that only this path takes, divided by its cost."""
        return len(self._needed(candidate)) / (cost_of([candidate]) + 1)

    # ways to shorten ------------------------------------------------------------------------------

    def _cut(self, candidate: Candidate, needed: set[Key]) -> None:
        """Remove the answers after the last needed target."""
        candidate.steps = candidate.steps[: _end(candidate.taken_by(self.goal), needed) or 0]

    def _anew(self, candidate: Candidate, needed: set[Key]) -> None:
        """Make a path with few needed targets anew, by a search for the nearest one after another."""
        steps, node, rest = (
            list[AnswerStep](),
            candidate.first.node,
            needed - self.goal.taken_by(candidate.first),
        )
        while (
            len(needed) <= FEW
            and rest
            and self.budget.lasts
            and cost_of_steps(steps) < cost_of_steps(candidate.steps)
        ):
            found = BestFirstSearch(
                self.goal.only(rest), [(node, [])], self.budget.part(TRIES)
            ).run()
            if found is None:
                return
            for step in found.steps:
                rest -= self.goal.taken_by(step)
            steps += found.steps
            node = steps[-1].node
        if not rest and cost_of_steps(steps) < cost_of_steps(candidate.steps):
            candidate.steps = steps

    def _leave_out(self, candidate: Candidate, needed: set[Key]) -> None:
        """Leave out smaller and smaller parts. Of a long path, whole turns are left out first."""
        if len(candidate.steps) > 2 * LARGE:
            self._leave_out_turns(candidate, needed)
        size = min(max(len(candidate.steps) // 2, 1), LARGE)
        while size and self.budget.lasts:
            at = len(candidate.steps) - size
            while at >= 0 and self.budget.lasts:
                self._try(candidate, needed, at, candidate.script_from(at + size))
                at = min(at, len(candidate.steps)) - size
            size //= 2

    def _leave_out_turns(self, candidate: Candidate, needed: set[Key]) -> None:
        turns = _turns(candidate)
        for many in (4, 2, 1):
            for number in range(len(turns) - many - 1, -1, -1):
                at, end = turns[number], turns[number + many]
                if not self.budget.lasts or end >= len(candidate.steps):
                    continue
                if self._try(candidate, needed, at, candidate.script_from(end)):
                    turns = _turns(candidate)
                    if number + many >= len(turns):
                        break

    def _pass(self, candidate: Candidate, needed: set[Key]) -> None:
        """Skip a step or phase, by an order that is given at the beginning of a turn."""
        for at in _turns(candidate):
            for order in self.passes:
                if at < len(candidate.steps) and self.budget.lasts:
                    first, *rest = candidate.script_from(at)
                    more = replace(first[1], orders=(*first[1].orders, order))
                    self._try(candidate, needed, at, [(first[0], more), *rest])

    def _plainer(self, candidate: Candidate, needed: set[Key]) -> None:
        """Remove orders and signals that are not needed."""
        at = 0
        while at < len(candidate.steps) and self.budget.lasts:
            for less in _less(candidate.steps[at].answer):
                answers = [less, *(step.answer for step in candidate.steps[at + 1 :])]
                found = replayed_exactly(candidate.node_after(at), answers)
                self.budget.spend(len(answers))
                if found is not None and self._keeps(candidate, needed, at, found):
                    candidate.steps[at:] = found
            at += 1

    # trying ---------------------------------------------------------------------------------------

    def _try(self, candidate: Candidate, needed: set[Key], at: int, script: Script) -> bool:
        """Replace the steps from this number on by those of a script, if they are cheaper and take
        what is needed.
        """
        rest = set(needed).difference(
            *(self.goal.taken_by(s) for s in (candidate.first, *candidate.steps[:at]))
        )
        found = self._found(candidate, rest, at, script) if rest else []
        if found is None or cost_of_steps(found) >= cost_of_steps(candidate.steps[at:]):
            return False
        if not self._keeps(candidate, needed, at, found):
            return False
        candidate.steps[at:] = found
        return True

    def _found(
        self, candidate: Candidate, rest: set[Key], at: int, script: Script
    ) -> list[AnswerStep] | None:
        """Return the steps of the script until all of the rest is taken.

        Where the game reaches an old node again, the old steps follow unchanged.
        """
        found, node, most = (
            list[AnswerStep](),
            candidate.node_after(at),
            cost_of_steps(candidate.steps[at:]),
        )
        for step, followed in replay_progress(node, script):
            self.budget.spend()
            found.append(trimmed(step, node))
            node, rest = step.node, rest - self.goal.taken_by(step)
            if not rest or cost_of_steps(found) >= most:
                return found if not rest else None
            old = len(candidate.steps) - len(script) + followed
            if alike(node, candidate.node_after(old)):
                return (
                    [*found, *candidate.steps[old:]]
                    if rest <= self._later(candidate, old)
                    else None
                )
        return None

    def _later(self, candidate: Candidate, old: int) -> set[Key]:
        return {key for step in candidate.steps[old:] for key in self.goal.taken_by(step)}

    def _keeps(
        self, candidate: Candidate, needed: set[Key], at: int, found: Sequence[AnswerStep]
    ) -> bool:
        steps = (candidate.first, *candidate.steps[:at], *found)
        return needed <= {key for step in steps for key in self.goal.taken_by(step)}


def all_of(goal: SearchGoal, *candidates: Candidate) -> set[Key]:
    """Return all targets that these candidates take."""
    return set().union(*(keys for candidate in candidates for keys in candidate.taken_by(goal)))


def cost_of(candidates: Iterable[Candidate]) -> int:
    """Return the cost of paths: the number of their firings and answers."""
    return sum(cost_of_steps(candidate.steps) for candidate in candidates)


def cost_of_steps(steps: Iterable[AnswerStep]) -> int:
    """Return the cost of these steps."""
    return sum(len(step.fired) + 1 for step in steps)


def _end(taken: Sequence[set[Key]], needed: set[Key]) -> int:
    """Return the number of answers after which all that is needed is taken."""
    rest = set(needed)
    for number, keys in enumerate(taken):
        rest -= keys
        if not rest:
            return number
    return len(taken) - 1


def passes_of(goal: SearchGoal) -> Iterator[Order]:
    """Yield the orders that skip a step or phase."""
    model = goal.abstract.model
    openings = {opening_of(fact.test) for fact in model.facts}
    for state in (*model.of_kind("phase"), *model.of_kind("step")):
        level, what = (
            state.kind,
            (state.family or state.name) if state.kind == "phase" else state.name,
        )
        if Skip(level, what) in openings:
            yield SKIPS[level](what)


def _turns(candidate: Candidate) -> list[int]:
    """Return the numbers of answers after which a turn begins."""
    turns = [candidate.node_after(number).run.agenda.turn for number in range(len(candidate.steps))]
    return [number for number, turn in enumerate(turns) if number == 0 or turn != turns[number - 1]]


def _less(answer: Answer) -> Iterator[Answer]:
    """Yield the answer without one of its orders, and without its signal."""
    for number in range(len(answer.orders)):
        yield replace(answer, orders=(*answer.orders[:number], *answer.orders[number + 1 :]))
    if answer.signal is not None:
        yield replace(answer, signal=None)
