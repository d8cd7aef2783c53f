"""What ends a subscription."""

from __future__ import annotations

from collections.abc import Callable


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
