"""Generates paths for a criterion: random games first, then a search for the missing targets, then pruning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from random import Random
from time import perf_counter

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.model import Model
from fsm.testing.generation.abstractgraph import Ground, ground_of
from fsm.testing.generation.bestfirst import Seeking
from fsm.testing.generation.bound import lower_bound
from fsm.testing.generation.busygames import Walker
from fsm.testing.generation.candidate import Draft, exactly
from fsm.testing.generation.coveringtour import Tour
from fsm.testing.generation.guidedsearch import GuidedSearch
from fsm.testing.generation.measuring import waits_in, words_refused
from fsm.testing.generation.neighbourhoodsearch import Renewer
from fsm.testing.generation.path import Path, PathSet, plainness, starts
from fsm.testing.generation.pruning import Pruner, fewest
from fsm.testing.generation.searchnode import AnswerStep, begun
from fsm.testing.generation.seeds import Root, Roots
from fsm.testing.generation.wanted import Wanted, wanted

EFFORT, MANY = 150_000, 300
"""At most this many answers are tried for this many targets. The number grows with the number of targets."""
GAMES, FRUITLESS, TOLL = 30, 12, 6
"""How many random games are compared at a time, and after how many rounds without anything new the search gives up."""
FIRST, PATIENCE = 300, (800, 4_000)
"""How many answers are tried to find the nearest target of all, and then for each remaining target from every seed."""
WALKS, SEARCHES, PRUNED, RENEWED = 0.45, 0.7, 0.85, 0.95
"""The shares of the effort after which random games, searches, pruning and the neighbourhood search end."""
GLEANED, MOPPED = 0.35, 0.6
"""The shares of the effort after which the guided search and the searches near its results end."""
IN_VAIN, NEAR = 400, 600
"""The guided search ends after this many games without anything new. Then this many answers are tried for each
remaining target."""


def paths(
    model: Model,
    criterion: str = "transitions",
    *,
    tour: bool = False,
    effort: int = 0,
    seconds: float | None = None,
    seed: int = 1,
) -> PathSet:
    """Generate paths that take all targets of a criterion that could be reached.

    Every path is run in a new game before it is returned. Equal arguments give equal paths, unless time runs out.

    Parameters
    ----------
    model
        The Model to cover.
    criterion
        The name of a criterion. See `fsm.coverage.criteria`.
    tour
        Whether to make a covering tour with as few games as possible. A new game begins only where a game is over or
        cannot take what is left.
    effort
        How many answers are tried at most, and again for a tour. With 0, there is a default that grows with the number
        of targets.
    seconds
        About how long the search may take. If None, time is not limited.
    seed
        The seed of the random games.

    Returns
    -------
    PathSet
        The paths. Its `open` has the targets that were not reached.

    Raises
    ------
    CoverageError
        If the criterion is unknown, or if no paths can be made for it.
    """
    since = perf_counter()
    known = {target.key: target for target in targets(model, criterion)}
    made = Generator(model, criterion, effort=effort, seconds=seconds, seed=seed)
    drafts = made.run()
    if tour:
        drafts = Tour(wanted(made.ground, criterion), drafts, made.random, made.effort, made.until).run(made.starts)
    found = PathSet(model, criterion, tuple(finished(model, criterion, drafts, known)), tour=tour)
    return found.measured(perf_counter() - since, lower_bound(criterion, found))


def finished(model: Model, criterion: str, drafts: Iterable[Draft], known: Mapping[Key, Target]) -> Iterator[Path]:
    """The paths that drafts have become, each run in a new game. What is not among the known targets is not told."""
    seen: set[Key] = set()
    goal = wanted(ground_of(model), criterion)
    for made in drafts:
        draft = _from_its_start(made)
        takes: list[tuple[int, Target]] = []
        for number, keys in enumerate(draft.met(goal)):
            takes += [(number, known[key]) for key in sorted(keys - seen) if key in known]
            seen |= keys
        refused = tuple(_refused(draft, takes)) if criterion == "refusals" else ()
        yield Path(model, draft.start, tuple(step.answer for step in draft.steps), tuple(takes), refused)


def _from_its_start(draft: Draft) -> Draft:
    """The same path in a new game."""
    steps = exactly(draft.first.here, [step.answer for step in draft.steps])
    assert steps is not None, "a path is a game that was played"
    return Draft(draft.start, draft.first, steps)


def _refused(draft: Draft, takes: Iterable[tuple[int, Target]]) -> Iterator[tuple[int, Answer]]:
    """What is to be tried on a path for the targets that are taken by that."""
    for number, target in takes:
        here, (event, _, state) = draft.at(number), target.id.rpartition(" in ")
        if (target.machine, state) == waits_in(here.ground, here) and event in words_refused(here.ground, here):
            signal = Signal(event) if event in here.ground.signals else None
            yield number, Answer("done" if signal else event, signal=signal)  # type: ignore[arg-type]


class Generator:
    """Makes a set of paths for one criterion. `left`: so many answers may be tried still."""

    def __init__(self, model: Model, criterion: str, *, effort: int, seconds: float | None, seed: int) -> None:
        self.ground: Ground = ground_of(model)
        self.goal = wanted(self.ground, criterion)
        self.effort = self.left = effort or EFFORT * max(len(self.goal.open), MANY) // MANY
        self.since = perf_counter()
        self.until = self.since + seconds if seconds is not None else inf
        self.random = Random(seed)
        self.drafts: list[Draft] = []
        self.starts = {start: begun(self.ground, start.controller(model)) for start in starts(model)}

    def run(self) -> list[Draft]:
        """All paths; what could not be reached is left in `goal.open`."""
        if self.goal.length > 1:
            self._glean()
        else:
            self._walk()
            self._sweep()
        pruner = Pruner(self.goal, [d for d in self.drafts if d.steps], self._spare(PRUNED))
        before, drafts = pruner.left, pruner.run()
        self.left -= before - pruner.left
        fresh = [Draft(start, step) for start, step in self.starts.items()]
        renewer = Renewer(self.goal, drafts, fresh, self.random, self._spare(RENEWED))
        before, drafts = renewer.left, renewer.run()
        self.left -= before - renewer.left
        return Pruner(self.goal, drafts, self._spare(1)).finish()

    def _spare(self, share: float) -> int:
        """How many answers may still be tried, up to this share of all; and no more than there is time for."""
        now, done = perf_counter(), self.effort - self.left
        if now >= self.until:
            return 0
        soon = int(done * (self.until - now) / (now - self.since)) if done and self.until < inf else self.effort
        return min(soon, int(self.left - (1 - share) * self.effort))

    def _go_on(self, draft: Draft, steps: Sequence[AnswerStep]) -> Draft:
        if draft not in self.drafts:
            self.drafts.append(draft)
            self.goal.done(self.goal.met(draft.first))
        for step in steps:
            draft.steps.append(step)
            self.goal.done(self.goal.taken(step))
        return draft

    # for targets of one firing each -----------------------------------------------------------------------

    def _walk(self) -> None:
        """The best of many games at random, again and again."""
        walker, fruitless, draft = Walker(self.goal, self.random), 0, None
        while self.goal.open and fruitless < FRUITLESS and self._spare(WALKS) > 0:
            roots, before = self._roots(draft), walker.tried
            best = walker.best([root.here for root in roots], GAMES, TOLL)
            self.left -= walker.tried - before
            fruitless = 0 if best else fruitless + 1
            if best is not None:
                draft = self._go_on(roots[best.root], best.steps)

    def _roots(self, draft: Draft | None) -> list[Draft]:
        """Where to go on from: the draft's end, and new games."""
        first, *others = (Draft(start, step) for start, step in self.starts.items())
        return [first, *([draft] if draft is not None else []), *([self.random.choice(others)] if others else [])]

    def _sweep(self) -> None:
        """Searches: the nearest of all that is missing, as long as it is near; then one target after the other."""
        first, roots = next(iter(self.starts)), Roots(self.goal, self.starts)
        while self.goal.open and self._spare(SEARCHES) > 0:
            if not self._search(self.goal, [(Draft(first, self.starts[first]), [])], FIRST):
                break
        for tries in PATIENCE:
            for start in sorted(self.starts, key=plainness):
                for key in list(self.goal.open):
                    if key in self.goal.open and self._spare(SEARCHES) > 0:
                        before, places = roots.tried, roots.of(key, start, self.drafts)
                        self.left -= roots.tried - before
                        self._search(self.goal.only([key]), places, tries)

    def _search(self, goal: Wanted, roots: Sequence[Root], tries: int) -> bool:
        """Go on from one of these roots to something of this goal, if that is found."""
        places = [(steps[-1].here if steps else d.here, steps) for d, steps in roots]
        seeking = Seeking(goal, places, tries, leave=0.0)
        found = seeking.run()
        self.left -= seeking.tried
        if found is not None:
            self._go_on(roots[found.root][0], found.steps)
        return found is not None

    # for targets that are many firings in a row -------------------------------------------------------------

    def _glean(self) -> None:
        """Whatever games take, then a search for each that is left."""
        gleaner, vain = GuidedSearch(self.goal, self.starts, self.random), 0
        while self.goal.open and vain < IN_VAIN and self._spare(GLEANED) > 0:
            before = gleaner.tried
            draft = gleaner.game()
            self.left -= gleaner.tried - before
            vain = 0 if draft is not None else vain + 1
            self.drafts += [draft] if draft is not None else []
        for key in list(self.goal.open):
            if key in self.goal.open and self._spare(MOPPED) > 0:
                self._search(self.goal.only([key]), gleaner.near(key), NEAR)
        self.drafts = fewest(self.goal, self.drafts)
