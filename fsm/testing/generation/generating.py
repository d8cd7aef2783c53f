"""Generates paths for a criterion: random games first, then a search for the missing targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from time import perf_counter

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Signal
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.testing.budget import Budget, Progress
from fsm.testing.generation.abstractgraph import AbstractGraph, abstract_graph_of
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate, replayed_exactly
from fsm.testing.generation.measuring import waiting_in, words_refused
from fsm.testing.generation.path import Path, PathSet, plainness, starts
from fsm.testing.generation.pruning import Pruner
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, first_step
from fsm.testing.generation.seeds import SearchSeed, SeedFinder
from fsm.testing.generation.targetedwalker import TargetedWalker

EFFORT, MANY = 150_000, 300
"""At most this many answers are tried for this many targets. The number grows with the number of
targets.
"""
GAMES, FRUITLESS, FIXED_COST = 30, 3, 6
"""How many random games are compared at a time, and after how many rounds without anything new the
search gives up.
"""
FIRST, PATIENCE = 300, (800, 4_000)
"""How many answers are tried to find the nearest target of all, and then for each remaining target
from every seed.
"""
RANDOM, SEARCHES = 0.45, 0.7
"""The shares of the effort after which random games and searches end. The rest is for pruning."""


def paths(
    model: ModelLike,
    criterion: str = "transitions",
    *,
    effort: int = 0,
    seconds: float | None = None,
    seed: int = 1,
    progress: Progress | None = None,
) -> PathSet:
    """Generate paths that take all targets of a criterion that could be reached.

    Every path is run in a new game before it is returned. Equal arguments give equal paths, unless
    time runs out.

    Parameters
    ----------
    model
        The Model to cover.
    criterion
        The name of a criterion. See `fsm.coverage.criteria`.
    effort
        How many answers are tried at most. With 0, there is a default that grows with the number of
        targets.
    seconds
        About how long the search may take. If None, time is not limited. The proofs of what no run
        can take come before the search; they are not limited.
    seed
        The seed of the random games.
    progress
        Called now and then with how many answers were tried, and how many are tried at most. If it
        returns True, the search ends with what it has, as when its time is up.

    Returns
    -------
    PathSet
        The paths. Its `open` has the targets that were not reached.

    Raises
    ------
    CoverageError
        If the criterion is unknown, or if no paths can be made for it.
    """
    model = as_model(model)
    since = perf_counter()
    known = {target.key: target for target in targets(model, criterion)}
    made = Generator(model, criterion, effort=effort, seconds=seconds, seed=seed, progress=progress)
    found = tuple(finished(model, criterion, made.run(), known))
    return PathSet(model, criterion, found, seconds=perf_counter() - since)


def finished(
    model: Model, criterion: str, candidates: Iterable[Candidate], known: Mapping[Key, Target]
) -> Iterator[Path]:
    """Yield the finished paths, each run in a new game. `takes` has only targets that are known."""
    seen: set[Key] = set()
    goal = search_goal(abstract_graph_of(model), criterion)
    for made in candidates:
        candidate = _from_its_start(made)
        takes: list[tuple[int, Target]] = []
        for number, keys in enumerate(candidate.taken_by(goal)):
            takes += [(number, known[key]) for key in sorted(keys - seen) if key in known]
            seen |= keys
        refused = tuple(_refused(candidate, takes)) if criterion == "refusals" else ()
        yield Path(
            model,
            candidate.start,
            tuple(step.answer for step in candidate.steps),
            tuple(takes),
            refused,
        )


def _from_its_start(candidate: Candidate) -> Candidate:
    """Run the same answers in a new game."""
    steps = replayed_exactly(candidate.first.node, [step.answer for step in candidate.steps])
    assert steps is not None, "a path is a game that was played"
    return Candidate(candidate.start, candidate.first, steps)


def _refused(
    candidate: Candidate, takes: Iterable[tuple[int, Target]]
) -> Iterator[tuple[int, Answer]]:
    """Yield the answers that must be tried, and refused, for the targets that this takes."""
    for number, target in takes:
        node, (event, _, state) = candidate.node_after(number), target.id.rpartition(" in ")
        if (target.machine, state) == waiting_in(node.abstract, node) and event in words_refused(
            node.abstract, node
        ):
            signal = Signal(event) if event in node.abstract.signals else None
            yield number, Answer("done" if signal else event, signal=signal)  # type: ignore[arg-type]


class Generator:
    """Makes a set of paths for one criterion. The tries of the budget are answers."""

    def __init__(
        self,
        model: Model,
        criterion: str,
        *,
        effort: int,
        seconds: float | None,
        seed: int,
        progress: Progress | None = None,
    ) -> None:
        self.abstract: AbstractGraph = abstract_graph_of(model)
        self.abstract.stuck.clear()
        self.goal = search_goal(self.abstract, criterion)
        self.budget = Budget(
            effort or EFFORT * max(len(self.goal.open), MANY) // MANY, seconds, progress=progress
        )
        self.random = Random(seed)
        self.candidates: list[Candidate] = []
        self.starts = {
            start: first_step(self.abstract, start.controller(model)) for start in starts(model)
        }

    def run(self) -> list[Candidate]:
        """Return all paths. The targets that were not reached remain in `goal.open`."""
        self.search()
        made = [candidate for candidate in self.candidates if candidate.steps]
        return Pruner(self.goal, made, self.budget.up_to(1)).run()

    def search(self) -> None:
        """Look for paths to the targets of `goal.open`. They are in `candidates`, and not
        shortened.
        """
        self._random_games()
        self._targeted_searches()

    def _may_go_on(self, share: float) -> bool:
        """Whether something is missing, and this share of the budget is not spent."""
        return bool(self.goal.open) and self.budget.up_to(share).left > 0

    def _extend(self, candidate: Candidate, steps: Sequence[AnswerStep]) -> Candidate:
        if candidate not in self.candidates:
            self.candidates.append(candidate)
        candidate.extend(self.goal, steps)
        return candidate

    def _random_games(self) -> None:
        """Repeatedly keep the best of many random games."""
        walker, fruitless, candidate = TargetedWalker(self.goal, self.random, self.budget), 0, None
        while fruitless < FRUITLESS and self._may_go_on(RANDOM):
            seeds = self._seeds(candidate)
            best = walker.best([seed.node for seed in seeds], GAMES, FIXED_COST)
            fruitless = 0 if best else fruitless + 1
            if best is not None:
                candidate = self._extend(seeds[best.seed], best.steps)

    def _seeds(self, candidate: Candidate | None) -> list[Candidate]:
        """Return the seeds of random games: the end of the candidate, and new games."""
        first, *others = (Candidate(start, step) for start, step in self.starts.items())
        current = [candidate] if candidate is not None else []
        return [first, *current, *([self.random.choice(others)] if others else [])]

    def _targeted_searches(self) -> None:
        """Search for the nearest missing target while it is near, and then for one target after
        another.
        """
        first, finder = next(iter(self.starts)), SeedFinder(self.goal, self.starts, self.budget)
        while self._may_go_on(SEARCHES):
            if not self._search(self.goal, [(Candidate(first, self.starts[first]), [])], FIRST):
                break
        for tries in PATIENCE:
            for start in sorted(self.starts, key=plainness):
                for key in list(self.goal.open):
                    if key in self.goal.open and self._may_go_on(SEARCHES):
                        self._search(
                            self.goal.only([key]), finder.of(key, start, self.candidates), tries
                        )

    def _search(self, goal: SearchGoal, seeds: Sequence[SearchSeed], tries: int) -> bool:
        """Continue from one of these seeds to a target of this goal. Return whether one was found."""
        nodes = [(steps[-1].node if steps else start.node, steps) for start, steps in seeds]
        found = BestFirstSearch(goal, nodes, self.budget.part(tries), seed_cost=0.0).run()
        if found is not None:
            self._extend(seeds[found.seed][0], found.steps)
        return found is not None
