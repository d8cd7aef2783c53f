"""What orders do, in a few words."""

from __future__ import annotations

from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    EndPhase,
    EndTurn,
    Leave,
    Order,
    Signal,
    SkipPhase,
    SkipStep,
    SkipTurn,
)
from fsm.wording import blanks


def order_words(order: Order) -> str:
    """Return what an order does, in a few words: "extra combat phase"."""
    match order:
        case AddTurn():
            return f"extra turn of {order.player}"
        case AddPhase():
            return f"extra {' and '.join(map(blanks, order.phases))} phase"
        case AddStep():
            where = f" before {blanks(order.before)}" if order.before else ""
            where = where or " after the phase" * (order.after == "current_phase")
            return f"extra {blanks(order.step)} step{where}"
        case SkipTurn():
            return f"skipped turn of {order.player}"
        case SkipPhase():
            return f"skipped {blanks(order.phase)} phase"
        case SkipStep():
            return f"skipped {blanks(order.step)} step"
        case ControlNextTurn():
            return f"{order.by} controls {order.player}"
        case Leave():
            return f"{' and '.join(order.players)} leave"
        case Signal() | EndTurn() | EndPhase():
            return blanks(order.event)
    return repr(order)
