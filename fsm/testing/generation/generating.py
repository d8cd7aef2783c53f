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
from fsm.testing.generation.abstractgraph import AbstractGraph, abstract_graph_of
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.bound import lower_bound
from fsm.testing.generation.candidate import Candidate, replayed_exactly
from fsm.testing.generation.coveringtour import CoveringTour
from fsm.testing.generation.guidedsearch import GuidedSearch
from fsm.testing.generation.measuring import waiting_in, words_refused
from fsm.testing.generation.neighbourhoodsearch import NeighbourhoodSearch
from fsm.testing.generation.path import Path, PathSet, plainness, starts
from fsm.testing.generation.pruning import Pruner, fewest
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, first_step
from fsm.testing.generation.seeds import SearchSeed, SearchSeeds
from fsm.testing.generation.targetedwalker import TargetedWalker

EFFORT, MANY = 150_000, 300
"""At most this many answers are tried for this many targets. The number grows with the number of targets."""
GAMES, FRUITLESS, FIXED_COST = 30, 12, 6
"""How many random games are compared at a time, and after how many rounds without anything new the search gives up."""
FIRST, PATIENCE = 300, (800, 4_000)
"""How many answers are tried to find the nearest target of all, and then for each remaining target from every seed."""
RANDOM, SEARCHES, PRUNED, IMPROVED = 0.45, 0.7, 0.85, 0.95
"""The shares of the effort after which random games, searches, pruning and the neighbourhood search end."""
GUIDED, NEARBY = 0.35, 0.6
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
    candidates = made.run()
    if tour:
        candidates = CoveringTour(
            search_goal(made.abstract, criterion), candidates, made.random, made.effort, made.until
        ).run(made.starts)
    found = PathSet(model, criterion, tuple(finished(model, criterion, candidates, known)), tour=tour)
    return found.measured(perf_counter() - since, lower_bound(criterion, found))


def finished(
    model: Model, criterion: str, candidates: Iterable[Candidate], known: Mapping[Key, Target]
) -> Iterator[Path]:
    """The paths that drafts have become, each run in a new game. What is not among the known targets is not told."""
    seen: set[Key] = set()
    goal = search_goal(abstract_graph_of(model), criterion)
    for made in candidates:
        candidate = _from_its_start(made)
        takes: list[tuple[int, Target]] = []
        for number, keys in enumerate(candidate.taken_by(goal)):
            takes += [(number, known[key]) for key in sorted(keys - seen) if key in known]
            seen |= keys
        refused = tuple(_refused(candidate, takes)) if criterion == "refusals" else ()
        yield Path(model, candidate.start, tuple(step.answer for step in candidate.steps), tuple(takes), refused)


def _from_its_start(candidate: Candidate) -> Candidate:
    """The same path in a new game."""
    steps = replayed_exactly(candidate.first.node, [step.answer for step in candidate.steps])
    assert steps is not None, "a path is a game that was played"
    return Candidate(candidate.start, candidate.first, steps)


def _refused(candidate: Candidate, takes: Iterable[tuple[int, Target]]) -> Iterator[tuple[int, Answer]]:
    """What is to be tried on a path for the targets that are taken by that."""
    for number, target in takes:
        node, (event, _, state) = candidate.at(number), target.id.rpartition(" in ")
        if (target.machine, state) == waiting_in(node.abstract, node) and event in words_refused(node.abstract, node):
            signal = Signal(event) if event in node.abstract.signals else None
            yield number, Answer("done" if signal else event, signal=signal)  # type: ignore[arg-type]


class Generator:
    """Makes a set of paths for one criterion. `left`: so many answers may be tried still."""

    def __init__(self, model: Model, criterion: str, *, effort: int, seconds: float | None, seed: int) -> None:
        self.abstract: AbstractGraph = abstract_graph_of(model)
        self.goal = search_goal(self.abstract, criterion)
        self.effort = self.left = effort or EFFORT * max(len(self.goal.open), MANY) // MANY
        self.since = perf_counter()
        self.until = self.since + seconds if seconds is not None else inf
        self.random = Random(seed)
        self.candidates: list[Candidate] = []
        self.starts = {start: first_step(self.abstract, start.controller(model)) for start in starts(model)}

    def run(self) -> list[Candidate]:
        """All paths; what could not be reached is left in `goal.open`."""
        if self.goal.length > 1:
            self._guided_games()
        else:
            self._random_games()
            self._targeted_searches()
        pruner = Pruner(self.goal, [d for d in self.candidates if d.steps], self._spare(PRUNED))
        before, candidates = pruner.left, pruner.run()
        self.left -= before - pruner.left
        beginnings = [Candidate(start, step) for start, step in self.starts.items()]
        neighbourhood = NeighbourhoodSearch(self.goal, candidates, beginnings, self.random, self._spare(IMPROVED))
        before, candidates = neighbourhood.left, neighbourhood.run()
        self.left -= before - neighbourhood.left
        return Pruner(self.goal, candidates, self._spare(1)).finish()

    def _spare(self, share: float) -> int:
        """How many answers may still be tried, up to this share of all; and no more than there is time for."""
        now, done = perf_counter(), self.effort - self.left
        if now >= self.until:
            return 0
        soon = int(done * (self.until - now) / (now - self.since)) if done and self.until < inf else self.effort
        return min(soon, int(self.left - (1 - share) * self.effort))

    def _go_on(self, candidate: Candidate, steps: Sequence[AnswerStep]) -> Candidate:
        if candidate not in self.candidates:
            self.candidates.append(candidate)
            self.goal.mark_taken(self.goal.taken_by(candidate.first))
        for step in steps:
            candidate.steps.append(step)
            self.goal.mark_taken(self.goal.newly_taken_by(step))
        return candidate

    # for targets of one firing each -----------------------------------------------------------------------

    def _random_games(self) -> None:
        """The best of many games at random, again and again."""
        walker, fruitless, candidate = TargetedWalker(self.goal, self.random), 0, None
        while self.goal.open and fruitless < FRUITLESS and self._spare(RANDOM) > 0:
            seeds, before = self._seeds(candidate), walker.tried
            best = walker.best([seed.node for seed in seeds], GAMES, FIXED_COST)
            self.left -= walker.tried - before
            fruitless = 0 if best else fruitless + 1
            if best is not None:
                candidate = self._go_on(seeds[best.seed], best.steps)

    def _seeds(self, candidate: Candidate | None) -> list[Candidate]:
        """Where to go on from: the draft's end, and new games."""
        first, *others = (Candidate(start, step) for start, step in self.starts.items())
        return [
            first,
            *([candidate] if candidate is not None else []),
            *([self.random.choice(others)] if others else []),
        ]

    def _targeted_searches(self) -> None:
        """Searches: the nearest of all that is missing, as long as it is near; then one target after the other."""
        first, seeds = next(iter(self.starts)), SearchSeeds(self.goal, self.starts)
        while self.goal.open and self._spare(SEARCHES) > 0:
            if not self._search(self.goal, [(Candidate(first, self.starts[first]), [])], FIRST):
                break
        for tries in PATIENCE:
            for start in sorted(self.starts, key=plainness):
                for key in list(self.goal.open):
                    if key in self.goal.open and self._spare(SEARCHES) > 0:
                        before, places = seeds.tried, seeds.of(key, start, self.candidates)
                        self.left -= seeds.tried - before
                        self._search(self.goal.only([key]), places, tries)

    def _search(self, goal: SearchGoal, seeds: Sequence[SearchSeed], tries: int) -> bool:
        """Go on from one of these roots to something of this goal, if that is found."""
        places = [(steps[-1].node if steps else d.node, steps) for d, steps in seeds]
        search = BestFirstSearch(goal, places, tries, seed_cost=0.0)
        found = search.run()
        self.left -= search.tried
        if found is not None:
            self._go_on(seeds[found.seed][0], found.steps)
        return found is not None

    # for targets that are many firings in a row -------------------------------------------------------------

    def _guided_games(self) -> None:
        """Whatever games take, then a search for each that is left."""
        guided, fruitless = GuidedSearch(self.goal, self.starts, self.random), 0
        while self.goal.open and fruitless < IN_VAIN and self._spare(GUIDED) > 0:
            before = guided.tried
            candidate = guided.play()
            self.left -= guided.tried - before
            fruitless = 0 if candidate is not None else fruitless + 1
            self.candidates += [candidate] if candidate is not None else []
        for key in list(self.goal.open):
            if key in self.goal.open and self._spare(NEARBY) > 0:
                self._search(self.goal.only([key]), guided.near(key), NEAR)
        self.candidates = fewest(self.goal, self.candidates)
