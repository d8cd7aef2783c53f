"""Replays a trace: gives its answers to a new game, and compares every firing."""

from __future__ import annotations

from collections import deque

from fsm.engine.controller import TurnController
from fsm.engine.records import Record
from fsm.engine.requests import Answer
from fsm.engine.setup import GameHeader
from fsm.engine.trace import Entry
from fsm.errors import FsmError, TraceError
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model


def begin_again(head: GameHeader, model: Model) -> tuple[TurnController, list[Record]]:
    """Return a game that begins as a header says, and what fires before its first request."""
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
    trace, game.trace = game.trace, None
    assert trace is not None
    trace.close()
    return game, trace.records


class Replaying:
    """Replays a trace entry by entry.

    Parameters
    ----------
    head
        The header of the trace.
    model
        The model with which it was recorded.
    """

    def __init__(self, head: GameHeader, model: ModelLike) -> None:
        wanted = as_model(model)
        if head.fingerprint != wanted.fingerprint:
            raise TraceError(
                f"the trace was recorded with {head.model} {head.fingerprint}, not with "
                f"{wanted.name} {wanted.fingerprint}"
            )
        self._line = 1
        try:
            self.game, beginning = begin_again(head, wanted)
        except FsmError as error:
            raise TraceError(f"trace line 1: {error}", line=1) from None
        self._due = deque(beginning)

    def take(self, entry: Entry) -> None:
        """Take the next entry. Raises TraceError if it differs from what happens now."""
        self._line += 1
        if self._due or isinstance(entry, Record):
            self._compare(entry)
            return
        try:
            with self.game.watch(lambda answered: self._due.extend(answered.records)):
                self.game.answer(entry)
        except FsmError as error:
            raise TraceError(f"trace line {self._line}: {error}", line=self._line) from None

    def finish(self) -> TurnController:
        """Return the game. Raises TraceError if more has happened than the trace says."""
        self._line += 1
        self._compare(None)
        return self.game

    def _compare(self, recorded: Entry | None) -> None:
        replayed = self._due.popleft() if self._due else None
        if recorded == replayed:
            return
        old, new = _name(recorded), _name(replayed)
        what = f"recorded {old}, replayed {new}"
        if old == new:
            what = "other guards, actions or places"
        text = f"trace line {self._line} differs from its replay: {what}"
        raise TraceError(text, line=self._line)


def _name(entry: Entry | None) -> str:
    if isinstance(entry, Answer):
        return f"the answer {entry.word!r}"
    return "nothing more" if entry is None else repr(entry.transition)
