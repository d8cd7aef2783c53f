"""Plays random games and checks each of them, one after another or several in turn in one process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from fsm.engine.requests import Over
from fsm.errors import FsmError
from fsm.model import Model
from fsm.testing.fuzzing.checkedgame import Broken, CheckCounts, CheckedGame, Thoroughness
from fsm.testing.fuzzing.randomwalk import Wanderer, wanderings_of
from fsm.testing.fuzzing.weights import Weights

MOST_ANSWERS = 400
"""A game may have at most this many answers for each turn. It ends endless windows."""


@dataclass(frozen=True)
class Plan:
    """Which random games are played, and how closely they are checked. The seed and its number
    determine each game.

    Parameters
    ----------
    seed
        The seed of all games.
    turns
        How many turns a game has at most.
    snapshot_share
        The share of the wait points at which a snapshot and a fork are compared with the game, from
        0 to 1.
    trace_share
        The share of the games whose trace is checked and replayed, from 0 to 1.
    weights
        The probabilities of what happens in a game.

    Raises
    ------
    FsmError
        If a share is not from 0 to 1, or if `turns` is less than 1.
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
    """The result of one game."""

    number: int
    looks: CheckCounts
    broken: Broken | None


class RandomGame:
    """One random game in progress."""

    def __init__(self, model: Model, plan: Plan, number: int) -> None:
        self.number, self.plan = number, plan
        self.wanderer = Wanderer(wanderings_of(model, plan.weights), plan.seed, number)
        chance = Random(f"{plan.seed} {number} looks")
        thorough = Thoroughness(plan.snapshot_share, chance.random() < plan.trace_share, chance)
        self.checked = CheckedGame(model, self.wanderer.head, thorough)
        self.most = plan.turns * MOST_ANSWERS

    def step(self, most: int = 1) -> bool:
        """Give this many answers. Return False when the game has ended."""
        checked, turns, answer = self.checked, self.plan.turns, self.wanderer.answer
        controller, counts = checked.controller, checked.counts
        if controller is None:
            return False
        for _ in range(min(most, self.most - counts.answers)):
            request = controller.request
            if checked.broken is not None or request.__class__ is Over or request.at.turn > turns:
                return False
            checked.answer(answer(controller))
        return counts.answers < self.most

    def close(self) -> Played:
        """End the game and return its result."""
        self.checked.close()
        return Played(self.number, self.checked.counts, self.checked.broken)


def play(model: Model, plan: Plan, number: int) -> Played:
    """Play one random game from start to end.

    Parameters
    ----------
    model
        The Model to play.
    plan
        The seed, the length and the checks of the game.
    number
        The number of the game.

    Returns
    -------
    Played
        The number of the game, how much was checked, and the broken invariant, if there is one.
    """
    game = RandomGame(model, plan, number)
    game.step(game.most)
    return game.close()


def play_all(model: Model, plan: Plan, numbers: Iterable[int], tables: int = 1) -> Iterator[Played]:
    """Play the games of these numbers, one at each table at a time. Yield them in the order in
    which they end.
    """
    if tables == 1:
        yield from (play(model, plan, number) for number in numbers)
        return
    waiting = iter(numbers)
    open_games = [RandomGame(model, plan, number) for number in islice(waiting, tables)]
    while open_games:
        remaining = []
        for game in open_games:
            if game.step():
                remaining.append(game)
                continue
            yield game.close()
            remaining += [RandomGame(model, plan, number) for number in islice(waiting, 1)]
        open_games = remaining
