"""The bars of what records: watching and tracing a game, coverage of a game and of a plain machine.

Each is held against the same without recording, in processor time. A collection of coverage writes
to a file, as the pytest plugin does; that it begins and ends is counted.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import process_time

from transitions import Machine

from benchmarks.games import RULESET, strangers
from benchmarks.hosts import CHECKED, DONE, PASSED, PERFORMED
from benchmarks.results import Effort, Result
from benchmarks.timing import interleave, middle, ratio
from fsm import rulesets
from fsm.coverage.instrumentation import collecting
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, CheckState, Perform, PlaceTriggers, Priority, Resolve
from fsm.engine.trace import Record
from fsm.model import Model

ANSWERS, EVENTS = 26_500, 10_000
"""How many answers a game takes here, which are five hundred turns, and how many events a machine."""
GIVEN: dict[type, Answer] = {
    Perform: PERFORMED,
    Priority: PASSED,
    CheckState: CHECKED,
    PlaceTriggers: DONE,
    Resolve: DONE,
}


def watching(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """An answer of a game that is watched."""
    calls: dict[str, Callable[[TurnController], object]] = {
        "watch_answers, and no record is read": lambda game: game.watch_answers(
            lambda answered: None
        ),
        "watch: each record is made": lambda game: game.watch(_ignore),
    }
    yield from _beside_plain(
        bars[0],
        1.3,
        {entry: partial(_played, before=call) for entry, call in calls.items()},
        effort,
    )


def tracing(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """An answer of a game whose trace is asked for at its end."""
    calls: dict[str, Callable[[TurnController], object]] = {
        "controller.trace, and nothing is read": lambda game: game.trace,
        "the same, and all records are read": lambda game: game.trace.entries,
    }
    yield from _beside_plain(
        bars[0], 1.3, {entry: partial(_played, after=call) for entry, call in calls.items()}, effort
    )


def coverage(bars: Sequence[str], effort: Effort) -> Iterator[Result]:
    """An answer of a game, and an event of a plain machine, while coverage is collected."""
    with tempfile.TemporaryDirectory() as folder:
        if "coverage-game" in bars:
            calls = {"coverage of a game": partial(_covered, folder, _played)}
            yield from _beside_plain("coverage-game", 2.5, calls, effort)
        if "coverage-machine" in bars:
            machine = partial(_covered, folder, _fired)
            yield _beside(
                "coverage-machine", "coverage of a machine", 1.4, machine, _fired, EVENTS, effort
            )


def _beside_plain(
    bar: str, limit: float, calls: Mapping[str, Callable[[Model], object]], effort: Effort
) -> Iterator[Result]:
    model = rulesets.load(RULESET)
    for entry, call in calls.items():
        yield _beside(
            bar, entry, limit, partial(call, model), partial(_played, model), ANSWERS, effort
        )


def _beside(  # noqa: PLR0913 - a row of the table
    bar: str,
    entry: str,
    limit: float,
    ours: Callable[[], object],
    plain: Callable[[], object],
    count: int,
    effort: Effort,
) -> Result:
    """How long each of so many answers or events takes, in times of a plain one."""
    samples = interleave(
        {"ours": ours, "plain": plain}, effort.rounds, effort.seconds, process_time
    )
    each, reference = (middle(samples, name) / count * 1e6 for name in ("ours", "plain"))
    times = ratio(samples, "ours", "plain")
    return Result(bar, entry, "us", limit, each, "unrecorded", reference, times, relative=True)


def _played(
    model: Model,
    before: Callable[[TurnController], object] | None = None,
    after: Callable[[TurnController], object] | None = None,
) -> None:
    """Play a quiet game of players whom nobody has seen before."""
    game = TurnController(model, strangers())
    if before is not None:
        before(game)
    request = game.request
    for _ in range(ANSWERS):
        request = game.answer(GIVEN[request.__class__])
    if after is not None:
        after(game)


def _fired() -> None:
    machine = Machine(
        states=["solid", "liquid", "gas"],
        initial="solid",
        ordered_transitions=True,
        auto_transitions=False,
    )
    for _ in range(EVENTS):
        machine.next_state()


def _covered(folder: str, call: Callable[..., object], *arguments: object) -> None:
    with collecting(folder):
        call(*arguments)


def _ignore(record: Record) -> None:
    """Do nothing with a record, so that only making and telling it is measured."""
