"""No cost grows faster than its work. Operations are counted, for times differ from one machine to
the next.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks.growth import play_turn, table
from fsm import TurnController, check
from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.rulesets import Table
from fsm.state.orders import DelayedTrigger, Effect, Order, StandingTrigger
from support.counting import exponent, operations
from support.playing import quiet, started

LINEAR, STEADY = 1.15, 0.03
"""Exponents: of what grows as the size does, with room for chance, and of what does not."""


def built(steps: int, phases: int) -> Model:
    return table(steps, phases).build()


def first_turn(model: Model) -> None:
    play_turn(TurnController(model, ("A", "B")))


WORK: dict[str, Callable[[Model], object]] = {
    "a first turn": first_turn,
    "a check": check,
    "a fingerprint": lambda model: model.fingerprint,
}


@pytest.mark.parametrize("phases", [1, 5], ids=["one phase", "phases of five steps"])
@pytest.mark.parametrize("work", WORK.values(), ids=WORK)
def test_what_a_model_costs_grows_as_the_model_does(
    work: Callable[[Model], object], phases: int
) -> None:
    counts = {}
    for steps in (5, 15):
        model = built(steps, 1 if phases == 1 else steps // phases)
        work(built(5, 1))  # so that nothing is counted that is done once
        counts[len(model.states)] = operations(lambda model=model: work(model))  # type: ignore[misc]
    assert exponent(counts) < LINEAR, counts


def test_what_a_table_costs_grows_as_the_table_does() -> None:
    def build(steps: int) -> int:
        made: Table = table(steps)
        return operations(made.build)

    build(10)
    counts = {steps: build(steps) for steps in (5, 25)}
    assert exponent(counts) < LINEAR, counts


WAITING: dict[str, Callable[[int], Order]] = {
    "effects": lambda number: Effect(f"x{number}", "AB"[number % 2], "end_of_turn"),
    "effects of one player": lambda number: Effect(f"x{number}", "A", "your_next_turn"),
    "delayed triggers": lambda number: DelayedTrigger(f"x{number}", "end"),
}


def games(model: Model, kind: Callable[[int], Order]) -> dict[int, tuple[TurnController, Answer]]:
    """Games in which nothing has been given yet, each with the answer that gives so many orders."""
    found = {}
    for size in (0, 100, 900):
        game = started(model, "AB")
        found[size] = game, quiet(game.request, orders=[kind(number) for number in range(size)])
    return found


@pytest.mark.parametrize("kind", WAITING.values(), ids=WAITING)
def test_effects_are_given_and_end_in_proportion_to_their_number(
    magic: Model, kind: Callable[[int], Order]
) -> None:
    given, ended = {}, {}
    for size, (game, answer) in games(magic, kind).items():
        given[size] = operations(lambda game=game, answer=answer: game.answer(answer))  # type: ignore[misc]
        ended[size] = operations(lambda game=game: play_to(game, turn=4))  # type: ignore[misc]
        assert game.calendar.empty
    for counts in (given, ended):
        alone = counts.pop(0)
        assert exponent({size: count - alone for size, count in counts.items()}) < LINEAR, counts


OTHERS: dict[str, Callable[[int], Order]] = {
    "effects": lambda number: Effect(f"x{number}", "A", "end_of_combat"),
    "delayed triggers": lambda number: DelayedTrigger(
        f"x{number}", "end", player="B", on="your_next_turn"
    ),
    "standing triggers": lambda number: StandingTrigger(f"x{number}", "cleanup"),
}


@pytest.mark.parametrize("kind", OTHERS.values(), ids=OTHERS)
def test_an_answer_costs_the_same_whatever_waits_for_another_moment(
    magic: Model, kind: Callable[[int], Order]
) -> None:
    counts, forks = {}, {}
    given = games(magic, kind)
    del given[0]
    for size, (game, answer) in given.items():
        game.answer(answer)
        forks[size] = operations(game.fork)
        counts[size] = operations(lambda game=game: play_to(game, step="precombat_main"))  # type: ignore[misc]
        one_more = quiet(game.request, orders=[Effect("one", "A")])
        counts[size] += operations(lambda game=game, answer=one_more: game.answer(answer))  # type: ignore[misc]
        assert game.calendar.pending == size + 1
    assert exponent(counts) < STEADY, counts
    assert exponent(forks) == 0, forks


def play_to(game: TurnController, *, turn: int = 1, step: str = "") -> None:
    while game.request.at.turn < turn or (step and game.request.at.step != step):
        game.answer(quiet(game.request))
