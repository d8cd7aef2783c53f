"""Replay of a trace: a new controller gets the same answers, and every firing is compared."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Record, Trace
from fsm.errors import FsmError, TraceError
from fsm.model.likeness import ModelLike, as_model
from fsm.state.setup import GameHeader


def replay(trace: Trace, model: ModelLike) -> TurnController:
    """Give the answers of a trace to a new controller, and compare every firing.

    Parameters
    ----------
    trace
        The trace of a whole game.
    model
        The model with which it was recorded.

    Returns
    -------
    TurnController
        The controller, in the state in which the trace ends.

    Raises
    ------
    TraceError
        If the trace was recorded with another model, does not begin with its game, or differs from
        the replay. The message names the first line that differs.
    """
    replaying = Replaying(trace.head, model, complete=trace.complete)
    for entry in trace.entries:
        replaying.take(entry)
    replaying.finish()
    return replaying.controller


class Replaying:
    """A replay that is under way. It takes one entry of the trace after the other, and keeps none.

    Parameters
    ----------
    head, model, complete
        The header of the trace, its model, and whether it begins with its game.

    Attributes
    ----------
    controller
        The new controller.
    line
        The line of the last entry.

    Raises
    ------
    TraceError
        As for `replay`. `take` and `finish` raise it too.
    """

    def __init__(self, head: GameHeader, model: ModelLike, *, complete: bool) -> None:
        model = as_model(model)
        if head.fingerprint != model.fingerprint:
            raise TraceError(
                f"the trace was recorded with {head.model} {head.fingerprint}, "
                f"not with {model.name} {model.fingerprint}"
            )
        if not complete:
            raise TraceError(
                "the trace is a part of a run: only one that starts with its game can be replayed"
            )
        with _naming(1):
            self.controller = TurnController(
                model,
                head.players,
                teams=head.teams,
                settings=head.settings,
                orders=head.orders,
                start=head.start,
            )
        self.line = 1
        self._due = deque(self.controller.trace.entries)
        """What has happened in the replay, and not been seen in the trace yet."""
        self._watching = self.controller.watch(self._due.append)

    def take(self, entry: Answer | Record) -> None:
        """Give the next answer to the controller, or compare the next record."""
        self.line += 1
        if isinstance(entry, Answer) and not self._due:
            with _naming(self.line):
                self.controller.answer(entry)
        else:
            _compare(self.line, entry, self._due.popleft() if self._due else None)

    def finish(self) -> None:
        """Compare the ends of the trace and the replay."""
        self._watching()
        if self._due:
            _compare(self.line + 1, None, self._due[0])


@contextmanager
def _naming(number: int) -> Iterator[None]:
    """Turn the errors that are raised inside into a TraceError that names the line."""
    try:
        yield
    except FsmError as error:
        raise TraceError(f"trace line {number}: {error}", line=number) from None


def _compare(
    number: int, recorded: Answer | Record | None, replayed: Answer | Record | None
) -> None:
    if recorded == replayed:
        return
    old, new = _name(recorded), _name(replayed)
    what = "other guards, actions or places" if old == new else f"recorded {old}, replayed {new}"
    raise TraceError(f"trace line {number} differs from its replay: {what}", line=number)


def _name(entry: Answer | Record | None) -> str:
    if entry is None:
        return "nothing more"
    return repr(entry.transition) if isinstance(entry, Record) else f"the answer {entry.word!r}"
