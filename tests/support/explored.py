"""Each ruleset explored within small bounds, once for all tests of one process."""

from __future__ import annotations

from functools import cache

import fsm
from fsm import AddPhase, AddStep, SkipPhase, SkipStep
from fsm.checks import Bounds
from fsm.checks.modelchecking.candidateorders import candidate_orders
from fsm.checks.modelchecking.exploration import Explorer
from fsm.orders import Order

SMALL = Bounds(stack=1)
ORDERS: tuple[Order, ...] = (
    AddStep("upkeep", "current_phase"),
    AddPhase(("combat",)),
    SkipStep("draw", "A"),
    SkipPhase("main", "B"),
)


@cache
def explored(name: str) -> Explorer:
    """The ruleset explored within `SMALL`, with those of `ORDERS` that it knows."""
    model = fsm.load(name)
    known = candidate_orders(model, SMALL)
    return Explorer(model, SMALL, [order for order in ORDERS if order in known]).run()
