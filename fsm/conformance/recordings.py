"""Opens a recorded game, whoever has recorded it. A trace of this package is replayed by its own
model, and followed by any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from fsm.conformance.clientlogs import ArenaLog
from fsm.conformance.following import Conformance, Follower
from fsm.conformance.rows import Mismatch, Observation, Recording, RowLog, RowNames
from fsm.engine.records import Record
from fsm.engine.replay import begin_again, replayed
from fsm.engine.snapshot import Saved
from fsm.engine.trace import GameHeader, Trace
from fsm.errors import LogError, TraceError
from fsm.files import LINE_LIMIT, file_lines, parse_json
from fsm.model import Model

LINES_EXAMINED = 1000
"""At most this many lines are read to detect the recorder."""
ROW_FIELDS = frozenset({"turn", "player", "phase", "step"})


def open_recording(path: str | Path, model: Model, names: RowNames | None = None) -> Recording:
    """Return the recording in this file. With `names`, it has rows. Else the first line that shows
    the recorder decides, and the default is the client.

    Raises LogError, also during iteration.
    """
    if names is not None:
        return RowLog(path, model, names)
    for line in islice(file_lines(Path(path)), LINES_EXAMINED):
        data = _object(line or b"")
        if "greToClientEvent" in data:
            break
        if data.get("is") == "GameHeader":
            return TraceLog(path)
        if len(ROW_FIELDS & data.keys()) >= 2 or isinstance(data.get("players"), list):
            return RowLog(path, model)
    return ArenaLog(path)


def _object(line: bytes) -> dict[str, Any]:
    """Return the object in a line, which is empty if there is none."""
    text = line.decode("utf-8-sig", "replace").strip()
    try:
        found: dict[str, Any] = parse_json(text) if text.startswith("{") else {}
    except ValueError:
        return {}
    return found


class TraceLog(Recording):
    """A trace as a stream of observations: each turn, phase and step that begins in its records.

    Raises LogError if it cannot be read or is no trace.

    Attributes
    ----------
    trace
        The trace.
    players
        The players of the game, those of a team together.
    """

    def __init__(self, path: str | Path) -> None:
        self.name = str(path)
        try:
            self.trace = Trace.read(_texts(Path(path)))
        except TraceError as error:
            raise LogError(f"{path}: {error}") from None
        self.read = len(self.trace.entries) + 1
        sides = _sides(self.trace.head)
        self.players = [", ".join(side) for side in sides]
        self.seats = {side[0]: seat for seat, side in enumerate(sides, 1)}

    def is_of(self, model: Model) -> bool:
        """Say whether it is a whole run of this model, which can be replayed."""
        head = self.trace.head
        return head.snapshot is None and head.fingerprint == model.fingerprint

    def __iter__(self) -> Iterator[Observation]:
        known, turn, shown = {0}, 0, False
        for line, record in enumerate(self.trace.entries, 2):
            if not isinstance(record, Record):
                continue
            if record.turn != turn:
                known = {0}
            step = record.step_id if record.step else 0
            begins = step not in known  # a step that has waited is not new
            if begins or record.turn not in (0, turn):
                known.add(step)
                yield self._seen(line, record, begins, joined=not shown and record.turn > 1)
                shown = True
            turn = record.turn or turn

    def _seen(self, line: int, record: Record, is_step: bool, *, joined: bool) -> Observation:
        return Observation(
            line=line,
            turn=record.turn,
            seat=self.seats.get(record.active, 0),
            phase=record.phase if is_step else "",
            step=record.step if is_step else "",
            level="step" if is_step else "turn",
            word=record.step if is_step else "a new turn",
            seats=tuple(self.seats.values()),
            joined=joined,
        )


def _texts(path: Path) -> Iterator[str]:
    for number, line in enumerate(file_lines(path), 1):
        if line is None:
            raise TraceError(f"trace line {number}: it is longer than {LINE_LIMIT} bytes")
        try:
            yield line.decode("utf-8" if number > 1 else "utf-8-sig")
        except UnicodeDecodeError:
            raise TraceError(f"trace line {number}: it is not UTF-8") from None


def _sides(head: GameHeader) -> list[tuple[str, ...]]:
    """Return the players, those of a team together, in turn order."""
    if head.snapshot is not None:
        try:
            seats = msgspec.convert(head.snapshot, Saved).run.sides
            return [tuple(map(head.players.__getitem__, side)) for side in seats]
        except (msgspec.ValidationError, IndexError) as error:
            raise LogError(f"the trace begins with a damaged snapshot: {error}") from None
    sides = list[tuple[str, ...]]()
    for player in head.players:
        side = next((team for team in head.teams if player in team), (player,))
        if side not in sides:
            sides.append(side)
    return sides


def followed(log: Recording, follower: Follower) -> Iterator[tuple[int, Record]]:
    """Yield the firings of a recording, each with the number of its game, up to the first refusal.
    A trace is replayed if it is of the follower's model.
    """
    if isinstance(log, TraceLog) and log.is_of(follower.model):
        return _replayed(log, follower.model, follower.result)
    return follower.follow(log)


def _replayed(log: TraceLog, model: Model, result: Conformance) -> Iterator[tuple[int, Record]]:
    """Play a trace again with the model that it was recorded with. A game may stop anywhere, so an
    early end is not refused.
    """
    result.games, result.read, turns = 1, log.read, set[int]()
    trace = log.trace
    try:
        for entry in replayed(begin_again(trace.head, model), trace.entries):
            if isinstance(entry, Record):
                turns |= {entry.turn} - {0}
                result.turns = len(turns)
                yield 1, entry
    except TraceError as error:
        line = error.line or 1
        if line <= log.read:
            result.refusal = Mismatch(line, "", [], says=str(error))
