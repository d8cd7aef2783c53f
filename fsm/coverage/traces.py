"""Makes coverage data of recorded games."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fsm.coverage.data import Data
from fsm.model import Model

if TYPE_CHECKING:
    from fsm.engine.trace import Trace


def data_of(model: Model, traces: Iterable[Trace], context: str = "") -> Data:
    """Return the coverage data of recorded games, as if it had been collected while they were
    played.

    Parameters
    ----------
    model
        The Model with which the games were played.
    traces
        The traces of the games.
    context
        The context (test) to which the data belongs.

    Returns
    -------
    Data
        The data of all the games.
    """
    from fsm.coverage.instrumentation.games import data_of_trace

    data = Data()
    for trace in traces:
        data.update(data_of_trace(model, trace, context))
    return data
