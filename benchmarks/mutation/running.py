"""Runs the mutation of one model: first paths, then proofs of equivalence, then games made for the
other mutants.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from importlib.resources import files
from random import Random

from benchmarks.mutation.distinguishing import DistinguishingSearch
from benchmarks.mutation.equivalence import why_equivalent
from benchmarks.mutation.mutants import KINDS, Mutant, mutants
from benchmarks.mutation.noticing import Judge, notices
from benchmarks.mutation.outcome import Outcome
from benchmarks.mutation.repeating import repeated
from fsm.model import Model
from fsm.testing.budget import Budget
from fsm.testing.generation.generating import paths
from fsm.testing.generation.path import Path

CRITERIA = ("transitions", "literals")
EFFORT, SEARCH = 30_000, 150_000
"""At most this many answers are tried for the paths of a criterion, and in games made for mutants."""


def run(
    model: Model,
    criteria: Sequence[str] = CRITERIA,
    *,
    effort: int = EFFORT,
    search: int = SEARCH,
    sample: int = 0,
    seed: int = 1,
) -> Outcome:
    """Try all mutants of a model, or a random sample with about as many of each kind.

    They are tried on paths made for the criteria with this `effort`, and those that are left and
    not proved equivalent on games made for them. Each mutant that is noticed is also played. Equal
    arguments give equal results.

    Raises CoverageError if paths cannot be made for a criterion.
    """
    tried = sampled(list(mutants(model)), sample, seed) if sample else tuple(mutants(model))
    judge = Judge(model, tried)
    by_paths = _noticed(
        judge, (path for criterion in criteria for path in paths(model, criterion, effort=effort))
    )
    found = {mutant: proof for mutant in judge.left if (proof := why_equivalent(model, mutant))}
    for mutant in found:
        judge.drop(mutant)
    by_games = _noticed(judge, repeated(model, judge, search, seed))
    distinguishing = DistinguishingSearch(model, judge, Budget(search), seed)
    by_games |= {mutant: game for game, of_game in distinguishing.run() for mutant in of_game}
    noticed = {**by_paths, **by_games}
    fails = {mutant for mutant, path in noticed.items() if notices(path, mutant)}
    reasons = known(model)
    same = {mutant: reasons[str(mutant)] for mutant in judge.left if str(mutant) in reasons}
    left = (*(m for m in judge.left if m not in same), *(m for m in noticed if m not in fails))
    refuted = tuple(m for m in fails if str(m) in reasons or why_equivalent(model, m))
    first, then = ({m: p for m, p in each.items() if m in fails} for each in (by_paths, by_games))
    return Outcome(
        model, tried, first, then, found, same, left, refuted, distinguishing.budget.spent
    )


def sampled(every: Sequence[Mutant], number: int, seed: int) -> tuple[Mutant, ...]:
    """Choose this number of mutants, about as many of each kind, in their order."""
    random, chosen = Random(seed), set[Mutant]()
    for count, kind in enumerate(KINDS):
        of_kind = [mutant for mutant in every if mutant.kind == kind]
        wanted = (number + count) // len(KINDS)
        chosen.update(random.sample(of_kind, min(wanted, len(of_kind))))
    return tuple(mutant for mutant in every if mutant in chosen)


def known(model: Model) -> dict[str, str]:
    """Return the written reasons why mutants of this model are equivalent to it, by the names of
    the mutants.
    """
    data: dict[str, dict[str, str]] = tomllib.loads(
        files(__package__).joinpath("known.toml").read_text("utf-8")
    )
    return data.get(model.name, {})


def _noticed(judge: Judge, games: Iterable[Path]) -> dict[Mutant, Path]:
    """Return the mutants that these games notice, each with the game up to the answer that shows
    the difference.
    """
    found: dict[Mutant, Path] = {}
    for game in games:
        for mutant, number in judge.noticed(game).items():
            found[mutant] = Path(game.model, game.start, game.answers[:number])
    return found
