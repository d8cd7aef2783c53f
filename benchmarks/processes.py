"""The bars that need processes of their own: importing, the memory of a game, and two processes
against one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType

from benchmarks.results import BenchError, Effort, Result
from benchmarks.timing import interleave, middle

IMPORTS = {
    "import fsm": "import fsm",
    "from fsm import TurnController, drive, load": "from fsm import TurnController, drive, load",
}
FIRST = """
from time import perf_counter
from fsm import TurnController, load
began = perf_counter()
TurnController(load("magic"), ("Alice", "Bob"))
print(perf_counter() - began)
"""
PATIENCE = 3.0
"""Seconds after which the first game is not measured once more."""
TURN = 53
"""How many answers a quiet turn takes."""
MEMORY: Mapping[str, tuple[float | None, Sequence[int]]] = {
    "a game just started": (500, (0,)),
    "a game at the worst point of its first turn": (500, range(2, TURN + 1, 6)),
    "a game after ten turns": (None, (10 * TURN,)),
}
"""What is measured: its limit, and after how many answers. Of several figures, the largest counts."""


def importing(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """What an import adds to the time of a Python that does nothing. The modules are compiled, as
    pip installs them.
    """
    with TemporaryDirectory() as folder:
        own = {"PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        codes = {"": "pass", **IMPORTS}
        calls = {entry: partial(python, "-c", code, own=own) for entry, code in codes.items()}
        samples = interleave(calls, effort.processes, 0)
    bare = middle(samples, "") * 1e3
    for entry in IMPORTS:
        more = median(a - b for a, b in zip(samples[entry], samples[""], strict=True)) * 1e3
        yield Result(bars[0], f"{entry}", "ms", 60.0, more, "bare Python", bare)


def first(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """The first game of a ruleset, which has to be built for it: what the later ones do not pay
    must not hide here.
    """
    taken = [float(python("-c", FIRST))]
    while len(taken) < effort.rounds and sum(taken) < PATIENCE:
        taken.append(float(python("-c", FIRST)))
    note = (
        "no limit is set for the first game of a ruleset; it is shown so that no cost hides in it"
    )
    yield Result(
        bars[0],
        "the first TurnController(load(...), players)",
        "ms",
        None,
        median(taken) * 1e3,
        note=note,
    )


def memory(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Resident memory for each live game, measured by a process that holds many."""
    for entry, (limit, points) in MEMORY.items():
        found: list[Mapping[str, float | None]] = [
            json.loads(python("-m", "benchmarks.memory", str(effort.games), str(answers)))
            for answers in points
        ]
        each = max((one["each"] for one in found if one["each"] is not None), default=None)
        note = (
            ""
            if limit is not None
            else "a game grows by a byte or two for each answer, from which its trace is made"
        )
        note = (
            note if each is not None else "this system does not tell how much memory a process has"
        )
        yield Result(bars[0], f"{entry}, of {found[0]['games']:,}", "bytes", limit, each, note=note)


def jobs(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """Random games by two processes against one: how much sooner they are done, and what both cost
    together.
    """
    games, rounds = effort.random_games, max(1, effort.rounds // 3)
    samples = [(_spread(games, 1), _spread(games, 2)) for _ in range(rounds)]
    for entry, part, limit in (
        ("as long as it takes", 0, 1.7),
        ("processor time of all processes", 1, None),
    ):
        one, two = (median(sample[number][part] for sample in samples) for number in (0, 1))
        faster = median(sample[0][part] / sample[1][part] for sample in samples)
        few = (
            "the bar needs two processors"
            if limit is not None and (os.cpu_count() or 1) < 2
            else ""
        )
        note = few if limit is not None else "what spreading costs in all has no limit"
        yield Result(
            bars[0],
            f"{games} random games of magic by two processes, {entry}",
            "s",
            limit,
            two,
            "one process",
            one,
            None if few else faster,
            bound="at least",
            relative=True,
            note=note,
        )


def _spread(games: int, jobs: int) -> tuple[float, float]:
    """Return the seconds that these games take by so many processes, and the processor time of all."""
    from fsm.testing.fuzzing import fuzz

    began, before = perf_counter(), os.times()
    fuzz("magic", games, jobs=jobs)
    after = os.times()
    return perf_counter() - began, sum(after[:4]) - sum(before[:4])


def python(*arguments: str, own: Mapping[str, str] = MappingProxyType({})) -> str:
    """What a fresh Python prints that finds this very folder. `own` is set in its environment.
    Raises BenchError.
    """
    home = str(Path(__file__).resolve().parent.parent)
    path = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
    known = {**os.environ, "PYTHONPATH": path, **own}
    done = subprocess.run(
        [sys.executable, *arguments], env=known, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise BenchError(f"python {' '.join(arguments)} failed: {last}")
    return done.stdout
