"""Paths for a criterion: always to the nearest that is still missing, from where the path stands or from a new game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from time import perf_counter

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.model import Model
from fsm.paths.backbone import courses
from fsm.paths.bound import lower_bound
from fsm.paths.ground import Ground, ground_of
from fsm.paths.here import Here, Step, begun
from fsm.paths.path import Path, PathSet, Start, starts
from fsm.paths.seeking import Seeking
from fsm.paths.wandering import shortened, wander
from fsm.paths.wanted import Wanted, wanted
from fsm.requests import Answer

EFFORT = 600_000
FIRST, SECOND = 800, 2_500
"""How many answers are tried to find the nearest; then, once more, from every way to begin a game."""
LONGEST, FRUITLESS = 160, 60
"""A game at random is given up after so many answers; all are, after so many games in which nothing new was met."""


def paths(model: Model, criterion: str = "transitions", *, tour: bool = False, effort: int = EFFORT) -> PathSet:
    """Paths that take all of a criterion that could be reached; `open` of the result tells what could not.

    `tour`: as few games as possible, one after the other only where a game is over. Every path is run in a new game
    before it is handed out. `effort`: so many answers are tried in searches at most.
    Raises CoverageError when the criterion is unknown, or paths cannot be made for it.
    """
    since = perf_counter()
    known = {target.key: target for target in targets(model, criterion)}
    drafts = Generator(model, criterion, tour=tour, effort=effort).run()
    made = tuple(_path(model, draft, known) for draft in drafts if draft.takes)
    seconds = perf_counter() - since
    taken = PathSet(model, criterion, made).coverage.covered
    return PathSet(model, criterion, made, lower_bound(model, criterion, taken, tour=tour), seconds, tour)


def _path(model: Model, draft: Draft, known: Mapping[Key, Target]) -> Path:
    """The draft up to the last that it takes."""
    end = max(number for number, _ in draft.takes)
    return Path(model, draft.start, tuple(draft.answers[:end]), tuple((n, known[key]) for n, key in draft.takes))


@dataclass
class Draft:
    """A path in the making."""

    start: Start
    here: Here
    answers: list[Answer] = field(default_factory=list)
    takes: list[tuple[int, Key]] = field(default_factory=list)

    def follow(self, steps: Sequence[Step], goal: Wanted) -> None:
        """Go on by these steps."""
        for step in steps:
            self.answers.append(step.answer)
            self.here = step.here
            for key in goal.taken(step):
                self.takes.append((len(self.answers), key))
                goal.done((key,))


class Generator:
    """Makes the paths of one criterion."""

    def __init__(self, model: Model, criterion: str, *, tour: bool = False, effort: int = EFFORT) -> None:
        self.ground: Ground = ground_of(model)
        self.goal = wanted(self.ground, criterion)
        self.tour, self.left = tour, effort
        self.drafts: list[Draft] = []
        self.starts = {start: begun(self.ground, start.controller(model)) for start in starts(model)}

    def run(self) -> list[Draft]:
        """All paths; what could not be reached is left in `goal.open`."""
        first = next(iter(self.starts))
        self._sweep(first, FIRST)
        for start in self.starts:
            if self.left <= 0:
                break
            self.goal.aside.clear()
            self._sweep(start, SECOND)
            if self.goal.open:
                self._wander(start)
        return self.drafts

    def _wander(self, start: Start) -> None:
        """Games at random, for what no search has found: where something is met, a path to it, shortened."""
        random, fruitless = Random(0), 0
        while self.left > 0 and self.goal.open and fruitless < FRUITLESS:
            fruitless += 1
            steps = list(wander(self.starts[start].here, random, LONGEST, lambda s: bool(self.goal.taken(s))))
            self.left -= len(steps)
            if steps and self.goal.taken(steps[-1]):
                fruitless = 0
                met = set(self.goal.taken(steps[-1]))
                self._new(start).follow(self._shortened(start, steps, met), self.goal)

    def _shortened(self, start: Start, steps: list[Step], met: set[Key]) -> list[Step]:
        def still(found: list[Step]) -> bool:
            return not met.isdisjoint(self.goal.taken(found[-1]))

        return shortened(self.starts[start].here, steps, still)

    def _sweep(self, start: Start, tries: int) -> None:
        """Go on while anything is found; what a search heads for in vain is set aside."""
        draft: Draft | None = None
        while self.left > 0 and any(key not in self.goal.aside for key in self.goal.open):
            roots = [self.starts[start].here] if draft is None or not self.tour else []
            roots += [draft.here] if draft is not None else []
            found = self._search([(here, []) for here in roots], tries, last=False)
            if found is None:
                far = [(here, steps) for here in roots for steps in courses(here)]
                found = self._search([*((here, []) for here in roots), *far], tries, last=True)
            if found is None:
                continue
            origin, steps = found
            if draft is None or (origin is self.starts[start].here and origin is not draft.here):
                draft = self._new(start)
            draft.follow(steps, self.goal)

    def _search(
        self, roots: list[tuple[Here, list[Step]]], tries: int, *, last: bool
    ) -> tuple[Here, list[Step]] | None:
        """The place to start from and the steps. When it is the last try, what was headed for in vain is set aside."""
        seeking = Seeking(self.goal, [(steps[-1].here if steps else here, steps) for here, steps in roots], tries)
        found = seeking.run()
        self.left -= seeking.tried
        if found is None and last:
            vain = [key for key, _ in seeking.pointed.most_common(1)]
            self.goal.aside.update(vain or self.goal.open)
        return (roots[found.root][0], found.steps) if found is not None else None

    def _new(self, start: Start) -> Draft:
        step = self.starts[start]
        draft = Draft(start, step.here)
        for key in self.goal.taken(step):
            draft.takes.append((0, key))
            self.goal.done((key,))
        self.drafts.append(draft)
        return draft


def path_to(model: Model, state: str, *, effort: int = EFFORT) -> PathSet:
    """The shortest path found to a state, of turn or window. Raises ModelError when there is no such state.

    The set has no path when none was found within the effort.
    """
    ground, since = ground_of(model), perf_counter()
    named = [t for t in targets(model, "states") if t.id == state]
    if not named:
        model.state(state)
    goal = wanted(ground, "states").only(t.key for t in named)
    for start in starts(model):
        step = begun(ground, start.controller(model))
        draft = Draft(start, step.here)
        draft.takes += [(0, key) for key in goal.taken(step)]
        found = None if draft.takes else Seeking(goal, [(step.here, [])], effort // 5, greed=1).run()
        if found is not None:
            draft.follow(found.steps, goal)
        if draft.takes:
            made = _path(model, draft, {t.key: t for t in named})
            return PathSet(model, "states", (made,), 0, perf_counter() - since)
    return PathSet(model, "states", (), 0, perf_counter() - since)


def random_path(model: Model, length: int, seed: int, *, until: Callable[[Path], bool] | None = None) -> PathSet:
    """One random game, by the seed: so many answers at most, and no more once `until` holds of the path so far."""
    ground, start = ground_of(model), Start()
    first = begun(ground, start.controller(model))
    answers: list[Answer] = []

    def stops(step: Step) -> bool:
        answers.append(step.answer)
        return until is not None and until(Path(model, start, tuple(answers)))

    for _ in wander(first.here, Random(seed), length, stops):
        pass
    return PathSet(model, "transitions", (Path(model, start, tuple(answers)),))
