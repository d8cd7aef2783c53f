"""Callbacks, iteration and coroutines are fronts of one core: the same answers make the same game."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from operator import length_hint
from typing import Any

import pytest

import fsm
from fsm import Answer, TurnController
from fsm.hosts import aio
from fsm.rulesets import names
from support.amounts import sample
from support.coveragegames import games_of
from support.wanderer import Wanderer


class Recorded(fsm.BaseHost):
    """A host that gives recorded answers, whatever it is asked."""

    def __init__(self, answers: Iterator[Answer]) -> None:
        self.answers = answers

    def on_perform(self, request: Any) -> Answer:
        return next(self.answers)

    on_priority = on_check_state = on_place_triggers = on_resolve = on_perform


class Awaited(aio.BaseHost):
    """The same as coroutines."""

    def __init__(self, answers: Iterator[Answer]) -> None:
        self.answers = answers

    async def on_perform(self, request: Any) -> Answer:
        await asyncio.sleep(0)
        return next(self.answers)

    on_priority = on_check_state = on_place_triggers = on_resolve = on_perform


def twin(game: TurnController) -> TurnController:
    head = game.trace.head
    return TurnController(game.model, head.players, teams=head.teams, settings=head.settings)


@pytest.mark.parametrize("name", sample(names(), 2))
def test_all_fronts_play_random_games_alike(name: str) -> None:
    """With orders and signals."""
    for game in Wanderer(fsm.load(name), 11).games(2_500):
        play_alike(game)


@pytest.mark.parametrize("name", sample(names(), 1, seed=9))
def test_all_fronts_play_the_generated_paths_alike(name: str) -> None:
    """The stored games, of which all together take every transition and every pair of them that a
    test here takes.
    """
    for path in sample(games_of(name), 40):
        play_alike(path.play(fsm.load(name)))


def play_alike(game: TurnController) -> None:
    """The game's answers once more, by callbacks, in a loop and by coroutines: each time it is the
    same game.
    """
    answers, last = game.trace.answers, game.request
    called, looped, awaited = twin(game), twin(game), twin(game)
    left = iter(answers)
    fsm.drive(called, Recorded(left), until=lambda _: length_hint(left) == 0)
    given = iter(answers)
    for _ in looped:
        if length_hint(given) == 0:
            break
        looped.answer(next(given))
    waited = iter(answers)
    asyncio.run(aio.drive(awaited, Awaited(waited), until=lambda _: length_hint(waited) == 0))
    assert called.request == looped.request == awaited.request == last
    records = game.trace.records
    assert called.trace.records == looped.trace.records == awaited.trace.records == records
