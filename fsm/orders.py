"""The orders that ride on answers: what a game asks of agenda and calendar."""

from __future__ import annotations

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
