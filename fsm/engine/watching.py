"""What watchers of a game are told, and what ends a subscription."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fsm.engine.answered import Firings
    from fsm.engine.askers import Players
    from fsm.engine.positions import Progress
    from fsm.engine.records import Record
    from fsm.engine.requests import Answer, Over, Request


class Answered:
    """One answer that was processed.

    Attributes
    ----------
    request
        The request that was answered.
    firings
        What fired, as all games share it that have come the same way.
    players, progress
        What tells the records of this game from theirs.
    """

    __slots__ = (
        "firings",
        "players",
        "progress",
        "request",
    )  # without a constructor, which would take twice as long
    request: Request | Over
    firings: Firings
    players: Players
    progress: Progress | None

    @property
    def answer(self) -> Answer:
        """The answer."""
        return self.firings.answer

    @property
    def records(self) -> tuple[Record, ...]:
        """What fired, in order. The records are made when they are read."""
        firings = self.firings
        return tuple(firings.records if self.progress is None else firings.of(self))


class Watching:
    """A subscription. Call it to end it, or use it in a `with` statement, which ends it."""

    __slots__ = ("_end",)

    def __init__(self, end: Callable[[], None]) -> None:
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
