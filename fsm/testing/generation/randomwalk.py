"""Random games by a seed, with every word, fact, order and signal of the Model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from fsm.engine.requests import Answer, Over, Signal
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from fsm.testing.generation.replies import remaining_players
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer


@dataclass(frozen=True, slots=True)
class Weights:
    """The probabilities of a random game: an order, a signal, a latched fact that was not asked for, a player who acts,
    and a fact that differs from its quiet value in a window and elsewhere."""

    orders: float = 0.08
    signals: float = 0.04
    tells: float = 0.02
    acts: float = 0.3
    odd_in_windows: float = 0.2
    odd: float = 0.5


USUAL = Weights()


def random_walk(
    node: SearchNode, random: Random, length: int, until: Callable[[AnswerStep], bool], weights: Weights = USUAL
) -> Iterator[AnswerStep]:
    """Yield the steps of a random game, at most `length`, up to the first for which `until` is true."""
    for _ in range(length):
        if isinstance(node.controller.request, Over):
            return
        step = _step(node, random, weights)
        if step is None:
            return
        yield step
        if until(step):
            return
        node = step.node


def _step(node: SearchNode, random: Random, weights: Weights) -> AnswerStep | None:
    for orders in (True, True, False, False):
        step = try_answer(node, any_answer(node, random, orders=orders, weights=weights))
        if step is not None:
            return step
    return None


def any_answer(node: SearchNode, random: Random, *, orders: bool = True, weights: Weights = USUAL) -> Answer:
    """Return a random answer to the request of a node. It may be refused for its orders or signal."""
    players = remaining_players(node) or ("",)
    state = node.controller.waiting
    words = state.words
    word = random.choice(words) if random.random() < weights.acts else words[-1]
    quiet, odd = node.abstract.quiet, weights.odd_in_windows if node.graph_node.frame else weights.odd
    facts = {name: (name in quiet) != (random.random() < odd) for name in node.abstract.facts(*node.graph_node[:2])}
    facts.update((name, True) for name in node.abstract.latched if random.random() < weights.tells)
    some = random.random() < weights.orders
    given = tuple(any_order(node, random, players) for _ in range(random.choice((1, 1, 2)))) if some and orders else ()
    events = sorted(node.abstract.signals)
    signal = None
    if events and random.random() < weights.signals:
        event = random.choice(events)
        signal = Signal(event, random.choice(players) if event == node.abstract.model.leaving else "")
    return Answer(word, facts, given, signal)  # type: ignore[arg-type]


def any_order(node: SearchNode, random: Random, players: Sequence[str]) -> Order:
    """Return a random order. The model refuses it if it does not have this kind of order."""
    model, choice = node.abstract.model, random.choice
    steps = [s.name for s in model.of_kind("step")] or [""]
    families = [s.family or s.name for s in model.of_kind("phase")] or [""]
    step, other, family, player = choice(steps), choice(steps), choice(families), choice(players)
    makers: tuple[Callable[[], Order], ...] = (
        lambda: AddTurn(player),
        lambda: SkipTurn(player),
        lambda: AddPhase((family,)),
        lambda: AddStep(step),
        lambda: AddStep(step, before=other),
        lambda: AddStep(step, "current_phase"),
        lambda: SkipStep(step),
        lambda: SkipPhase(family),
    )
    return choice(makers)()
