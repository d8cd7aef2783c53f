"""The lines of a commercial client's log, and what their messages state about the turn.

Lines are read one at a time, up to a limited length. Only the JSON in a line counts; headers and
other text are ignored. A line that should state something and cannot be read raises DamagedLine,
which the caller counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fsm.compiled.quickinit import quick
from fsm.files import LINE_LIMIT, DamagedLine

_DECODER = json.JSONDecoder()
_OBJECT = re.compile(r'\{\s*"')
_NOTHING = ("", "Phase_None", "Step_None")


@quick
@dataclass(frozen=True, slots=True)
class Annotation:
    """An annotation: a turn begins, or with `codes` a phase or step. `seat` is the active player's."""

    seat: int
    codes: tuple[int, int] | None = None


@quick
@dataclass(frozen=True, slots=True)
class ClientMessage:
    """What one message states about the turn, in the client's words. None and "" mean that it
    states nothing.

    `starts` means that a game is about to start. `whole` means that it states everything, not only
    changes. `game` identifies the match and the game in it. `annotations` are in order and come
    before what the message states.
    """

    starts: bool
    whole: bool
    game: tuple[object, object]
    seats: tuple[int, ...]
    annotations: tuple[Annotation, ...]
    turn: int | None
    seat: int | None
    phase_word: str
    step_word: str


def read_line(line: str | bytes | None, limit: int = LINE_LIMIT) -> list[ClientMessage]:
    """Return the messages about the game in one line. Most lines have none. Raises DamagedLine."""
    if line is None or len(line) > limit:
        raise DamagedLine
    text = line.decode("utf-8", "replace") if isinstance(line, bytes) else line
    found = _OBJECT.search(text)
    if found is None:
        return []
    try:
        data, _ = _DECODER.raw_decode(text, found.start())
    except (ValueError, RecursionError):
        raise DamagedLine from None
    event = _dict(data, "greToClientEvent")
    messages = [
        _dict(message, "gameStateMessage") for message in _list(event, "greToClientMessages")
    ]
    return [_message(state) for state in messages if state]


def _message(state: dict[str, object]) -> ClientMessage:
    info, turn = _dict(state, "gameInfo"), _dict(state, "turnInfo")
    players, annotations = _list(state, "players"), _list(state, "annotations")
    seats = {_number(player, "systemSeatNumber") for player in players} if players else ()
    return ClientMessage(
        starts=info.get("stage") == "GameStage_Start",
        whole=state.get("type") == "GameStateType_Full",
        game=(info.get("matchID"), info.get("gameNumber")),
        seats=tuple(sorted([seat for seat in seats if seat])),
        annotations=tuple(
            [mark for annotation in annotations for mark in _annotations(annotation)]
        ),
        turn=_number(turn, "turnNumber"),
        seat=_number(turn, "activePlayer"),
        phase_word=_word(turn, "phase"),
        step_word=_word(turn, "step"),
    )


def _annotations(annotation: object) -> Iterator[Annotation]:
    kinds, ids = _list(annotation, "type"), _list(annotation, "affectedIds")
    seat = _whole(ids[0]) if ids else 0
    if "AnnotationType_NewTurnStarted" in kinds:
        yield Annotation(seat)
    if "AnnotationType_PhaseOrStepModified" in kinds and seat:
        codes = {
            _word(detail, "key"): _list(detail, "valueInt32")
            for detail in _list(annotation, "details")
        }
        yield Annotation(seat, (_first(codes.get("phase")), _first(codes.get("step"))))


def _first(values: list[object] | None) -> int:
    return _whole(values[0]) if values else 0


def _dict(data: object, key: str) -> dict[str, object]:
    value = data.get(key, {}) if isinstance(data, dict) else None
    if not isinstance(value, dict):
        raise DamagedLine
    return value


def _list(data: object, key: str) -> list[object]:
    value = data.get(key, []) if isinstance(data, dict) else None
    if not isinstance(value, list):
        raise DamagedLine
    return value


def _word(data: dict[str, object] | object, key: str) -> str:
    value = data.get(key, "") if isinstance(data, dict) else None
    if not isinstance(value, str):
        raise DamagedLine
    return "" if value in _NOTHING else value


def _number(data: dict[str, object] | object, key: str) -> int | None:
    value = data.get(key, 0) if isinstance(data, dict) else None
    return _whole(value) or None


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise DamagedLine
    return value
