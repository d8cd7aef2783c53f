"""Replays a trace: gives its answers to a new game, and compares every firing."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from fsm.engine.controller import TurnController
from fsm.engine.records import Record
from fsm.engine.requests import Answer
from fsm.engine.trace import Entry, GameHeader
from fsm.errors import FsmError, TraceError
from fsm.model import Model


def begin_again(head: GameHeader, model: Model) -> tuple[TurnController, list[Record]]:
    """Return a game that begins as a header says, and what fires before its first request.

    Raises TraceError if it is a game of another model, or cannot begin so.
    """
    if head.fingerprint != model.fingerprint:
        raise TraceError(
            f"the trace was recorded with {head.model} {head.fingerprint}, not with {model.name} "
            f"{model.fingerprint}"
        )
    try:
        if head.snapshot is not None:
            return TurnController.restore(model, head.snapshot), []
        game = TurnController(
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
    trace = game.trace
    game.trace = None
    assert trace is not None, "it was asked for"
    trace.close()
    return game, trace.records


def replayed(
    game: TurnController, beginning: Iterable[Record], entries: Iterable[Entry]
) -> Iterator[Entry]:
    """Give the answers of a trace to a game that has begun so. Yield each entry that has happened
    again.

    Raises TraceError if an entry differs from what happens now, or if more happens.
    """
    due = deque(beginning)
    line = 1
    with game.watch(lambda answered: due.extend(answered.records)):
        for line, entry in enumerate(entries, 2):
            if due or isinstance(entry, Record):
                _compare(line, entry, due.popleft() if due else None)
            else:
                try:
                    game.answer(entry)
                except FsmError as error:
                    raise TraceError(f"trace line {line}: {error}", line=line) from None
            yield entry
    if due:
        _compare(line + 1, None, due[0])


def _compare(line: int, recorded: Entry | None, happens: Record | None) -> None:
    """Raise TraceError unless what was recorded is what happens now."""
    if recorded == happens:
        return
    old = _name(recorded)
    new = _name(happens)
    what = "other guards, actions or places" if old == new else f"recorded {old}, replayed {new}"
    raise TraceError(f"trace line {line} differs from its replay: {what}", line=line)


def _name(entry: Entry | None) -> str:
    if isinstance(entry, Answer):
        return f"the answer {entry.word!r}"
    return "nothing more" if entry is None else repr(entry.transition)
