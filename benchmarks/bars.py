"""The bars by name, and how to run some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from benchmarks import dispatch, games, growth, inspecting, logs, picture, processes, recording
from benchmarks.results import BenchError, Effort, Result
from fsm.errors import suggest


@dataclass(frozen=True, slots=True)
class Group:
    """Bars that are measured together."""

    bars: tuple[str, ...]
    run: Callable[[Sequence[str], Effort], Iterator[Result]]


GROUPS = (
    Group(tuple(dispatch.REFERENCES), dispatch.dispatch),
    Group(("turn",), games.turn),
    Group(("memory",), processes.memory),
    Group(("start",), games.start),
    Group(("first",), processes.first),
    Group(("import",), processes.importing),
    Group(("jobs",), processes.jobs),
    Group(("draw",), picture.draw),
    Group(("conform",), logs.conform),
    Group(("snapshot-time", "snapshot-size"), games.snapshot),
    Group(("stateless-size", "stateless-time"), games.stateless),
    Group(("fork",), games.fork),
    Group(("watch",), recording.watching),
    Group(("trace",), recording.tracing),
    Group(("inspect",), inspecting.inspecting),
    Group(("coverage-game", "coverage-machine"), recording.coverage),
)
GROWTH = Group(growth.BARS, growth.growth)
"""Measured only if it is asked for: it takes minutes."""
BARS = tuple(bar for group in GROUPS for bar in group.bars)


def chosen(names: Sequence[str]) -> tuple[str, ...]:
    """The bars with these names, or whose names begin with one and a hyphen; all when there are no
    names.

    Raises BenchError for a name that is none.
    """
    known = {*BARS, *(bar.split("-")[0] for bar in BARS)}
    for name in names:
        if name not in known:
            raise BenchError(f"there is no bar {name!r}{suggest(name, known)}")
    return tuple(bar for bar in BARS if not names or bar in names or bar.split("-")[0] in names)


def run(
    bars: Sequence[str], effort: Effort, *, telling: Callable[[str], None] = lambda _: None
) -> Iterator[Result]:
    """Measure these bars, one group after another; `telling` hears which group comes next."""
    for group in (*GROUPS, GROWTH):
        wanted = [bar for bar in group.bars if bar in bars]
        if wanted:
            telling(wanted[0].split("-")[0])
            yield from group.run(wanted, effort)
