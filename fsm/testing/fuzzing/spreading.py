"""Plays random games, and spreads them by `fsm.parallel`.

The result does not depend on who plays which game. Games are played in batches by number, and if
several break an invariant, the first by number is reported.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import chain

from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.parallel import spread
from fsm.testing.fuzzing.checkedgame import CheckCounts
from fsm.testing.fuzzing.playing import Plan, Played, play_all
from fsm.testing.fuzzing.report import Found, Report

BATCH = 20
Progress = Callable[[int, int], None]


def play_batch(model: Model, plan: Plan, tables: int, games: range) -> list[Played]:
    """Play the games of these numbers up to the first that breaks an invariant. Return them by
    number.
    """
    played = []
    for one in play_all(model, plan, games, tables):
        played.append(one)
        if one.broken is not None and tables == 1:
            break
    return sorted(played, key=lambda one: one.number)


def fuzz(
    model: ModelLike,
    games: int,
    seed: int = 0,
    *,
    plan: Plan | None = None,
    jobs: int = 1,
    cluster: str = "",
    tables: int = 1,
    progress: Progress | None = None,
    shrink: bool = True,
) -> Report:
    """Play random games until one breaks an invariant.

    Equal arguments give equal reports, however the games are spread.

    Parameters
    ----------
    model
        A Model, a Table, or the specification of a ruleset.
    games
        How many games are played at most.
    seed
        The seed of the games. It is not used if a `plan` is given.
    plan
        The seed, the length and the checks of the games. If None, the defaults of `Plan` are used.
    jobs
        How many processes play. A script that starts processes needs `if __name__ == "__main__":`.
    cluster
        The address of a Dask scheduler, whose workers play instead. This needs the extra `cluster`.
    tables
        How many games are open at the same time in each process.
    progress
        A function that is called with the number of games and of turns played so far.
    shrink
        Whether the smallest case that breaks the invariant is looked for.

    Returns
    -------
    Report
        How much was played, and the broken invariant, if there is one.

    Raises
    ------
    FsmError
        If an argument is wrong, if the model cannot be loaded, or if no worker can be had.
    """
    if games < 1:
        raise FsmError(f"games must be 1 or more, not {games!r}")
    chosen = Plan(seed) if plan is None else plan
    built = as_model(model)
    alone = jobs == 1 and not cluster
    size = 1 if alone and tables == 1 else max(BATCH, tables)
    batches = (range(n, min(n + size, games)) for n in range(0, games, size))
    looks, number, broken = CheckCounts(), 0, None
    play = partial(play_batch, built, chosen, tables)
    with spread(play, batches, jobs=jobs, cluster=cluster) as results:
        for played in chain.from_iterable(results):
            number += 1
            looks.add(played.looks)
            if progress is not None:
                progress(number, looks.turns)
            if played.broken is not None:
                broken = Found(played.number, played.broken)
                break
    if broken is not None and shrink:
        from fsm.testing.fuzzing.smallestcase import with_smallest_case

        broken = with_smallest_case(built, model if isinstance(model, str) else "", chosen, broken)
    name = model if isinstance(model, str) else built.name
    return Report(name, built.fingerprint, chosen.seed, number, looks, broken)
