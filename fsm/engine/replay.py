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
    line = 1
    for line, entry in enumerate(entries, 2):
        if line > len(happened) + 1 and isinstance(entry, Answer):
            try:
                game.answer(entry)
            except FsmError as error:
                raise TraceError(f"trace line {line}: {error}", line=line) from None
        _compare(line, entry, happened)
        yield entry
    if len(happened) >= line:
        _compare(line + 1, None, happened)


def _compare(line: int, recorded: Entry | None, happened: list[Entry]) -> None:
    """Raise TraceError unless what was recorded is what happens in this line of a trace."""
    happens = happened[line - 2] if line <= len(happened) + 1 else None
    if recorded != happens:
        old = _name(recorded)
        new = _name(happens)
        is_same = old == new
        what = "other guards, actions or places" if is_same else f"recorded {old}, replayed {new}"
        raise TraceError(f"trace line {line} differs from its replay: {what}", line=line)


def _name(entry: Entry | None) -> str:
    if entry is None:
        return "nothing more"
    return f"the answer {entry.word!r}" if isinstance(entry, Answer) else repr(entry.transition)
