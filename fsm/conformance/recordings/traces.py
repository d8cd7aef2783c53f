"""A trace of this package as a recorded game. With its own model it is replayed; with any other it is followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from fsm.conformance.following import Conformance
from fsm.conformance.observations import Level, Observation
from fsm.coverage.logs.mismatch import Mismatch
from fsm.engine.replay import replay
from fsm.engine.trace import Record, Trace
from fsm.errors import LogError, TraceError
from fsm.inputfiles import regular
from fsm.model import Model
from fsm.state.setup import sides_of


class TraceLog:
    """A trace as a stream of observations: each turn, phase and step that begins in its records.

    Raises LogError if it cannot be opened or is no trace.
    """

    def __init__(self, trace: Trace, *, name: str = "the trace") -> None:
        self.trace, self.name = trace, name
        sides = sides_of(trace.head.players, trace.head.teams)
        self.players = [", ".join(side) for side in sides]
        self.seats = {side[0]: seat for seat, side in enumerate(sides, 1)}
        self.read = self.skipped_lines = 0

    @classmethod
    def open(cls, path: str | Path) -> TraceLog:
        """Return the trace in this file."""
        try:
            with open(path, encoding="utf-8-sig", opener=regular) as file:
                return cls(Trace.read(file), name=str(path))
        except OSError as error:
            raise LogError(f"{path}: cannot be read ({error.strerror}); name a trace") from None
        except (TraceError, UnicodeDecodeError) as error:
            raise LogError(f"{path}: {error}") from None

    def is_of(self, model: Model) -> bool:
        """Say whether it is a whole run of this model, which can be replayed."""
        return self.trace.complete and self.trace.head.fingerprint == model.fingerprint

    def __iter__(self) -> Iterator[Observation]:
        self.read, shown = len(self.trace.entries) + 1, False
        known, turn = set[int](), 0
        for line, record in enumerate(self.trace.entries, 2):
            if not isinstance(record, Record):
                continue
            if record.step and record.step_id and record.step_id not in known:  # a step that has waited is not new
                known.add(record.step_id)
                yield self._completed(line, record, record.phase, record.step, joined=not shown and record.turn > 1)
                shown = True
            elif record.turn not in (0, turn):
                yield self._completed(line, record, joined=not shown and record.turn > 1)
                shown = True
            turn = record.turn or turn

    def _completed(self, line: int, record: Record, phase: str = "", step: str = "", *, joined: bool) -> Observation:
        seat, seats, word = self.seats.get(record.active, 0), tuple(self.seats.values()), step or "a new turn"
        level: Level = "step" if step else "turn"
        return Observation(line, record.turn, seat, phase, step, level, word=word, seats=seats, joined=joined)


class Replayer:
    """Follows a trace with the model that it was recorded with. It plays the trace again and compares every firing."""

    def __init__(self, model: Model) -> None:
        self.model, self.result, self.game = model, Conformance(), 0

    def by_game(self, log: TraceLog) -> Iterator[tuple[int, Iterator[Record]]]:
        """Yield the one game of the trace, with its firings up to the first one that the replay refuses."""
        trace, self.game = log.trace, 1
        refusal = self.result.refusal = self._refusal(trace)
        sound = trace.entries[: refusal.line - 2] if refusal is not None else trace.entries
        records = [entry for entry in sound if isinstance(entry, Record)]
        turns = len({record.turn for record in records if record.turn})
        self.result.games, self.result.turns, self.result.read = 1, turns, len(trace.entries) + 1
        yield 1, iter(records)

    def _refusal(self, trace: Trace) -> Mismatch | None:
        """Return the first line that the replay refuses. A game may stop anywhere, so an early end is no refusal."""
        try:
            replay(trace, self.model)
        except TraceError as error:
            line = error.line or 1
            return Mismatch(line, "", [], says=str(error)) if line < len(trace.entries) + 2 else None
        return None
