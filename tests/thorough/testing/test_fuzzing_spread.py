"""Random games spread over threads, processes or a cluster: the report is the same."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest

from fsm.model import Model
from fsm.testing.fuzzing import Plan, fuzz
from support.plantedbugs import MODELS
from support.tools import package


@contextmanager
def _dask() -> Iterator[Executor]:
    distributed = package("distributed")
    options = {
        "n_workers": 1,
        "threads_per_worker": 2,
        "processes": False,
        "dashboard_address": None,
    }
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
def test_any_executor_reports_the_same(
    executor: Callable[[], AbstractContextManager[Executor]],
) -> None:
    with executor() as pool:
        assert fuzz("magic", 25, 4, executor=pool) == fuzz("magic", 25, 4)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to a group of processes")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupted_command_says_what_it_knows(jobs: str) -> None:
    command = [sys.executable, "-m", "fsm", "fuzz", "magic", "--games", "1000000", "--jobs", jobs]
    playing = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(8)
    os.killpg(playing.pid, signal.SIGINT)
    _, said = playing.communicate(timeout=60)
    assert playing.returncode == 130
    assert re.fullmatch(
        r"fsm: interrupted after \d+ games and \d+ turns: (every invariant held in them|nothing is known yet)\n",
        said,
    )


@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal to a group of processes")
def test_an_interrupted_search_for_paths_writes_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "paths.txt"
    command = [
        sys.executable,
        "-m",
        "fsm",
        "paths",
        "magic",
        "--criterion",
        "pairs",
        "-o",
        str(file),
    ]
    searching = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(8)
    os.killpg(searching.pid, signal.SIGINT)
    _, said = searching.communicate(timeout=120)
    assert searching.returncode == 1
    assert "interrupted; these are the paths" in said
    assert file.read_text().startswith("pairs of magic")


def test_jobs_are_processes_and_find_the_same(magic: Model) -> None:
    broken = MODELS["turn_order_is_right"](magic)
    plan, told = Plan(2), list[tuple[int, int]]()
    spread = fuzz(
        broken, 500, plan=plan, jobs=2, progress=lambda games, turns: told.append((games, turns))
    )
    assert spread == fuzz(broken, 500, plan=plan)
    assert told[-1] == (spread.games, spread.looks.turns) and spread.found is not None
    assert spread.games == spread.found.game + 1 < 500
