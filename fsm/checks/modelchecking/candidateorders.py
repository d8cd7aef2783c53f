"""The candidate orders in a game of a Model, and the number of pending orders of each kind."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.modelchecking.bounds import Bounds
from fsm.errors import OrderError
from fsm.model import Model
from fsm.state.agenda import Agenda
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
)
from fsm.state.run import Run
from fsm.state.scheduling import apply
from fsm.state.setup import GameHeader, run_of, settings_of, sides_of

KINDS = (
    "extra turn",
    "skipped turn",
    "extra phase",
    "extra step",
    "skipped phase",
    "skipped step",
)


def start_of(model: Model, bounds: Bounds) -> Run:
    """Return the run of a game that is about to start."""
    sides = sides_of(bounds.names, ())
    head = GameHeader(model.name, "", bounds.names, settings=settings_of(model, sides, {}))
    return run_of(model, head)


def candidate_orders(model: Model, bounds: Bounds) -> tuple[Order, ...]:
    """Return every order that this model accepts."""
    return tuple(order for order in _orders(model, bounds.names) if _taken(model, bounds, order))


def kind_of(order: Order) -> str:
    """Return the kind of entry that this order makes."""
    match order:
        case AddTurn():
            return "extra turn"
        case SkipTurn():
            return "skipped turn"
        case AddPhase():
            return "extra phase"
        case AddStep():
            return (
                "extra phase"
                if order.after == "current_phase" and not order.before
                else "extra step"
            )
        case SkipPhase():
            return "skipped phase"
        case SkipStep():
            return "skipped step"
    raise ValueError(order)


def pending(agenda: Agenda) -> tuple[int, ...]:
    """Return how many entries of each kind are scheduled or under way."""
    extras, skips = [e.level for e in agenda.extras], [s.level for s in agenda.skips]
    return (
        len(agenda.turns),
        skips.count("turn"),
        extras.count("phase") + len(agenda.returns_phase),
        extras.count("step") + len(agenda.returns_step),
        skips.count("phase"),
        skips.count("step"),
    )


def _orders(model: Model, players: tuple[str, ...]) -> Iterator[Order]:
    steps = tuple(dict.fromkeys(s.name for s in model.of_kind("step")))
    families = tuple(dict.fromkeys(s.family for s in model.of_kind("phase")))
    tests = {fact.test[:2] for fact in model.facts}
    for player in players:
        if ("extra_due", "turn") in tests:
            yield AddTurn(player)
        if ("skip_due", "turn") in tests:
            yield SkipTurn(player)
    yield from (AddPhase((family,)) for family in families)
    for step in steps:
        yield AddStep(step, "current_phase")
        yield AddStep(step)
        yield AddStep(step, before=step)
    for player in players:
        yield from (SkipPhase(family, player) for family in families)
        yield from (SkipStep(step, player) for step in steps)


def _taken(model: Model, bounds: Bounds, order: Order) -> bool:
    try:
        apply(order, start_of(model, bounds))
    except OrderError:
        return False
    return True


def events_of(model: Model) -> tuple[str, ...]:
    """Return the signals that an effect can give. That a player leaves is not among them."""
    return tuple(event for event in model.signals if event != model.leaving)
