"""A game's turn as versioned plain JSON, at any point where the controller waits."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, get_args
from zlib import compress, crc32, decompressobj
from zlib import error as zlib_error

from fsm.engine.codec import writer_of
from fsm.engine.decoding import reader_of
from fsm.engine.starting import checked_start
from fsm.engine.trace import GameHeader
from fsm.errors import FsmError, SnapshotError, shown
from fsm.files import parse_json
from fsm.model import Model, State
from fsm.model.model import fingerprints, per_model
from fsm.state import agenda as _agenda
from fsm.state import calendar as _calendar
from fsm.state import entries as _entries
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.setup import StartAt, settings_of, sides_of

FORMAT = "fsm-snapshot-1"
LONGEST = 4_000_000
"""No snapshot in a token may be longer, in bytes. That of a usual game has 1,500."""
NAMES = ("model", "fingerprint", "behaviour", "parts")
"""What says with which model a snapshot was taken."""
_CLASSES = (
    *get_args(Order),
    StartAt,
    GameHeader,
    _agenda.Agenda,
    _entries.Occurrence,
    _entries.PendingTurn,
    _entries.PendingControl,
    _entries.PendingSkip,
    _entries.PendingExtra,
    _entries.Return,
    _entries.Candidate,
    _entries.Suspended,
    _calendar.Calendar,
    _calendar.LastingEntry,
    _calendar.DelayedEntry,
    _calendar.StandingEntry,
)
LEFT_OUT: Mapping[type, tuple[str, ...]] = {
    Run: ("model", "settings", "told"),
    GameHeader: ("model", "fingerprint", "format"),
    _agenda.Agenda: ("players", "teams"),
}
"""What is not written: it is in the head, or in the snapshot itself, or matters only while an
answer is taken.
"""
PARTS = (Run, *_CLASSES)
"""The classes that a snapshot is made of."""
_reader = reader_of(_CLASSES)
_read_run, _read_agenda = _reader.fields(Run), _reader.fields(_agenda.Agenda)
_read_head = _reader.fields(GameHeader)
_write_run = writer_of(Run, without=(*LEFT_OUT[Run], "agenda"))
_write_agenda = writer_of(_agenda.Agenda, without=LEFT_OUT[_agenda.Agenda])
_write_head = writer_of(GameHeader, without=LEFT_OUT[GameHeader])
Migrate = Callable[[dict[str, Any]], Mapping[str, Any]]
compact = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode
in_order = json.JSONEncoder(separators=(",", ":"), check_circular=False, sort_keys=True).encode


def packed(snapshot: Mapping[str, object]) -> str:
    """A snapshot as compact text: compressed, in the letters of URLs."""
    data = compress(compact(snapshot).encode())
    return urlsafe_b64encode(data).decode().rstrip("=")


def unpacked(text: str) -> object:
    """The snapshot of a compact text. Raises SnapshotError if it is none, or is too long."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        reader = decompressobj()
        data = reader.decompress(raw, LONGEST)
        if not reader.eof or reader.unused_data:
            raise ValueError("it is cut, or too long")
        snapshot = parse_json(data.decode())
        if not isinstance(snapshot, dict) or packed(snapshot) != text:
            raise ValueError("it has been changed")
        return snapshot
    except (ValueError, zlib_error) as error:
        json_text = "; read JSON with json.loads first" if text.lstrip().startswith("{") else ""
        raise SnapshotError(f"this is no token of a game: {error}{json_text}") from None


def dump(model: Model, run: Run, head: GameHeader) -> dict[str, object]:
    """The snapshot of a waiting run: plain JSON values, with a checksum over them."""
    names = {
        "model": model.name,
        "fingerprint": model.fingerprint,
        "behaviour": model.behaviour_fingerprint,
    }
    return _written({**names, "parts": _parts(model)}, run, head)


def _written(names: Mapping[str, object], run: Run, head: GameHeader) -> dict[str, object]:
    """The snapshot, with the names and fingerprints of the model it was taken with."""
    data: dict[str, object] = {"format": FORMAT, **names}
    data["head"] = _write_head(head)
    data["run"] = {**_write_run(run), "agenda": _write_agenda(run.agenda)}
    data["checksum"] = _checksum(data)
    return data


def load(model: Model, data: object, migrate: Migrate | None = None) -> tuple[Run, GameHeader]:
    """The run and head of a snapshot, which was taken with this model or with one that behaves the
    same.

    Raises SnapshotError saying what does not fit, and what of the model changed.
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
        raise SnapshotError(
            f'not a snapshot of this version: "format" must be {FORMAT!r}, not {found!r}'
        )
    other = model.behaviour_fingerprint != data.get("behaviour")
    if other and migrate is None:
        raise SnapshotError(
            f"the snapshot was taken with {data.get('model')} {data.get('fingerprint')}, "
            f"not with {model.name} {model.fingerprint}{_changed(model, data.get('parts'))}: "
            f"restore it with the model it was taken with, or give a function that migrates it"
        )
    if not _is_whole(data):
        raise SnapshotError(
            "the snapshot has been changed or cut since it was taken: its checksum does not fit"
        )
    return _run(model, data) if not other or migrate is None else _migrated(model, data, migrate)


@per_model
def _parts(model: Model) -> str:
    """The fingerprints of the model's parts as one short text."""
    return " ".join(fingerprints(model).values())


def _changed(model: Model, parts: object) -> str:
    """Which kinds of parts differ, when the snapshot tells."""
    known = fingerprints(model)
    if not isinstance(parts, str) or len(parts.split()) != len(known):
        return ""
    differ = [name for name, had in zip(known, parts.split(), strict=True) if known[name] != had]
    return (
        f" ({', '.join(differ)} differ)" if differ else " (only its name, title or options differ)"
    )


def _migrated(model: Model, data: Mapping[str, object], migrate: Migrate) -> tuple[Run, GameHeader]:
    """What a user's function made of it, read as if it had been taken with this model."""
    given = migrate(json.loads(json.dumps(data)))
    if not isinstance(given, Mapping):
        raise SnapshotError(
            f"the function that migrates must return the snapshot, not {type(given).__name__}"
        )
    return _run(model, given)


def _is_whole(data: Mapping[str, object]) -> bool:
    rest = dict(data)
    try:
        return rest.pop("checksum", None) == _checksum(rest)
    except (ValueError, TypeError, RecursionError):
        return False


def _run(model: Model, data: Mapping[str, Any]) -> tuple[Run, GameHeader]:
    try:
        head = _head(model, data)
        values = dict(data["run"])
        agenda = _agenda_of(values.pop("agenda"), head)
        values = _read_run(values)
        del values["is"]
        run = Run(model, agenda, settings=head.settings, **values)
        check_run(run)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, FsmError) as error:
        raise SnapshotError(f"the snapshot does not describe a game: {error}") from None
    return run, head


def check_run(run: Run) -> None:
    """Raise ValueError or FsmError if what was read of a run does not fit together, or the run does
    not wait.
    """
    _check_counts(run.agenda)
    _check_players(run)
    waiting = _waiting(run)
    if waiting.kind != "action" and (run.frame or waiting.kind != "final"):
        raise ValueError(f"{waiting.id!r} asks for nothing")
    if run.frame and not run.holder:
        raise ValueError("nobody has priority")


def _waiting(run: Run) -> State:
    """The state of turn or window that waits. Raises ValueError when it does not fit the rest."""
    state = run.model.state(run.state)
    if _is_nested(run) and not run.agenda.suspended:
        raise ValueError(
            f"{state.id!r} is in a phase inside another one, but no phase is suspended"
        )
    if not run.frame:
        return state
    if state.kind != "window" or run.model.window is None:
        raise ValueError(
            f"no window is open in {run.state!r}, so that the window's state cannot be {run.frame!r}"
        )
    return run.model.window.state(run.frame)


def _is_nested(run: Run) -> bool:
    """Is the current phase one inside another, which comes back when it is over? An added one, or
    an added step of it in another phase, does not.
    """
    here = run.agenda.current_phase
    inner = {s.name for s in run.model.of_kind("phase") if _inside_a_phase(run.model, s)}
    return here is not None and here.name in inner and not here.extra


def _inside_a_phase(model: Model, phase: State) -> bool:
    return any(above.kind == "phase" for above in model.path(phase.id)[1:])


def _head(model: Model, data: Mapping[str, Any]) -> GameHeader:
    """The head, with the settings in the model's order. A setting that the snapshot does not have
    has its default.
    """
    values = _read_head(data["head"])
    if values.pop("is") != "GameHeader":
        raise ValueError("its head is something else")
    head = GameHeader(model.name, model.fingerprint, **values)
    if head.start is not None:
        checked_start(model, head.start, head.players)
    return replace(
        head, settings=settings_of(model, sides_of(head.players, head.teams), head.settings)
    )


def _agenda_of(data: object, head: GameHeader) -> _agenda.Agenda:
    if not isinstance(data, Mapping) or data.get("is") != "Agenda":
        raise ValueError(
            f"Run.agenda cannot be {data.get('is') if isinstance(data, Mapping) else shown(data)}"
        )
    values = _read_agenda(data)
    del values["is"]
    return _agenda.Agenda(head.players, head.teams, **values)


def _check_counts(agenda: _agenda.Agenda) -> None:
    for name, count in (("turn", agenda.turn), ("occurrences", agenda.occurrences)):
        if count < 0:
            raise ValueError(f"Agenda.{name} cannot be {count}")
    for name, counts in (("turns_taken", agenda.turns_taken), ("own_turns", agenda.own_turns)):
        if counts and (len(counts) != len(agenda.sides) or min(counts) < 0):
            raise ValueError(f"Agenda.{name} cannot be {list(counts)}")


def _check_players(run: Run) -> None:
    agenda = run.agenda
    players, sides = set(agenda.players), {side[0] for side in agenda.sides}
    nobody = {""}
    perhaps = {agenda.active, agenda.natural, agenda.candidate_turn, run.holder} - nobody
    if (
        not sides.issuperset((*perhaps, *run.passed, *(side for _, side in agenda.appointed)))
        or not players.issuperset(agenda.left)
        or agenda.decider not in (players if agenda.active else players | nobody)
    ):
        raise ValueError("it names players who are not in its game")


def _checksum(data: dict[str, object]) -> str:
    """Of the text with sorted keys, since databases keep them in another order."""
    return f"{crc32(in_order(data).encode()):08x}"
