"""Random games spread over threads, processes or a cluster: the report is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context

import pytest

from fsm.model import Model
from fsm.testing.fuzzing import Plan, fuzz
from support.plantedbugs import MODELS
from support.tools import package


@contextmanager
def _dask() -> Iterator[Executor]:
    distributed = package("distributed")
    options = {"n_workers": 1, "threads_per_worker": 2, "processes": False, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        yield client.get_executor()


@contextmanager
def _threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


@contextmanager
def _processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        yield pool


@pytest.mark.filterwarnings("ignore")  # what Dask and its packages warn of is theirs
@pytest.mark.parametrize("executor", [_threads, _processes, _dask])
def test_any_executor_reports_the_same(executor: Callable[[], AbstractContextManager[Executor]]) -> None:
    with executor() as pool:
        assert fuzz("magic", 25, 4, executor=pool) == fuzz("magic", 25, 4)


def test_jobs_are_processes_and_find_the_same(magic: Model) -> None:
    broken = MODELS["turn_order_is_right"](magic)
    plan, told = Plan(2), list[tuple[int, int]]()
    spread = fuzz(broken, 500, plan=plan, jobs=2, progress=lambda games, turns: told.append((games, turns)))
    assert spread == fuzz(broken, 500, plan=plan)
    assert told[-1] == (spread.games, spread.looks.turns) and spread.found is not None
    assert spread.games == spread.found.game + 1 < 500
