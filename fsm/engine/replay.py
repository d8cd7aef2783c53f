"""Replay of a trace: a new controller gets the same answers, and every firing is compared."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Record, Trace
from fsm.errors import FsmError, TraceError
from fsm.model.likeness import ModelLike, as_model


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
        If the trace was recorded with another model, does not begin with its game, or differs from the replay. The
        message names the first line that differs.
    """
    model = as_model(model)
    head = trace.head
    if head.fingerprint != model.fingerprint:
        raise TraceError(
            f"the trace was recorded with {head.model} {head.fingerprint}, not with {model.name} {model.fingerprint}"
        )
    if not trace.complete:
        raise TraceError("the trace is a part of a run: only one that starts with its game can be replayed")
    with _naming(1):
        controller = TurnController(
            model, head.players, teams=head.teams, settings=head.settings, orders=head.orders, start=head.start
        )
    replayed = controller.trace.entries
    for number, entry in enumerate(trace.entries, 2):
        if isinstance(entry, Answer) and len(replayed) == number - 2:
            with _naming(number):
                controller.answer(entry)
            replayed = controller.trace.entries
        _compare(number, entry, replayed[number - 2] if len(replayed) > number - 2 else None)
    if len(replayed) > len(trace.entries):
        _compare(len(trace.entries) + 2, None, replayed[len(trace.entries)])
    return controller


@contextmanager
def _naming(number: int) -> Iterator[None]:
    """Turn the errors that are raised inside into a TraceError that names the line."""
    try:
        yield
    except FsmError as error:
        raise TraceError(f"trace line {number}: {error}", line=number) from None


def _compare(number: int, recorded: Answer | Record | None, replayed: Answer | Record | None) -> None:
    if recorded == replayed:
        return
    old, new = _name(recorded), _name(replayed)
    what = "other guards, actions or places" if old == new else f"recorded {old}, replayed {new}"
    raise TraceError(f"trace line {number} differs from its replay: {what}", line=number)


def _name(entry: Answer | Record | None) -> str:
    if entry is None:
        return "nothing more"
    return repr(entry.transition) if isinstance(entry, Record) else f"the answer {entry.word!r}"
