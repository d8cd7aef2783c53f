"""Replays a trace: gives its answers to a new game, and compares every firing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Entry, GameHeader, Trace
from fsm.errors import FsmError, TraceError
from fsm.model import Model


def begin_again(head: GameHeader, model: Model) -> TurnController:
    """Return a game that begins as a header says, and is recorded.

    Raises TraceError if it is a game of another model, or cannot begin so.
    """
    if head.fingerprint != model.fingerprint:
        raise TraceError(
            f"the trace was recorded with {head.model} {head.fingerprint}, not with {model.name} "
            f"{model.fingerprint}"
        )
    try:
        if head.snapshot is not None:
            game = TurnController.restore(model, head.snapshot)
            game.trace = Trace.of(game)
            return game
        return TurnController(
            model,
            head.players,
            teams=head.teams,
            settings=head.settings,
            orders=head.orders,
            start=head.start,
            trace=True,
        )
    except FsmError as error:
        raise TraceError(f"trace line 1: {error}", line=1) from None


def replayed(game: TurnController, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Give the answers of a trace to a game that has begun so. Yield each entry that has happened
    again.

    Raises TraceError if an entry differs from what happens now, or if more happens.
    """
    assert game.trace is not None, "it has begun so"
    happened = game.trace.entries
    place = 0
    for place, entry in enumerate(entries, 1):
        if place > len(happened) and isinstance(entry, Answer):
            try:
                game.answer(entry)
            except FsmError as error:
                line = place + 1
                raise TraceError(f"trace line {line}: {error}", line=line) from None
        _compare(place, [entry], happened)
        yield entry
    if len(happened) > place:
        _compare(place + 1, [], happened)


def _compare(place: int, recorded: list[Entry], happened: list[Entry]) -> None:
    """Raise TraceError unless what was recorded is what happens at this place of a trace."""
    happens = happened[place - 1 : place]
    if recorded == happens:
        return
    old = _name(recorded)
    new = _name(happens)
    what = "other guards, actions or places" if old == new else f"recorded {old}, replayed {new}"
    line = place + 1
    raise TraceError(f"trace line {line} differs from its replay: {what}", line=line)


def _name(entries: list[Entry]) -> str:
    if not entries:
        return "nothing more"
    entry = entries[0]
    return f"the answer {entry.word!r}" if isinstance(entry, Answer) else repr(entry.transition)
