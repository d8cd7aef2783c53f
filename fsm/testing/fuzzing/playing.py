"""Plays random games under watch: one after another, or many tables in one process, an answer at each in turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from fsm.engine.requests import Over
from fsm.errors import FsmError
from fsm.model import Model
from fsm.testing.fuzzing.instrumentation import Broken, Looks, Thorough, Watch
from fsm.testing.fuzzing.randomwalk import Wanderer, wanderings_of
from fsm.testing.fuzzing.weights import Weights

MOST_ANSWERS = 400
"""So many answers for each turn that a game may have: endless windows end there."""


@dataclass(frozen=True)
class Plan:
    """What is played. Every game follows from `seed` and its number; the shares decide only where is looked closely.

    `turns`: a game ends after so many. `snapshot_share`: of the waiting points at which snapshot and fork are
    compared; `trace_share`: of the games whose record is looked at and replayed.
    """

    seed: int = 0
    turns: int = 12
    snapshot_share: float = 0.01
    trace_share: float = 0.1
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        for name in ("snapshot_share", "trace_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise FsmError(f"{name} must be from 0 to 1, not {getattr(self, name)!r}")
        if self.turns < 1:
            raise FsmError(f"turns must be 1 or more, not {self.turns!r}")


@dataclass(frozen=True)
class Played:
    """What came of one game."""

    number: int
    looks: Looks
    broken: Broken | None


class Table:
    """One random game under way: `step` gives one answer."""

    def __init__(self, model: Model, plan: Plan, number: int) -> None:
        self.number, self.plan = number, plan
        self.wanderer = Wanderer(wanderings_of(model, plan.weights), plan.seed, number)
        chance = Random(f"{plan.seed} {number} looks")
        thorough = Thorough(plan.snapshot_share, chance.random() < plan.trace_share, chance)
        self.watch = Watch(model, self.wanderer.head, thorough)
        self.most = plan.turns * MOST_ANSWERS

    def step(self, most: int = 1) -> bool:
        """Give so many answers; False when the game has come to its end before."""
        watch, turns, answer = self.watch, self.plan.turns, self.wanderer.answer
        controller, looks = watch.controller, watch.looks
        if controller is None:
            return False
        for _ in range(min(most, self.most - looks.answers)):
            request = controller.request
            if watch.broken is not None or request.__class__ is Over or request.at.turn > turns:
                return False
            watch.answer(answer(controller))
        return looks.answers < self.most

    def close(self) -> Played:
        """What came of the game."""
        self.watch.close()
        return Played(self.number, self.watch.looks, self.watch.broken)


def play(model: Model, plan: Plan, number: int) -> Played:
    """Play the game of this number from start to end."""
    table = Table(model, plan, number)
    table.step(table.most)
    return table.close()


def play_all(model: Model, plan: Plan, numbers: Iterable[int], tables: int = 1) -> Iterator[Played]:
    """Play the games of these numbers, so many tables at a time. They come in the order in which they end."""
    if tables == 1:
        yield from (play(model, plan, number) for number in numbers)
        return
    waiting = iter(numbers)
    seated = [Table(model, plan, number) for number in islice(waiting, tables)]
    while seated:
        going = []
        for table in seated:
            if table.step():
                going.append(table)
                continue
            yield table.close()
            going += [Table(model, plan, number) for number in islice(waiting, 1)]
        seated = going
