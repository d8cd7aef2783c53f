"""Spreads random games over processes, threads or machines, by any `concurrent.futures.Executor`.

The result does not depend on who plays which game. Games are played in batches by number, and if several break an
invariant, the first by number is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache
from signal import SIG_IGN, SIGINT, signal

from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.testing.fuzzing.checkedgame import CheckCounts
from fsm.testing.fuzzing.playing import Plan, Played, play_all
from fsm.testing.fuzzing.report import Found, Report

BATCH = 20
AHEAD = 64
"""At most this many batches are submitted at a time."""
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch of games as it is sent to a process: the model by name or as JSON, the plan and the numbers."""

    model: str
    plan: Plan
    first: int
    last: int
    tables: int = 1


def play_batch(batch: Batch) -> list[Played]:
    """Play the games of a batch up to the first that breaks an invariant. Return them by number."""
    played = []
    for one in play_all(_model(batch.model), batch.plan, range(batch.first, batch.last), batch.tables):
        played.append(one)
        if one.broken is not None and batch.tables == 1:
            break
    return sorted(played, key=lambda one: one.number)


def fuzz(
    model: ModelLike,
    games: int,
    seed: int = 0,
    *,
    plan: Plan | None = None,
    jobs: int = 1,
    executor: Executor | None = None,
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
    executor
        An executor that plays the games, used instead of processes of our own.
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
        If an argument is wrong, or if the model cannot be loaded.
    """
    if games < 1:
        raise FsmError(f"games must be 1 or more, not {games!r}")
    chosen = Plan(seed) if plan is None else plan
    built = as_model(model)
    sent = model if isinstance(model, str) else json.dumps(built.to_json())
    size = max(BATCH, tables)
    batches = (Batch(sent, chosen, n, min(n + size, games), tables) for n in range(0, games, size))
    looks, number, broken = CheckCounts(), 0, None
    with _executor(jobs, executor) as pool:
        for played in _in_order(pool, batches, built):
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


def _in_order(pool: Executor | None, batches: Iterator[Batch], model: Model) -> Iterator[Played]:
    """Yield the games by number. Only a few batches are submitted ahead."""
    if pool is None:
        for batch in batches:
            played = play_all(model, batch.plan, range(batch.first, batch.last), batch.tables)
            yield from sorted(played, key=lambda one: one.number) if batch.tables > 1 else played
        return
    waiting: list[Future[list[Played]]] = []
    try:
        for batch in batches:
            waiting.append(pool.submit(play_batch, batch))
            if len(waiting) >= AHEAD:
                yield from waiting.pop(0).result()
        while waiting:
            yield from waiting.pop(0).result()
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def _executor(jobs: int, executor: Executor | None) -> Iterator[Executor | None]:
    """Yield the given executor, which stays open, or processes of our own, or None for one job."""
    if executor is not None or jobs == 1:
        with nullcontext(executor) as given:
            yield given
        return
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_leave_interrupts_alone)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _leave_interrupts_alone() -> None:
    """Leave it to the process that started this one what an interrupt means. A worker that ends blocks the pool."""
    signal(SIGINT, SIG_IGN)


@lru_cache(maxsize=8)
def _model(sent: str) -> Model:
    from fsm.rulesets import load

    return Model.from_json(json.loads(sent)) if sent.startswith("{") else load(sent)
