"""A trace of this package as a recorded game. With its own model it is replayed; with any other it
is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from fsm.conformance.following import Conformance
from fsm.conformance.observations import Mismatch, Observation
from fsm.engine.records import Record
from fsm.engine.replay import begin_again, replayed
from fsm.engine.requests import Answer
from fsm.engine.snapshot import Saved
from fsm.engine.trace import GameHeader, Trace, read_entries
from fsm.errors import LogError, TraceError
from fsm.files import LINE_LIMIT, file_lines
from fsm.model import Model


class TraceLog:
    """A trace as a stream of observations: each turn, phase and step that begins in its records.

    Raises LogError if it cannot be opened or is no trace.

    Attributes
    ----------
    head
        The header.
    name
        The name of the trace in messages.
    entries
        Returns the answers and records, in order.
    count
        How many of them there are.
    players
        The players of the game, those of a team together.
    """

    def __init__(self, trace: Trace, *, name: str = "the trace") -> None:
        self.head, self.name = trace.head, name
        self.entries: Callable[[], Iterable[Answer | Record]] = lambda: trace.entries
        self.count = len(trace.entries)
        sides = _sides(trace.head)
        self.players = [", ".join(side) for side in sides]
        self.seats = {side[0]: seat for seat, side in enumerate(sides, 1)}
        self.read = self.skipped_lines = 0

    @classmethod
    def open(cls, path: str | Path) -> TraceLog:
        """Return the trace in this file. It is read once to find what is wrong with it, and again
        to follow it.
        """
        entries = _entries(Path(path))
        log = cls(Trace(next(entries)), name=str(path))
        log.count = sum(1 for _ in entries)
        log.entries = lambda: islice(_entries(Path(path)), 1, None)
        return log

    def is_of(self, model: Model) -> bool:
        """Say whether it is a whole run of this model, which can be replayed."""
        return self.head.snapshot is None and self.head.fingerprint == model.fingerprint

    def __iter__(self) -> Iterator[Observation]:
        self.read, self._shown = self.count + 1, False
        known, turn = set[int](), 0
        for line, record in enumerate(self.entries(), 2):
            if not isinstance(record, Record):
                continue
            if record.turn != turn:
                known.clear()
            if record.step and record.step_id and record.step_id not in known:
                known.add(record.step_id)  # a step that has waited is not new
                yield self._seen(line, record, record.phase, record.step)
            elif record.turn not in (0, turn):
                yield self._seen(line, record)
            turn = record.turn or turn

    def _seen(self, line: int, record: Record, phase: str = "", step: str = "") -> Observation:
        joined, self._shown = not self._shown and record.turn > 1, True
        return Observation(
            line=line,
            turn=record.turn,
            seat=self.seats.get(record.active, 0),
            phase=phase,
            step=step,
            level="step" if step else "turn",
            word=step or "a new turn",
            seats=tuple(self.seats.values()),
            joined=joined,
        )


def _sides(head: GameHeader) -> list[tuple[str, ...]]:
    """Return the players, those of a team together, in turn order."""
    if head.snapshot is not None:
        try:
            seats = msgspec.convert(head.snapshot, Saved).run.sides
            return [tuple(head.players[seat] for seat in side) for side in seats]
        except (msgspec.ValidationError, IndexError) as error:
            raise LogError(f"the trace begins with a damaged snapshot: {error}") from None
    of = {player: team for team in head.teams for player in team}
    return [*dict.fromkeys(of.get(player, (player,)) for player in head.players)]


class Replayer:
    """Follows a trace with the model that it was recorded with. It plays the trace again and
    compares every firing.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.result, self.game = model, Conformance(), 0

    def by_game(self, log: TraceLog) -> Iterator[tuple[int, Iterator[Record]]]:
        """Yield the one game of the trace, with its firings up to the first one that the replay
        refuses.
        """
        self.game = self.result.games = 1
        self.result.read = log.count + 1
        yield 1, self._replayed(log)

    def _replayed(self, log: TraceLog) -> Iterator[Record]:
        """Yield the records that the replay confirms. A game may stop anywhere, so an early end is
        not refused.
        """
        turns = set[int]()
        try:
            for entry in replayed(*begin_again(log.head, self.model), log.entries()):
                if isinstance(entry, Record):
                    turns |= {entry.turn} - {0}
                    self.result.turns = len(turns)
                    yield entry
        except TraceError as error:
            line = error.line or 1
            if line < log.count + 2:
                self.result.refusal = Mismatch(line, "", [], says=str(error))


def _entries(path: Path) -> Iterator[Any]:
    """Yield the header of a trace in a file, then its answers and records. Raises LogError."""
    try:
        yield from read_entries(_texts(path))
    except TraceError as error:
        raise LogError(f"{path}: {error}") from None


def _texts(path: Path) -> Iterator[str]:
    for number, line in enumerate(file_lines(path), 1):
        if line is None:
            raise TraceError(
                f"trace line {number}: it is longer than {LINE_LIMIT} bytes", line=number
            )
        try:
            yield line.decode("utf-8" if number > 1 else "utf-8-sig")
        except UnicodeDecodeError:
            raise TraceError(f"trace line {number}: it is not UTF-8", line=number) from None
