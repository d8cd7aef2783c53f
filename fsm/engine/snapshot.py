"""Games as plain JSON values, and as compact text: saved at any request, and restored.

A game has one text only: what it would not write itself is refused.
"""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fsm.engine.automaton import Automaton, News, Node, by
from fsm.engine.semantics import Semantics
from fsm.errors import FsmError, SnapshotError, shown
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.run import Run, checked_players

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController

LONGEST = 4_000_000
"""No snapshot in a token may be longer, in bytes. That of a usual game has 1,500."""
Count = Annotated[int, Meta(ge=0, le=2**53)]
Migrate: TypeAlias = Callable[[dict[str, Any]], Mapping[str, Any]]
SIDES = ("holder", "active", "natural", "next_side", "passed", "out", "side", "teams")
SEATS = ("decider", "left", "seat", "by", "appointed")
"""The fields of a run that hold sides, and those that hold seats."""
_WRONG = (ValueError, TypeError, OverflowError, LookupError, RecursionError, FsmError)


class Saved(
    Struct, omit_defaults=True, forbid_unknown_fields=True, tag_field="format", tag="fsm-game-3"
):
    """A game as it is written, but for the checksum. `format` is the version of what is written.

    Attributes
    ----------
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

    model: str
    fingerprint: str
    behaviour: str
    players: tuple[str, ...]
    turn: Count
    number: Count
    run: Run
    calendar: Calendar = NO_ENTRIES
    news: News = ((), (), ())


_text_of = msgspec.json.Encoder(order="sorted").encode
_saved_from = msgspec.json.Decoder(Saved).decode


def dump(game: TurnController) -> dict[str, Any]:
    """Return a game as plain JSON values, with a checksum over them."""
    request = game.request
    model = game.model
    saved = Saved(
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
    plain = _plain(saved)
    return {**plain, "checksum": _checksum(_text_of(plain))}


def _plain(saved: Saved) -> dict[str, Any]:
    """Return the one form of a game: its keys are sorted, since databases may reorder them."""
    return json.loads(_text_of(saved), object_hook=_without_empty)  # type: ignore[no-any-return]


def _without_empty(part: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is a default, but not the very same object, which msgspec has written."""
    return {key: value for key, value in part.items() if value not in ({}, [], [[], [], []])}


def _checksum(text: bytes) -> str:
    return f"{zlib.crc32(text):08x}"


def load(automaton: Automaton, data: object, migrate: Migrate | None = None) -> tuple[Saved, Node]:
    """Return a saved game, and the node where it stands.

    Raises SnapshotError if the data is damaged, or of another model.
    """
    given: Any = unpacked(data) if isinstance(data, str) else data
    model = automaton.model
    behaviour = model.behaviour_fingerprint
    try:
        plain = {**given}
        checksum = plain.pop("checksum", None)
        if checksum != _checksum(_text_of(plain)):
            raise ValueError("it has been changed or cut since it was taken")
        if plain.get("behaviour") != behaviour and migrate is None:
            taken = f"{shown(plain.get('model'))} {shown(plain.get('fingerprint'))}"
            raise ValueError(
                f"it was taken with {taken}, not with {model.name} {model.fingerprint}: restore it "
                f"with the model it was taken with, or give a function that migrates it"
            )
        if plain.get("behaviour") != behaviour and migrate is not None:
            names = {"fingerprint": model.fingerprint, "behaviour": behaviour, "model": model.name}
            plain = {**migrate(json.loads(_text_of(plain))), **names}
        return _restored(automaton, _text_of(plain))
    except _WRONG as error:
        raise SnapshotError(f"the snapshot does not describe a game: {error}") from None


def _restored(automaton: Automaton, text: bytes) -> tuple[Saved, Node]:
    """Return the game of a text. Raises an error of `_WRONG` if there is none that writes it."""
    saved = _saved_from(text)
    _check_seats(saved.run, len(checked_players(saved.players)))
    _check_waits(automaton.semantics, saved.run)
    node = automaton.edge(saved.run).node
    if _text_of(_plain(saved)) != text:
        raise ValueError("its game would be written in another way")
    return saved, node


# what a snapshot says -----------------------------------------------------------------------------


def _check_seats(run: Run, players: int) -> None:
    """Raise ValueError if the run is about a seat or a side that is not in the game."""
    if sorted(chain(*run.sides)) != [*range(players)] or not all(run.sides):
        raise ValueError("its sides are not made of its players")
    most = dict.fromkeys(SIDES, len(run.sides)) | dict.fromkeys(SEATS, players)
    for name, number in _numbers(msgspec.to_builtins(run)):
        if name in most and number not in range(most[name]):
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
    in_window = semantics.states[False, run.state].kind == "window"
    waiting = semantics.waiting(run)
    is_asked = waiting.asks != "priority" or by(semantics, run, waiting)
    if bool(run.frame) != in_window or semantics.onward(copy(run)) is not None or not is_asked:
        raise ValueError(f"nobody is asked for {waiting.id!r}")


# tokens -------------------------------------------------------------------------------------------


def packed(snapshot: Mapping[str, object]) -> str:
    """Return a snapshot as compact text: compressed, in the letters of URLs."""
    return urlsafe_b64encode(zlib.compress(_text_of(snapshot))).decode().rstrip("=")


def unpacked(text: str) -> object:
    """Return the snapshot that compact text holds. Raises SnapshotError if it holds none."""
    try:
        data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        snapshot = msgspec.json.decode(zlib.decompressobj().decompress(data, LONGEST))
        if packed(snapshot) != text:
            raise ValueError("it has been changed")
    except (ValueError, RecursionError, zlib.error) as error:
        text = f"this is no token of a game: {error}; JSON is read with json.loads first"
        raise SnapshotError(text) from None
    return snapshot
