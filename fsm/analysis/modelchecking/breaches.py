"""Follows the answers of a played game, and finds where it breaks a property."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.analysis.modelchecking.bounds import Bounds
from fsm.analysis.modelchecking.candidateorders import start_of
from fsm.analysis.modelchecking.eventmatching import Reader
from fsm.analysis.modelchecking.exploration import AnswerLog
from fsm.analysis.modelchecking.stepping import Seen, Stepper
from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.rulesets.properties import Property, Safe
from fsm.state.orders import Order

FOREVER = 10**9


def follow(model: Model, players: int, answers: Iterable[Answer]) -> Iterator[list[Seen | AnswerLog]]:
    """What is seen as a game begins, and of each answer; orders are numbered as they come. It ends where stuck."""
    bounds = Bounds(turns=FOREVER, players=players)
    stepper, run = Stepper(model, bounds), start_of(model, bounds)
    yield list(stepper.started(run).seen)
    number = 0
    for answer in answers:
        step, phase = run.agenda.current_step, run.agenda.current_phase
        names = (
            step.name if step is not None and step.under_way else "",
            phase.name if phase is not None and phase.under_way else "",
        )
        given = [AnswerLog(number + i, run.state, *names) for i in range(len(answer.orders))]
        number += len(given)
        outcome = stepper.answered(run, answer)
        yield [*given, *outcome.seen]
        if outcome.problem:
            return


def breach(model: Model, property: Property, players: int, answers: Sequence[Answer]) -> int | None:
    """After how many answers this safety property is broken in this game; None if it is not."""
    form = property.form
    if not isinstance(form, Safe):
        return None
    orders: list[Order] = [order for answer in answers for order in answer.orders]
    reader, armed = Reader(model, orders), form.start
    for number, seen in enumerate(follow(model, players, answers)):
        for one in seen:
            armed = armed or reader.any(form.arm, one)
            if armed and reader.any(form.until, one):
                armed = False
            elif armed and reader.any(form.no, one):
                return number
    return None
