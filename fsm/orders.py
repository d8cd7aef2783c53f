"""The orders that ride on answers: what a game asks of agenda and calendar."""

from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    Delay,
    DelayOn,
    Lasting,
    Order,
    Scope,
    Skip,
    SkipTurn,
    Stand,
)

__all__ = [
    "AddPhase",
    "AddStep",
    "AddTurn",
    "ControlNextTurn",
    "Delay",
    "DelayOn",
    "Lasting",
    "Order",
    "Scope",
    "Skip",
    "SkipTurn",
    "Stand",
]
