"""Requests, answers and errors as JSON, for instance between a server and a browser.

    socket.send(json.dumps(wire.dump(controller.request)))
    controller.answer(wire.answer_of(json.loads(socket.receive())))

A value is an object with the name of its class under "is" and its fields by name. `fsm/schemas/wire.schema.json` is the
published schema. It describes snapshots, too. Snapshots and traces are JSON already.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args

from fsm.engine.codec import decode
from fsm.engine.decoding import written_name
from fsm.engine.oldorders import with_names_of_today
from fsm.engine.order_results import Result
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PhaseBegins,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
    StepBegins,
    TurnBegins,
    TurnEnds,
    WouldBegin,
)
from fsm.errors import AnswerError, FsmError
from fsm.state.orders import Order

REQUESTS: tuple[type[Request | Over], ...] = (
    *(Perform, Priority, CheckState, PlaceTriggers, Resolve),
    *(TurnBegins, PhaseBegins, StepBegins, TurnEnds, WouldBegin),
    Over,
)
ANSWERS: tuple[type, ...] = (Answer, *get_args(Order))


def dump(value: Request | Over | Answer | Result | FsmError) -> dict[str, object]:
    """Return a request, an answer, the result of an order or an error as plain JSON values, with all of its fields."""
    if isinstance(value, FsmError):
        return {"is": "error", "error": type(value).__name__, "message": str(value)}
    return _object(value)


def answer_of(data: object) -> Answer:
    """Return the answer that was sent. The controller decides whether it fits the request.

    Parameters
    ----------
    data
        Plain JSON values, as `dump` returns them.

    Raises
    ------
    AnswerError
        If the data does not describe an answer.
    """
    try:
        answer = decode(with_names_of_today(data), ANSWERS)
    except (ValueError, TypeError, RecursionError) as error:
        raise AnswerError(f"this is not an answer: {error}") from None
    if not isinstance(answer, Answer):
        raise AnswerError('this is not an answer: send an object with "is": "Answer"')
    return answer


def request_of(data: object) -> Request | Over:
    """Return the request that was sent, for a player that is a Python program.

    Parameters
    ----------
    data
        Plain JSON values, as `dump` returns them.

    Raises
    ------
    AnswerError
        If the data does not describe a request.
    """
    try:
        request = decode(data, (*REQUESTS, Position))
    except (ValueError, TypeError, RecursionError) as error:
        raise AnswerError(f"this is not a request: {error}") from None
    if not isinstance(request, Request | Over):
        raise AnswerError("this is not a request")
    return request


def _object(value: Any) -> dict[str, object]:
    return {"is": written_name(type(value)), **{f.name: _json(getattr(value, f.name)) for f in fields(value)}}


def _json(value: Any) -> object:
    if isinstance(value, (tuple, list)):
        return [_json(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): _json(one) for key, one in value.items()}
    return _object(value) if hasattr(value, "__dataclass_fields__") else value
