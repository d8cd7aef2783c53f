"""A game's turn as versioned plain JSON, at any point where the controller waits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from hashlib import sha256
from typing import Any, get_args

from fsm import agenda as _agenda
from fsm import calendar as _calendar
from fsm.codec import check_fields, decode, encode
from fsm.errors import ModelError, SnapshotError
from fsm.model import Model
from fsm.orders import Order
from fsm.run import Run
from fsm.trace import Head

FORMAT = "fsm-snapshot-1"
_CLASSES = (
    *get_args(Order),
    Head,
    _agenda.Agenda,
    _agenda.Occurrence,
    _agenda.PendingTurn,
    _agenda.PendingControl,
    _agenda.PendingSkip,
    _agenda.PendingExtra,
    _agenda.Return,
    _agenda.Candidate,
    _agenda.Suspended,
    _calendar.Calendar,
    _calendar.LastingEntry,
    _calendar.DelayedEntry,
    _calendar.StandingEntry,
)
_RUN = tuple(f.name for f in fields(Run) if f.name not in ("model", "told"))


def dump(model: Model, run: Run, head: Head) -> dict[str, object]:
    """The snapshot of a waiting run: plain JSON values, with a checksum over them."""
    data: dict[str, object] = {"format": FORMAT, "model": model.name, "fingerprint": model.fingerprint}
    data["head"] = encode(head)
    data["run"] = {name: encode(getattr(run, name)) for name in _RUN}
    return {**data, "checksum": _checksum(data)}


def load(model: Model, data: object) -> tuple[Run, Head]:
    """The run and head of a snapshot. Raises SnapshotError saying what does not fit."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
        raise SnapshotError(f'not a snapshot of this version: "format" must be {FORMAT!r}, not {found!r}')
    if data.get("fingerprint") != model.fingerprint:
        raise SnapshotError(
            f"the snapshot was taken with {data.get('model')} {data.get('fingerprint')}, "
            f"not with {model.name} {model.fingerprint}: restore it with the model it was taken with"
        )
    if not _is_whole(data):
        raise SnapshotError("the snapshot has been changed or cut since it was taken: its checksum does not fit")
    return _run(model, data)


def _is_whole(data: Mapping[str, object]) -> bool:
    try:
        return data.get("checksum") == _checksum({k: v for k, v in data.items() if k != "checksum"})
    except (ValueError, TypeError, RecursionError):
        return False


def _run(model: Model, data: Mapping[str, Any]) -> tuple[Run, Head]:
    try:
        values: dict[str, Any] = {k: decode(v, _CLASSES) for k, v in data["run"].items()}
        head = decode(data["head"], _CLASSES)
        values["latched"] = frozenset(values["latched"])
        check_fields(Run, values)
        run = Run(model, **values)
        _check_players(run, head)
        waiting = [model.state(run.state)]
        if run.frame and model.window is not None:
            waiting.append(model.window.state(run.frame))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError, ModelError) as error:
        raise SnapshotError(f"the snapshot does not describe a game: {error}") from None
    if not isinstance(head, Head) or waiting[-1].kind not in ("action", "final"):
        raise SnapshotError(f"the snapshot does not describe a waiting game: {waiting[-1].id!r} asks for nothing")
    return run, head


def _check_players(run: Run, head: Head) -> None:
    agenda = run.agenda
    players, sides = {p for side in agenda.sides for p in side}, {side[0] for side in agenda.sides}
    named = {agenda.active, agenda.natural, agenda.candidate_turn, run.holder, *run.passed} - {""}
    if players != set(head.players) or not named <= sides or not players.issuperset(agenda.left):
        raise ValueError("it names players who are not in its game")


def _checksum(data: Mapping[str, object]) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()[:16]
