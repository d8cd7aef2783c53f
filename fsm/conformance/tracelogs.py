"""Traces as logs. A trace is replayed by the model with which it was recorded, and another model
follows its steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fsm.conformance.rows import Log, Row
from fsm.engine.records import Record
from fsm.engine.replay import begin_again, replayed
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import LogError, TraceError
from fsm.files import file_lines
from fsm.model import Model


def read_trace(path: Path) -> Trace:
    """Read a trace. Raises LogError if it cannot be read or is none."""
    try:
        return Trace.read(_texts(path))
    except TraceError as error:
        raise LogError(f"{path}: {error}") from None


def _texts(path: Path) -> Iterator[str]:
    for number, line in enumerate(file_lines(path), 1):
        if line is None:
            raise TraceError(f"trace line {number}: it is too long")
        try:
            yield line.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise TraceError(f"trace line {number}: it is not UTF-8") from None


def trace_rows(log: Log, trace: Trace) -> Iterator[Row]:
    """Yield each step that begins in a trace. Raises LogError if it begins with a snapshot."""
    head = trace.head
    if head.snapshot is not None:
        text = "the trace begins with a snapshot, which only the model of its game understands"
        raise LogError(f"{log.path}: {text}: name that ruleset, {head.model}")
    game = log.game
    sides = sides_of(head)
    seats = {player: seat for seat, side in enumerate(sides, 1) for player in side}
    game.seats = len(sides)
    known = set[int]()
    for log.read, record in enumerate(trace.entries, 2):
        if isinstance(record, Record) and record.step:
            if record.turn != game.turn:
                known = set()
            game.turn, game.seat = record.turn, seats.get(record.active, 0)
            if record.step_id not in known:  # a step that has waited is not new
                known.add(record.step_id)
                yield log.row(record.step, record.step)


def sides_of(head: GameHeader) -> list[tuple[str, ...]]:
    """Return the players, those of a team together, in turn order."""
    found = dict[tuple[str, ...], None]()
    for player in head.players:
        found[next((team for team in head.teams if player in team), (player,))] = None
    return [*found]


def replay(trace: Trace, model: Model) -> Iterator[Record]:
    """Play a trace again, and yield what fires. Raises TraceError where something else happens. A
    game may stop anywhere, so an early end is not refused.
    """
    try:
        for entry in replayed(begin_again(trace.head, model), trace.entries):
            if isinstance(entry, Record):
                yield entry
    except TraceError as error:
        if (error.line or 1) <= len(trace.entries) + 1:
            raise
