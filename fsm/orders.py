"""The orders that ride on answers: what a game asks of agenda and calendar."""

from __future__ import annotations

import warnings

from fsm.state.orders import SKIPS as _SKIPS
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    ReverseTurnOrder,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
)
from fsm.state.orders import Scope as _Scope

__all__ = [
    "AddPhase",
    "AddStep",
    "AddTurn",
    "Appoint",
    "ControlNextTurn",
    "DelayedTrigger",
    "Effect",
    "EndPhase",
    "EndTurn",
    "Leave",
    "Order",
    "ReverseTurnOrder",
    "Signal",
    "SkipPhase",
    "SkipStep",
    "SkipTurn",
    "StandingTrigger",
    "Withdraw",
]


def __getattr__(name: str) -> object:
    """Return an order by the name that it had before 0.1.0 was released, with a DeprecationWarning."""
    older = {
        "Delay": (DelayedTrigger, "DelayedTrigger"),
        "Stand": (StandingTrigger, "StandingTrigger"),
        "Lasting": (Effect, "Effect"),
        "Skip": (_skip, "SkipPhase and SkipStep"),
    }
    if name not in older:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found, today = older[name]
    warnings.warn(f"fsm.orders.{name} is now {today} in fsm", DeprecationWarning, stacklevel=2)
    return found


def _skip(level: str, what: str, player: str = "", scope: _Scope = "next") -> Order:
    return _SKIPS[level](what, player, scope)
