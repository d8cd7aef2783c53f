"""Effects that a recorded game may have had: the orders of one layer, and their names for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from fsm.model import Model
from fsm.orders import AddPhase, AddStep, AddTurn, Order, Skip, SkipTurn
from fsm.run import Run
from fsm.scheduling import apply

EXPLAINING = ("skip", "extra", "jump")


Effects = tuple[tuple[Order, ...], bool]


def effects(model: Model, players: list[str], layers: Iterable[str], most: int) -> Iterator[Effects]:
    """Effects of these layers, alone, then up to `most` together: the orders, and may there be a jump?"""
    layers = tuple(layers)
    if "jump" in layers:
        yield (), True
    orders = [order for layer in layers for order in _orders(model, players, layer)]
    for number in range(1, most + 1):
        for several in combinations(orders, number):
            yield several, "jump" in layers


def _orders(model: Model, players: list[str], layer: str) -> Iterator[Order]:
    steps = [step.name for step in model.of_kind("step")]
    families = list(dict.fromkeys(phase.family for phase in model.of_kind("phase")))
    if layer == "skip":
        yield from (Skip("step", step) for step in steps)
        yield from (Skip("phase", family) for family in families)
        yield from (SkipTurn(player) for player in players)
    elif layer == "extra":
        yield from (AddStep(step) for step in steps)
        yield from (AddPhase((family,)) for family in families)
        yield from (AddStep(step, after="current_phase") for step in steps)
        yield from (AddTurn(player) for player in players)


def affected(run: Run, orders: Iterable[Order]) -> Run:
    """A copy of the run in which these effects have just happened."""
    twin = run.copy()
    for order in orders:
        apply(order, twin)
    return twin


def cause(orders: Iterable[Order]) -> str:
    """What happened, in words."""
    return " and ".join(map(_effect, orders)) or "an effect that ends the turn or a phase"


def _effect(order: Order) -> str:
    match order:
        case AddStep(step=step, after="current_phase"):
            return f"an extra {step} step after the phase"
        case AddStep(step=step):
            return f"an extra {step} step"
        case AddPhase(phases=phases):
            return f"an extra {' and '.join(phases)} phase"
        case AddTurn(player=player):
            return f"an extra turn of {player}"
        case Skip(level=level, what=what):
            return f"a skipped {what} {level}"
        case SkipTurn(player=player):
            return f"a skipped turn of {player}"
        case _:
            return "an effect"
