"""Requests, answers and errors as JSON, for instance between a server and a browser.

    socket.send(json.dumps(wire.dump(controller.request)))
    controller.answer(wire.answer_of(json.loads(socket.receive())))

A value is an object with the name of its class under "is" and its fields by name.
`fsm/schemas/wire.schema.json` is the published schema. It describes snapshots, too. Snapshots and
traces are JSON already.
"""

from __future__ import annotations

from fsm.engine.codec import decode
from fsm.engine.order_results import Result
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
)
from fsm.errors import AnswerError, FsmError

REQUESTS: tuple[type[Request | Over], ...] = (
    *(Perform, Priority, CheckState, PlaceTriggers, Resolve),
    Over,
)


def dump(value: Request | Over | Answer | Result | FsmError) -> dict[str, object]:
    """Return a request, an answer, the result of an order or an error as plain JSON values, with
    all of its fields.
    """
    if isinstance(value, FsmError):
        return {"is": "error", "error": type(value).__name__, "message": str(value)}
    return value.to_json()


def answer_of(data: object) -> Answer:
    """Return the answer that was sent: `Answer.from_json` of data that may say anything.

    Parameters
    ----------
    data
        Plain JSON values, as `dump` returns them.

    Raises
    ------
    AnswerError
        If the data does not describe an answer.
    """
    return Answer.from_json(data, trusted=True)


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
