"""Improves a set of paths: it removes some, and puts what only they took into other paths or into new ones.

This is large neighbourhood search: Shaw, "Using constraint programming and local search methods to solve vehicle
routing problems" (1998). The result is kept if it is cheaper.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from fsm.coverage.target import Key
from fsm.engine.requests import Answer
from fsm.testing.generation.busygames import Walker
from fsm.testing.generation.candidate import Draft, again, trimmed
from fsm.testing.generation.pruning import Pruner, cost_of
from fsm.testing.generation.searchnode import AnswerStep
from fsm.testing.generation.wanted import Wanted

GAMES, ROUNDS, FRUITLESS = 24, 14, 20
"""How many changes are compared at a time, after how many an attempt ends, and after how many failures the search
ends."""


class Renewer:
    """Makes a set of paths cheaper. `left`: so many answers may be tried still."""

    def __init__(
        self, goal: Wanted, drafts: Sequence[Draft], fresh: Sequence[Draft], random: Random, effort: int
    ) -> None:
        self.goal, self.drafts, self.fresh, self.random = goal, list(drafts), fresh, random
        self.walker = Walker(goal, random)
        self.left = effort

    def run(self) -> list[Draft]:
        """Attempts, until the effort is used up or nothing comes of them."""
        open, fruitless = dict(self.goal.open), 0
        while self.left > 0 and len(self.drafts) > 1 and fruitless < FRUITLESS:
            before = cost_of(self.drafts)
            self._attempt()
            fruitless = 0 if cost_of(self.drafts) < before else fruitless + 1
        self.goal.open.clear()
        self.goal.open.update(open)
        return self.drafts

    def _attempt(self) -> None:
        gone = self._chosen()
        kept = [Draft(d.start, d.first, list(d.steps)) for d in self.drafts if d not in gone]
        missing = _all(self.goal, self.drafts) - _all(self.goal, kept)
        self.goal.open.clear()
        self.goal.open.update(dict.fromkeys(sorted(missing)))
        most, changed = cost_of(self.drafts), list[Draft]()
        for _ in range(ROUNDS):
            if not self.goal.open or self.left <= 0 or cost_of(kept) >= most:
                break
            self._mend(kept, changed)
        if self.goal.open or self.left <= 0 or cost_of(kept) >= most * 1.1:
            return
        pruner = Pruner(self.goal, kept, self.left)
        pruner.once([d for d in kept if d in changed])
        self.left = pruner.left
        if cost_of(pruner.drafts) < most:
            self.drafts = pruner.drafts

    def _chosen(self) -> list[Draft]:
        """One or two of them, rather those that take little of their own for their cost."""
        pruner = Pruner(self.goal, self.drafts, 0)
        ordered = sorted(self.drafts, key=pruner.worth)
        many = min(self.random.choice((1, 1, 2, 3)), len(ordered) - 1)
        places = {min(int(self.random.expovariate(3 / len(ordered))), len(ordered) - 1) for _ in range(many)}
        return [ordered[place] for place in places]

    def _mend(self, kept: list[Draft], changed: list[Draft]) -> None:
        """The best of many ways to take some of what is missing: a path changed, one that goes on, or a new one."""
        needs = {id(d): needed for d, needed in zip(kept, _needed(self.goal, kept), strict=True)}
        best: tuple[float, Draft, int, list[AnswerStep]] | None = None
        before = self.walker.tried
        for number in range(GAMES):
            draft = self.random.choice(kept) if number % 4 else self.random.choice((self.fresh[0], *self.fresh))
            made = self._changed(draft, needs[id(draft)]) if number % 2 and draft.steps else self._longer(draft)
            if made is not None and (best is None or made[0] > best[0]):
                best = (made[0], draft, made[1], made[2])
        self.left -= self.walker.tried - before
        if best is not None:
            _, draft, at, steps = best
            if draft not in kept:
                draft = Draft(draft.start, draft.first)
                kept.append(draft)
            draft.steps[at:] = steps
            changed.append(draft)
            self.goal.done(_all(self.goal, [draft]))

    def _longer(self, draft: Draft) -> tuple[float, int, list[AnswerStep]] | None:
        found = self.walker.best([draft.here], 1, 4)
        return (found.worth, len(draft.steps), list(found.steps)) if found is not None else None

    def _changed(self, draft: Draft, needed: set[Key]) -> tuple[float, int, list[AnswerStep]] | None:
        """Somewhere on a path more is ordered or told, and it goes on as it did as far as that can be."""
        at = self.random.randrange(len(draft.steps))
        here = draft.at(at)
        players = tuple(p for side in here.controller.agenda.sides for p in side)
        (place, old), *script = draft.script[at:]
        new = self.walker.answer(here, self.walker.kitchen.menu(players[:2]), first=True)
        more = Answer(
            old.word,
            {**new.facts, **(old.facts if self.random.random() < 0.7 else {})},
            (*old.orders, *new.orders),
            new.signal or old.signal,
        )
        rest = needed - {key for s in (draft.first, *draft.steps[:at]) for key in self.goal.met(s)}
        steps, gained, end = list[AnswerStep](), set[Key](), 0
        for step in again(here, [(place, more), *script]):
            self.walker.tried += 1
            steps.append(trimmed(step, here))
            here, met = step.here, self.goal.met(step)
            fresh = {key for key in met if key in self.goal.open} - gained
            if fresh or met & rest:
                end = len(steps)
            gained, rest = gained | fresh, rest - met
        if rest or not gained:
            return None
        longer = (
            cost_of([Draft(draft.start, draft.first, steps[:end])])
            - cost_of([draft])
            + cost_of([Draft(draft.start, draft.first, draft.steps[:at])])
        )
        return len(gained) / max(longer / 4 + 2, 0.5), at, steps[:end]


def _all(goal: Wanted, drafts: Sequence[Draft]) -> set[Key]:
    return {key for draft in drafts for keys in draft.met(goal) for key in keys}


def _needed(goal: Wanted, drafts: Sequence[Draft]) -> list[set[Key]]:
    """What each takes that no other does."""
    own = [_all(goal, [draft]) for draft in drafts]
    return [keys.difference(*(o for o in own if o is not keys)) for keys in own]
