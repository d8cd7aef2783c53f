"""Finds a path to each of many targets in a few seconds: what a report shows of the targets that
were not taken.

A short search from the beginning of a game comes first, because its paths are short. Random games
and longer searches look for the rest. A path to one target is a path to everything that it takes on
its way, for all criteria.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fsm.coverage import Target
from fsm.coverage.target import Key
from fsm.errors import CoverageError
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.testing.budget import Budget
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.generating import Generator
from fsm.testing.generation.path import Path, Start
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep

EFFORT = 40_000
"""At most about this many answers are tried for all targets of a model together."""
NEAR, EACH, LEAST = 60, 600, 12_000
"""How many answers are tried for one target from the beginning of a game, then for each that is
left, and at least.
"""

Walk = tuple[Start, AnswerStep, Sequence[AnswerStep]]
"""The set-up of a game, the step to its first wait point, and the steps that follow."""


def ways_to(
    model: Model, asked: Mapping[str, Sequence[Target]], *, effort: int = EFFORT
) -> Mapping[str, Mapping[Key, Path]]:
    """Return a path to each target that was found, by criterion and key. The last answer of a path
    takes the target.

    `asked` has the targets by criterion. Those of the first criterion are looked for first.
    A machine that no game plays has no paths.
    """
    if not graphs_of(model)[0].played:
        return {}
    budget, walks = Budget(effort), list[Walk]()
    return {
        criterion: _ways(model, criterion, targets, budget, walks)
        for criterion, targets in asked.items()
    }


def _ways(
    model: Model, criterion: str, targets: Sequence[Target], budget: Budget, walks: list[Walk]
) -> Mapping[Key, Path]:
    try:
        made = Generator(model, criterion, effort=1, seconds=None, seed=1)
    except CoverageError:
        return {}
    wanted = made.goal.only(target.key for target in targets)
    if not walks:
        walks += [(start, first, ()) for start, first in made.starts.items()]
    made.goal = wanted.only(wanted.open.keys() - _shortest(model, wanted, walks).keys())
    if made.goal.open:
        made.budget = budget.part(min(budget.left, max(LEAST, EACH * len(made.goal.open))))
        walks += _nearby(made.goal, made.starts[Start()], made.budget)
        made.search()
        walks += [(one.start, one.first, one.steps) for one in made.candidates]
    return _shortest(model, wanted, walks)


def _nearby(goal: SearchGoal, first: AnswerStep, budget: Budget) -> Iterator[Walk]:
    """Yield the walks from the beginning of an ordinary game to targets that a short search finds."""
    for key in list(goal.open):
        if key in goal.open and budget.lasts:
            found = BestFirstSearch(goal.only([key]), [(first.node, [])], budget.part(NEAR)).run()
            if found is not None:
                goal.mark_taken(key for step in found.steps for key in goal.newly_taken_by(step))
                yield Start(), first, found.steps


def _shortest(model: Model, goal: SearchGoal, walks: Iterable[Walk]) -> Mapping[Key, Path]:
    """Return the shortest beginning of a walk that takes each target."""
    best: dict[Key, tuple[int, Walk]] = {}
    for walk in walks:
        for number, step in enumerate((walk[1], *walk[2])):
            for key in goal.newly_taken_by(step):
                if key not in best or number < best[key][0]:
                    best[key] = number, walk
    return {
        key: Path(model, start, tuple(step.answer for step in steps[:number]))
        for key, (number, (start, _, steps)) in best.items()
    }
