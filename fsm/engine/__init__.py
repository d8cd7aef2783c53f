"""How a game is played: requests and answers, the machine that fires transitions, the controller,
its records.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.engine.controller import TurnController as TurnController
    from fsm.engine.machine import Machine as Machine
    from fsm.engine.order_results import Result as Result
    from fsm.engine.requests import Answer as Answer
    from fsm.engine.requests import CheckState as CheckState
    from fsm.engine.requests import Over as Over
    from fsm.engine.requests import Perform as Perform
    from fsm.engine.requests import PlaceTriggers as PlaceTriggers
    from fsm.engine.requests import Position as Position
    from fsm.engine.requests import Priority as Priority
    from fsm.engine.requests import Request as Request
    from fsm.engine.requests import Resolve as Resolve
    from fsm.engine.requests import Signal as Signal
    from fsm.engine.trace import Record as Record
    from fsm.engine.trace import Trace as Trace
    from fsm.engine.watching import Answered as Answered


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.engine.controller": ("TurnController",),
        "fsm.engine.machine": ("Machine",),
        "fsm.engine.order_results": ("Result",),
        "fsm.engine.requests": (
            "Answer",
            "CheckState",
            "Over",
            "Perform",
            "PlaceTriggers",
            "Priority",
            "Request",
            "Resolve",
            "Signal",
            "Position",
        ),
        "fsm.engine.trace": (
            "Record",
            "Trace",
        ),
        "fsm.engine.watching": ("Answered",),
    },
)
