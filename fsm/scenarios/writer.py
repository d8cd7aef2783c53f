"""Write what happens in a game as items and expectations of a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from fsm.engine.requests import Signal
from fsm.scenarios.departures import Departure
from fsm.scenarios.outcome import Outcome
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
)

SIGNALS = {"end_turn": "end_turn", "end_phase": "end_phase"}
"""The verbs of scenarios for signals that have one of their own."""


def items_of(departure: Departure) -> Iterator[dict[str, Any]]:
    """Yield a departure as items of a scenario.

    Raises
    ------
    KeyError
        If scenarios have no verb for it.
    """
    spot, what = departure.spot, departure.what
    when: dict[str, Any] = {"turn": spot.turn, "step": spot.step, "iteration": spot.iteration}
    inside = spot.state != spot.stage
    if isinstance(what, bool) or not spot.step:
        if not spot.step:
            raise KeyError(spot.stage)
        return
    when["at"] = "priority" if inside or isinstance(what, Signal) else spot.stage
    if isinstance(what, tuple):
        if not inside:
            yield {"when": when, "do": "tell", "fact": what[0], "value": what[1]}
    elif isinstance(what, Signal):
        yield {"when": when, **signal_of(what)}
    else:
        yield {"when": when, **order_of(what)}


def signal_of(signal: Signal) -> dict[str, Any]:
    """Return a signal as the verb and fields of an item."""
    if signal.event == "player_left":
        return {"do": "player_leaves", "player": signal.player}
    return {"do": SIGNALS[signal.event]} if signal.event in SIGNALS else {"do": "signal", "event": signal.event}


def order_of(order: Order) -> dict[str, Any]:
    """Return an order as the verb and fields of an item."""
    fields = {name: value for name, value in asdict(order).items() if value not in ("", False)}
    match order:
        case AddTurn() | SkipTurn() | ControlNextTurn():
            names = {AddTurn: "add_turn", SkipTurn: "skip_turn", ControlNextTurn: "control_next_turn"}
            return {"do": names[type(order)], **fields}
        case AddPhase():
            nth = fields.pop("nth")
            after = {"phase": order.after, "nth": nth} if order.after else "current_phase"
            return {"do": "add_phase", **fields, "phases": list(order.phases), "after": after}
        case AddStep():
            return {"do": "add_step", **{k: v for k, v in fields.items() if not (k == "after" and order.before)}}
        case SkipPhase():
            return {"do": "skip_phase", **fields}
        case SkipStep():
            return {"do": "skip_step", **fields}
        case DelayedTrigger():
            return {"do": "delayed_trigger", **fields}
        case StandingTrigger():
            fields.pop("first_each_turn", None)
            limit = {"limit": "first_each_turn"} if order.first_each_turn else {}
            return {"do": "standing_trigger", **fields, **limit}
        case Effect():
            return {"do": "effect", **fields}


def expected(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield what happened as expectations: who takes which turn, its steps, and the actions of each step in order."""
    for turn in outcome.turns:
        steps = [visit.step for visit in outcome.visits if visit.turn == turn.turn]
        yield {"turn": turn.turn, "active": turn.active, "extra": turn.extra, "steps": steps}
    if outcome.over:
        yield {"over": True}
    for visit in outcome.visits:
        if visit.actions:
            where = {"turn": visit.turn, "step": visit.step, "iteration": visit.iteration}
            yield where | {"tba_order": list(visit.actions)}
