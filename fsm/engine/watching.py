"""What watchers of a game are told, and what ends a subscription."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from fsm.engine.records import Record, records_of
from fsm.engine.requests import Answer, Request
from fsm.engine.semantics import Fired

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController


class Answered(NamedTuple):
    """One answer that was processed.

    Attributes
    ----------
    game
        The game, which waits for the next answer.
    request
        The request that was answered.
    answer
        The answer.
    fired
        What fired, in order.
    """

    game: TurnController
    request: Request
    answer: Answer
    fired: tuple[Fired, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """What fired, as records, in order. They are made when they are read."""
        return tuple(records_of(self.fired, self.game.players, self.request.at.turn))


class Watching:
    """A subscription. Call it to end it, or use it in a `with` statement, which ends it."""

    __slots__ = ("_end",)

    def __init__(self, end: Callable[[], object]) -> None:
        self._end = end

    def __call__(self) -> None:
        """End the subscription."""
        self._end()

    def __enter__(self) -> Watching:
        """Return the subscription, which is under way already."""
        return self

    def __exit__(self, *raised: object) -> None:
        """End the subscription."""
        self._end()
