"""The lines of a commercial client's log, and what the messages in them say of the turn.

One line at a time, of bounded length. A line matters by its JSON alone: headers and other text around
it mean nothing. A line that should tell something and does not is Damaged; it is for the caller to count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from fsm.errors import LogError
from fsm.inputfiles import regular

LINE_LIMIT = 8 * 1024 * 1024
_OBJECT = re.compile(r'\{\s*"')
_NOTHING = ("", "Phase_None", "Step_None")


class Damaged(Exception):
    """A line that cannot be read, though it should tell something."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An annotation: a turn begins (`codes` None), or a phase or step does. `seat`: the active player's."""

    seat: int
    codes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """What one message says of the turn, in the client's words; None and "" where it says nothing.

    `starts`: a game is about to start. `whole`: it states all there is, not what changed. `game` identifies the
    match and the game in it. `marks` are the annotations, in order, which come before what it states.
    """

    starts: bool
    whole: bool
    game: tuple[object, object]
    seats: tuple[int, ...]
    marks: tuple[Mark, ...]
    turn: int | None
    seat: int | None
    phase_word: str
    step_word: str


def file_lines(path: Path, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """The lines of a file, None for those longer than `limit`. Raises LogError when it cannot be read."""
    try:
        with open(path, "rb", opener=regular) as stream:
            yield from bounded_lines(stream, limit)
    except OSError as error:
        raise LogError(f"{path}: cannot be read ({error.strerror}); name a recorded game") from None


def bounded_lines(stream: BinaryIO, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """The lines of a binary stream; None for each longer than `limit` bytes, which is never held."""
    while line := stream.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)
        yield None


def read_line(line: str | bytes | None, limit: int = LINE_LIMIT) -> list[Message]:
    """The messages about the game in one line; most lines have none. Raises Damaged."""
    if line is None or len(line) > limit:
        raise Damaged
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    found = _OBJECT.search(text)
    if found is None:
        return []
    try:
        data, _ = json.JSONDecoder().raw_decode(text, found.start())
    except (ValueError, RecursionError):
        raise Damaged from None
    event = _dict(data, "greToClientEvent")
    told = [_dict(message, "gameStateMessage") for message in _list(event, "greToClientMessages")]
    return [_message(state) for state in told if state]


def _message(state: dict[str, object]) -> Message:
    info, turn = _dict(state, "gameInfo"), _dict(state, "turnInfo")
    seats = (_number(player, "systemSeatNumber") for player in _list(state, "players"))
    return Message(
        starts=info.get("stage") == "GameStage_Start",
        whole=state.get("type") == "GameStateType_Full",
        game=(info.get("matchID"), info.get("gameNumber")),
        seats=tuple(sorted({seat for seat in seats if seat})),
        marks=tuple(mark for annotation in _list(state, "annotations") for mark in _marks(annotation)),
        turn=_number(turn, "turnNumber"),
        seat=_number(turn, "activePlayer"),
        phase_word=_word(turn, "phase"),
        step_word=_word(turn, "step"),
    )


def _marks(annotation: object) -> Iterator[Mark]:
    kinds, ids = _list(annotation, "type"), _list(annotation, "affectedIds")
    seat = _whole(ids[0]) if ids else 0
    if "AnnotationType_NewTurnStarted" in kinds:
        yield Mark(seat)
    if "AnnotationType_PhaseOrStepModified" in kinds and seat:
        codes = {_word(detail, "key"): _list(detail, "valueInt32") for detail in _list(annotation, "details")}
        yield Mark(seat, (_first(codes.get("phase")), _first(codes.get("step"))))


def _first(values: list[object] | None) -> int:
    return _whole(values[0]) if values else 0


def _dict(data: object, key: str) -> dict[str, object]:
    value = data.get(key, {}) if isinstance(data, dict) else None
    if not isinstance(value, dict):
        raise Damaged
    return value


def _list(data: object, key: str) -> list[object]:
    value = data.get(key, []) if isinstance(data, dict) else None
    if not isinstance(value, list):
        raise Damaged
    return value


def _word(data: dict[str, object] | object, key: str) -> str:
    value = data.get(key, "") if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise Damaged
    return "" if value in _NOTHING else value


def _number(data: dict[str, object] | object, key: str) -> int | None:
    value = data.get(key, 0) if isinstance(data, dict) else None
    return _whole(value) or None


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise Damaged
    return value
