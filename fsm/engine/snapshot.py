"""Games as plain JSON values, and as compact text: saved at any request, and restored.

A game has one text only: what it would not write itself is refused.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fsm.engine.automaton import NO_NEWS, Automaton, News, Node, by
from fsm.engine.semantics import Semantics
from fsm.errors import FsmError, SnapshotError, shown
from fsm.files import parse_json
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
SIDES = ("holder", "active", "natural", "next_side", "passed", "out", "side", "teams")
SEATS = ("decider", "left", "seat", "by", "appointed")
"""The fields of a run that hold sides, and those that hold seats."""
_WRONG = (ValueError, TypeError, OverflowError, LookupError, RecursionError, FsmError)


class Saved(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A game as it is written, but for the checksum.

    Attributes
    ----------
    format
        The version of what is written.
    model, fingerprint, behaviour
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
    request = game.request
    model = game.model
    saved = Saved(
        FORMAT,
        model.name,
        model.fingerprint,
        model.behaviour_fingerprint,
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


def _signed(text: bytes) -> dict[str, Any]:
    return {**msgspec.json.decode(text), "checksum": _checksum(text)}


def _checksum(text: bytes) -> str:
    """Return a checksum of the text. Its keys are sorted, since databases may reorder them."""
    return f"{zlib.crc32(text):08x}"


def load(automaton: Automaton, data: object, migrate: Migrate | None = None) -> tuple[Saved, Node]:
    """Return a saved game, and the node where it stands.

    Raises SnapshotError if the data is damaged, or of another model.
    """
    given = _given(data)
    model = automaton.model
    names = {
        "model": model.name,
        "fingerprint": model.fingerprint,
        "behaviour": model.behaviour_fingerprint,
    }
    other = given.get("behaviour") != names["behaviour"]
    if other and migrate is None:
        taken = f"{shown(given.get('model'))} {shown(given.get('fingerprint'))}"
        raise SnapshotError(
            f"the snapshot was taken with {taken}, not with {model.name} {model.fingerprint}: "
            f"restore it with the model it was taken with, or give a function that migrates it"
        )
    text = _checked(given)
    try:
        if other and migrate is not None:
            made = dict(migrate(_signed(text))) | names
            made.pop("checksum", None)
            text = _text_of(made)
        return _restored(automaton, text)
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


def _checked(given: dict[str, Any]) -> bytes:
    """Return the text of a snapshot. Raises SnapshotError unless its checksum fits."""
    checksum = given.pop("checksum", None)
    try:
        text = _text_of(given)
    except _WRONG as error:
        raise SnapshotError(f"the snapshot is not plain JSON: {error}") from None
    if checksum != _checksum(text):
        raise SnapshotError(
            "the snapshot has been changed or cut since it was taken: its checksum does not fit"
        )
    return text


# what a snapshot says -----------------------------------------------------------------------------


def _restored(automaton: Automaton, text: bytes) -> tuple[Saved, Node]:
    """Return the game of a text. Raises an error of `_WRONG` if there is none that writes it."""
    saved = _saved_from(text)
    semantics = automaton.semantics
    _check_seats(saved.run, len(checked_players(saved.players)))
    _check_waits(semantics, saved.run)
    node = automaton.edge(saved.run).node
    if _written(saved) != text:
        raise ValueError("its game would be written in another way")
    return saved, node


def _check_seats(run: Run, players: int) -> None:
    """Raise ValueError if the run is about a seat or a side that is not in the game."""
    if sorted(chain(*run.sides)) != [*range(players)] or not all(run.sides):
        raise ValueError("its sides are not made of its players")
    if len({*chain(*run.teams)}) != sum(map(len, run.teams)):
        raise ValueError("its teams share a side")
    for name, number in _numbers(msgspec.to_builtins(run)):
        known = range(len(run.sides)) if name in SIDES else range(players)
        is_nobody = name == "holder" and number == NOBODY
        if name in (*SIDES, *SEATS) and number not in known and not is_nobody:
            raise ValueError(f"it has no {name} {number}")
    if not {len(run.taken), len(run.own)} <= {0, len(run.sides)}:
        raise ValueError("it does not count the turns of its sides")


def _numbers(value: object, name: str = "") -> Iterator[tuple[str, int]]:
    """Yield the whole numbers in plain values, each with the name of its field."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _numbers(part, key)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part, name)
    elif isinstance(value, int):
        yield name, value


def _check_waits(semantics: Semantics, run: Run) -> None:
    """Raise ValueError if the run does not wait for an answer."""
    state = semantics.states[False, run.state]
    waiting = semantics.waiting(run)
    if run.frame and state.kind != "window":
        raise ValueError(f"no window is open in {run.state!r}")
    if waiting.kind not in ("action", "action" if run.frame else "final"):
        raise ValueError(f"{waiting.id!r} asks for nothing")
    if waiting.asks == "priority" and not by(semantics, run, waiting):
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
