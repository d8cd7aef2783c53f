"""Effects that could explain a recorded game: the orders that lead from where it stands to an
observation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.errors import FsmError, suggest
from fsm.model import Model, State
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn

EXPLAINING_LAYERS = ("skip", "extra", "jump")


def check_layers(layers: Iterable[str]) -> None:
    """Raise FsmError for the first layer of which no effect could explain a game."""
    for layer in layers:
        if layer not in EXPLAINING_LAYERS:
            known = suggest(layer, EXPLAINING_LAYERS)
            raise FsmError(f"layer {layer!r} cannot be allowed{known}")


def extra_orders(model: Model, step: str, player: str) -> Iterator[Order]:
    """Yield the orders by which an effect can make this step of this player come next."""
    for state in model.of_kind("step"):
        if state.name == step:
            phase = model.enclosing(state.id, "phase")
            if phase is not None:
                yield AddPhase(phase.family)
            yield from (AddStep(step), AddStep(step, after="current_phase"))
    if player:
        yield AddTurn(player)


def skip_orders(model: Model, begins: State, player: str) -> Iterator[Order]:
    """Yield the skips by which an effect can keep this turn, phase or step of this player from
    coming next.
    """
    phase = model.enclosing(begins.id, "phase")
    if begins.kind == "step":
        yield SkipStep(begins.name, player)
    if phase is not None:
        yield SkipPhase(phase.family, player)
    yield SkipTurn(player)


def effects_in_words(orders: Iterable[Order]) -> str:
    """Return the effects in words."""
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
        case SkipPhase(phase=phase):
            return f"a skipped {phase} phase"
        case SkipStep(step=step):
            return f"a skipped {step} step"
        case SkipTurn(player=player):
            return f"a skipped turn of {player}"
        case _:
            return "an effect"
