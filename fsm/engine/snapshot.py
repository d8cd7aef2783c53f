"""Games as plain JSON values, and as compact text: saved at any request, and restored.

A game has one text only: what it would not write itself is refused.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Container, Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fsm.engine.automaton import NO_NEWS, Automaton, News, Node, by
from fsm.engine.semantics import Semantics
from fsm.errors import FsmError, SnapshotError, shown
from fsm.files import parse_json
from fsm.model import Model
from fsm.model.model import fingerprints, per_model
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.run import NOBODY, Run
from fsm.state.setup import checked_players

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController

FORMAT: Literal["fsm-game-3"] = "fsm-game-3"
LONGEST = 4_000_000
"""No token, and no snapshot in one, may be longer, in bytes. That of a usual game has 1,500."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
Migrate: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]
Restored: TypeAlias = tuple[tuple[str, ...], tuple[Node, int, int, Calendar, News]]
"""The players of a game, and where it stands."""
_WRONG = (ValueError, TypeError, OverflowError, LookupError, RecursionError, FsmError)


class Saved(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A game as it is written, but for the checksum.

    Attributes
    ----------
    format
        The version of what is written.
    model, fingerprint, behaviour, parts
        The name and the fingerprints of the model with which the game was saved.
    players
        The names of the players in seat order.
    turn, number
        The number of the turn, and that of the request.
    run, calendar
        What the game remembers.
    news
        What the request tells: what has expired, what has triggered, and what became of orders.
    """

    format: Literal["fsm-game-3"]
    model: str
    fingerprint: str
    behaviour: str
    parts: str
    players: tuple[str, ...]
    turn: Count
    number: Count
    run: Run
    calendar: Calendar = NO_ENTRIES
    news: News = NO_NEWS


_text_of = msgspec.json.Encoder(order="sorted").encode
_saved_from = msgspec.json.Decoder(Saved).decode


def dump(game: TurnController) -> dict[str, Any]:
    """Return a game as plain JSON values, with a checksum over them."""
    request, model = game.request, game.model
    saved = Saved(
        FORMAT,
        model.name,
        model.fingerprint,
        model.behaviour_fingerprint,
        _parts(model),
        game.players,
        game.turn,
        game.number,
        game.run,
        game.calendar,
        (request.expired, request.triggered, request.orders),
    )
    return _signed(_written(saved))


def _written(saved: Saved) -> bytes:
    """Return the one text of a game."""
    if not any(saved.news):
        saved.news = NO_NEWS  # which is not written
    return _text_of(_without_empty(msgspec.to_builtins(saved, order="sorted")))


def _without_empty(value: Any) -> Any:
    """Leave out empty parts. Those that are defaults, but not the very same object, are written."""
    if isinstance(value, list | tuple):
        return [_without_empty(one) for one in value]
    if not isinstance(value, dict):
        return value
    parts = {key: _without_empty(part) for key, part in value.items()}
    return {key: part for key, part in parts.items() if part not in ({}, [])}


def load(automaton: Automaton, data: object, migrate: Migrate | None = None) -> Restored:
    """Return the players of a saved game, and where it stands.

    Raises SnapshotError if the data is damaged, or of another model.
    """
    model, given = automaton.model, _given(data)
    checksum = given.pop("checksum", None)
    other = given.get("behaviour") != model.behaviour_fingerprint
    if other and migrate is None:
        raise SnapshotError(
            f"the snapshot was taken with {shown(given.get('model'))} "
            f"{shown(given.get('fingerprint'))}, not with {model.name} {model.fingerprint}"
            f"{_changed(model, given.get('parts'))}: restore it with the model it was taken with, "
            f"or give a function that migrates it"
        )
    try:
        text = _text_of(given)
    except _WRONG as error:
        raise SnapshotError(f"the snapshot is not plain JSON: {error}") from None
    if checksum != _checksum(text):
        raise SnapshotError(
            "the snapshot has been changed or cut since it was taken: its checksum does not fit"
        )
    made = migrate(_signed(text)) if other and migrate is not None else given
    try:
        return _restored(automaton, _migrated(model, made) if other else text)
    except _WRONG as error:
        raise SnapshotError(f"the snapshot does not describe a game: {error}") from None


def _given(data: object) -> dict[str, Any]:
    found = unpacked(data) if isinstance(data, str) else data
    name = found.get("format") if isinstance(found, Mapping) else type(found).__name__
    if not isinstance(found, Mapping) or name != FORMAT:
        raise SnapshotError(
            f'not a snapshot of this version: "format" must be {FORMAT!r}, not {shown(name)}'
        )
    return dict(found)


@per_model
def _parts(model: Model) -> str:
    return " ".join(fingerprints(model).values())


def _changed(model: Model, parts: object) -> str:
    """Say which kinds of parts differ, if the snapshot tells."""
    pairs = zip(fingerprints(model).items(), str(parts).split(), strict=False)
    differ = [name for (name, now), then in pairs if now != then]
    return f" ({', '.join(differ)} differ)" if differ else ""


def _signed(text: bytes) -> dict[str, Any]:
    return {**msgspec.json.decode(text), "checksum": _checksum(text)}


def _checksum(text: bytes) -> str:
    """Return a checksum of the text with sorted keys, since databases keep them in another order."""
    return f"{zlib.crc32(text):08x}"


def _migrated(model: Model, made: object) -> bytes:
    """Return what a function of the user made of a snapshot, as if this model had written it."""
    if not isinstance(made, Mapping):
        raise TypeError(f"the function that migrates returned {shown(made)}")
    names = {
        "model": model.name,
        "fingerprint": model.fingerprint,
        "behaviour": model.behaviour_fingerprint,
        "parts": _parts(model),
    }
    rest = {key: value for key, value in made.items() if key != "checksum"}
    return _text_of(rest | names)


# what a snapshot says -----------------------------------------------------------------------------


def _restored(automaton: Automaton, text: bytes) -> Restored:
    """Return the game of a text. Raises an error of `_WRONG` if there is none that writes it."""
    saved, semantics = _saved_from(text), automaton.semantics
    players = checked_players(saved.players)
    _check_seats(saved.run, len(players))
    _check_waits(semantics, saved.run)
    until = [effect.order.until for effect in saved.calendar.effects]
    _check("duration", until, semantics.durations)
    node = automaton.edge(saved.run, []).node
    if _written(saved) != text:
        raise ValueError("its game would be written in another way")
    return players, (node, saved.turn, saved.number, saved.calendar, saved.news)


def _check_seats(run: Run, players: int) -> None:
    """Raise ValueError if the run is about a seat or a side that is not in the game."""
    if sorted(chain(*run.sides)) != [*range(players)] or not all(run.sides):
        raise ValueError("its sides are not made of its players")
    sides = {run.holder, run.active, run.natural, run.next_side} - {NOBODY}
    sides.update(run.passed, [side for _, side in run.appointed])
    sides.update([turn.side for turn in run.turns], [skip.side for skip in run.skips])
    seats = {run.decider} - {NOBODY}
    seats.update(run.left, *((control.seat, control.by) for control in run.controls))
    _check("side", sides, range(len(run.sides)))
    _check("seat", seats, range(players))
    _check("level", [extra.level for extra in run.extras], ("phase", "step"))
    if not {len(run.taken), len(run.own)} <= {0, len(run.sides)}:
        raise ValueError("it does not count the turns of its sides")


def _check(what: str, found: Iterable[object], known: Container[object]) -> None:
    for one in found:
        if one not in known:
            raise ValueError(f"it has no {what} {one!r}")


def _check_waits(semantics: Semantics, run: Run) -> None:
    """Raise ValueError if the run does not wait for an answer."""
    state, inside = semantics.states.get((False, run.state)), bool(run.frame)
    waiting = semantics.states.get((True, run.frame)) if inside else state
    if state is None or waiting is None:
        raise ValueError(f"its state {run.state!r} or its frame {run.frame!r} is not there")
    if inside and state.kind != "window":
        raise ValueError(f"no window is open in {run.state!r}")
    if waiting.kind not in ("action", "action" if inside else "final"):
        raise ValueError(f"{waiting.id!r} asks for nothing")
    if waiting.asks == "priority" and not by(run, waiting):
        raise ValueError("nobody has priority")


# tokens -------------------------------------------------------------------------------------------


def packed(snapshot: Mapping[str, object]) -> str:
    """Return a snapshot as compact text: compressed, in the letters of URLs."""
    text = json.dumps(snapshot, separators=(",", ":"))
    return urlsafe_b64encode(zlib.compress(text.encode())).decode().rstrip("=")


def unpacked(text: str) -> object:
    """Return the snapshot that compact text holds. Raises SnapshotError if it holds none."""
    try:
        if len(text) > LONGEST:
            raise ValueError("it is too long")
        reader = zlib.decompressobj()
        data = reader.decompress(urlsafe_b64decode(text + "=" * (-len(text) % 4)), LONGEST)
        if not reader.eof or reader.unused_data:
            raise ValueError("it is cut, or too long")
        snapshot = parse_json(data.decode())
        if not isinstance(snapshot, dict) or packed(snapshot) != text:
            raise ValueError("it has been changed")
    except (ValueError, zlib.error) as error:
        remedy = "; read JSON with json.loads first" if text.lstrip()[:1] == "{" else ""
        raise SnapshotError(f"this is no token of a game: {error}{remedy}") from None
    return snapshot
