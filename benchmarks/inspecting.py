"""The bars of the inspector: an answer of a game that is inspected, with no page open and with one.

Another process opens the page, and reads what it is told. The threads of the server count: the time
is that of this process.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from time import process_time

from benchmarks.games import RULESET, strangers
from benchmarks.recording import GIVEN
from benchmarks.results import Effort, Result
from benchmarks.timing import interleave, middle, ratio
from fsm import rulesets
from fsm.engine.controller import TurnController
from fsm.model import Model
from fsm.views.inspector import inspect

Opened = Callable[[TurnController], AbstractContextManager[object]]

READER = """
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1] + "events") as stream:
    print(stream.readline()[:0], flush=True)
    while stream.read1(65536):
        pass
"""
LIMITS = {"no page is open": 1.02, "a page is open": 1.3}
ANSWERS = 20_000_000
"""So many in a second of effort: the server is asked ten times a second, so a round must be long."""


def inspecting(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """An answer of a game that is inspected, in times of one that is not."""
    model, answers = rulesets.load(RULESET), round(ANSWERS * effort.seconds)
    opened: dict[str, Opened] = {"plain": lambda game: nullcontext(), "no page is open": inspect}
    opened["a page is open"] = _with_page
    calls = {name: partial(_played, model, answers, around) for name, around in opened.items()}
    samples = interleave(calls, effort.rounds, 0, process_time)
    reference = middle(samples, "plain") / answers * 1e6
    for entry, limit in LIMITS.items():
        each, times = middle(samples, entry) / answers * 1e6, ratio(samples, entry, "plain")
        yield Result(
            bars[0], entry, "us", limit, each, "not inspected", reference, times, relative=True
        )


@contextmanager
def _with_page(game: TurnController) -> Iterator[None]:
    with inspect(game) as inspector:
        command = [sys.executable, "-c", READER, inspector.address]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as reader:
            assert reader.stdout is not None
            reader.stdout.readline()
            try:
                yield
            finally:
                reader.kill()


def _played(model: Model, answers: int, around: Opened) -> None:
    """Play a quiet game of players whom nobody has seen before."""
    game = TurnController(model, strangers())
    with around(game):
        request = game.request
        for _ in range(answers):
            request = game.answer(GIVEN[request.__class__])
