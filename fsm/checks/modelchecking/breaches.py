"""Follows the answers of a played game, and finds where it breaks a property."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.checks.modelchecking.bounds import Bounds
from fsm.checks.modelchecking.candidateorders import start_of
from fsm.checks.modelchecking.eventmatching import EventMatcher
from fsm.checks.modelchecking.labels import GivenOrder
from fsm.checks.modelchecking.stepping import ObservedFiring, Stepper
from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.rulesets.properties import Property, Safe
from fsm.state.orders import Order

FOREVER = 10**9


def observations(
    model: Model, players: int, answers: Iterable[Answer]
) -> Iterator[list[ObservedFiring | GivenOrder]]:
    """Yield what is observed as a game begins, and then for each answer, up to the first answer
    that gets stuck.

    Orders are numbered in the order in which they are given.
    """
    bounds = Bounds(turns=FOREVER, players=players)
    stepper, run = Stepper(model, bounds), start_of(model, bounds)
    yield list(stepper.started(run).seen)
    number = 0
    for answer in answers:
        given = [GivenOrder.in_run(number + i, run) for i in range(len(answer.orders))]
        number += len(given)
        outcome = stepper.answered(run, answer)
        yield [*given, *outcome.seen]
        if outcome.problem:
            return


def breach(model: Model, property: Property, players: int, answers: Sequence[Answer]) -> int | None:
    """Return after how many answers this game breaks the safety property, or None if it does not."""
    form = property.form
    if not isinstance(form, Safe):
        return None
    orders: list[Order] = [order for answer in answers for order in answer.orders]
    matcher, armed = EventMatcher(model, orders), form.start
    for number, seen in enumerate(observations(model, players, answers)):
        for one in seen:
            armed = armed or matcher.matches_any(form.arm, one)
            if armed and matcher.matches_any(form.until, one):
                armed = False
            elif armed and matcher.matches_any(form.no, one):
                return number
    return None
