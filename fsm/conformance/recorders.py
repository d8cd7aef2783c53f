"""Who recorded a game, and the log that reads it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

from fsm.conformance.clientlogs import ArenaLog
from fsm.conformance.rows import RowLog, RowNames
from fsm.conformance.traces import TraceLog
from fsm.files import file_lines, parse_json
from fsm.model import Model

RecordedLog: TypeAlias = ArenaLog | RowLog | TraceLog
Recorder = Literal["client", "rows", "trace"]
LINES_EXAMINED = 1000
"""At most this many lines are read to detect the recorder."""
ROW_FIELDS = frozenset({"turn", "player", "phase", "step"})


def open_recording(path: str | Path, model: Model, names: RowNames | None = None) -> RecordedLog:
    """Return the recording in this file. With `names`, it has rows. Raises LogError, also during
    iteration.
    """
    recorder = "rows" if names is not None else recorder_of(path)
    if recorder == "trace":
        return TraceLog.open(path)
    return RowLog.open(path, model, names) if recorder == "rows" else ArenaLog.open(path)


def recorder_of(path: str | Path) -> Recorder:
    """Detect who recorded it, by the first line that shows it. The default is the client. Raises
    LogError.
    """
    for line in islice(file_lines(Path(path)), LINES_EXAMINED):
        found = _recorder(line) if line is not None else None
        if found is not None:
            return found
    return "client"


def _recorder(line: bytes) -> Recorder | None:
    text = line.decode("utf-8-sig", "replace").strip()
    if not text.startswith("{"):
        return None
    try:
        data = parse_json(text)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    if "greToClientEvent" in data:
        return "client"
    if data.get("is") == "GameHeader":
        return "trace"
    rows = len(ROW_FIELDS & data.keys()) >= 2 or isinstance(data.get("players"), list)
    return "rows" if rows else None
