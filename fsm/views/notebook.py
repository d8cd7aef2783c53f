"""The display of objects in a notebook: as a picture of the turn, or as plain text where pictures
are not possible.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import singledispatch

from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.errors import FsmError, TraceError
from fsm.model import Model
from fsm.model.shown import Bundle
from fsm.runs.taken import Taken
from fsm.views.drawing import draw
from fsm.views.drawing.options import Counts
from fsm.views.standing import now_of
from fsm.wording import turn_words


@singledispatch
def bundle(value: object) -> Bundle:
    """What a notebook shows of a value."""
    return {"text/plain": repr(value)}


@bundle.register
def _(model: Model) -> Bundle:
    """The turn at a glance."""
    window = (
        f", and {len(model.window.transitions)} in its window" if model.window is not None else ""
    )
    text = f"Model {model.name}: {len(model.states)} states, {len(model.transitions)} transitions{window}"
    return _bundle(text, lambda: draw(model))


@bundle.register
def _(controller: TurnController) -> Bundle:
    """The turn at a glance, with where the game stands and where it can go."""
    at, request = controller.position, controller.request
    where = ", ".join(part for part in (turn_words(at.turn, at.active), at.phase, at.step) if part)
    text = f"Game of {controller.model.name}: {where}; waits for {type(request).__name__} at {request.state}"
    return _bundle(text, lambda: draw(controller.model, now=now_of(controller)))


@bundle.register
def _(trace: Trace) -> Bundle:
    """The turn at a glance, with the way that was taken."""
    records = trace.records
    turns = len({record.turn for record in records} - {0})
    text = f"Trace of {trace.head.model}: {len(records)} firings in {turns} turn{'' if turns == 1 else 's'}"
    return _bundle(text, lambda: draw(_model_of(trace), trace=records))


@bundle.register
def _(taken: Taken) -> Bundle:
    """The turn at a glance, with how often everything was taken."""
    model = taken.model
    if model is None:
        return {"text/plain": str(taken)}
    return _bundle(
        str(taken), lambda: draw(model, counts=Counts(taken.turn_times, taken.window_times))
    )


def _bundle(text: str, picture: Callable[[], str]) -> Bundle:
    """Text and picture; where nothing can be drawn, the text says why."""
    try:
        return {"text/plain": text, "image/svg+xml": picture()}
    except FsmError as error:
        return {"text/plain": f"{text} (not drawn: {error})"}


def _model_of(trace: Trace) -> Model:
    """The model of a trace: the one it came with, else the built-in one of its name. Raises
    FsmError.
    """
    from fsm.rulesets import load, names

    name = trace.head.model
    if (
        trace.model is None and name not in names()
    ):  # it comes from a file, which must not have code imported
        raise TraceError(
            f"{name!r} is not built in: set its `model` to the one that it was recorded with"
        )
    model = trace.model or load(name)
    if model.fingerprint != trace.head.fingerprint:
        raise TraceError(
            f"it was recorded with another {model.name} than the one at hand: set its `model` to that one"
        )
    return model
