"""The game that a host is tried in, and the two loops that drive it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Priority, Request, TurnController
from fsm.hosts import StackHost
from fsm.model import Model


@pytest.fixture
def game(magic: Model) -> TurnController:
    """A game of Magic of two players, at its first request."""
    return TurnController(magic, ["Ann", "Ben"])


def turn(number: int) -> Callable[[Request], bool]:
    """Until this turn."""
    return lambda request: request.at.turn == number


def in_asyncio(game: fsm.TurnController, host: Any, **options: Any) -> Request | Over:
    return asyncio.run(fsm.aio.drive(game, host, **options))


@pytest.fixture(params=[fsm.drive, in_asyncio], ids=["plain", "asyncio"])
def drive(request: pytest.FixtureRequest) -> Callable[..., Request | Over]:
    """Each of the two loops."""
    loop: Callable[..., Request | Over] = request.param
    return loop


class Busy(StackHost):
    """Casts two spells that trigger something, and has orders to be told of."""

    hand = 2

    def on_priority(self, request: Priority) -> Answer | None:
        if not self.hand or self.stack:
            return None
        self.hand -= 1
        self.stack, self.waiting = ["spell"], ["trigger"]
        return request.acted()

    def on_untap_permanents(self, request: fsm.Perform) -> Answer:
        return request.done(fsm.Effect("growth", "Ann"), fsm.DelayedTrigger("bell", "end"))
