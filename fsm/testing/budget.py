"""The budget of a search: how many tries it may still make, and until when."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter

Progress = Callable[[int, int], bool | None]
"""Is told how many tries were made, and how many are made at most. If it returns True, the time is
up.
"""
EVERY = 250
"""After how many tries the progress is told."""


class Budget:
    """How many tries are `left` of how many, and the time at which the search must end.

    What is tried is counted here and nowhere else. A part of a budget has a limit of its own, and
    what it spends is spent of the whole as well.
    """

    __slots__ = ("_progress", "_since", "_told", "_whole", "left", "tries", "until")

    def __init__(
        self,
        tries: int,
        seconds: float | None = None,
        *,
        whole: Budget | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._progress, self._told = progress, 0
        self.tries = self.left = tries
        self._whole, self._since = whole, perf_counter()
        self.until = self._since + seconds if seconds is not None else inf

    @property
    def spent(self) -> int:
        """How many tries were made."""
        return self.tries - self.left

    @property
    def lasts(self) -> bool:
        """Whether anything may still be tried."""
        return self.left > 0 and not self.late

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return perf_counter() >= self.until or (self._whole is not None and self._whole.late)

    def spend(self, tries: int = 1) -> None:
        """Count tries that were made."""
        self.left -= tries
        if self._whole is not None:
            self._whole.spend(tries)
        if self._progress is not None and self.spent >= self._told + EVERY:
            self._told = self.spent
            if self._progress(min(self.spent, self.tries), self.tries):
                self.until = self._since

    def part(self, tries: int) -> Budget:
        """Return a part with this many tries. It ends in time, but not when the whole is spent."""
        part = Budget(tries, whole=self)
        part.until = self.until
        return part

    def up_to(self, share: float) -> Budget:
        """Return a part that ends when this share of the whole is spent, or before its time is up."""
        now = perf_counter()
        if self.late:
            return self.part(0)
        timed = self.spent and self.until < inf
        soon = int(self.spent * (self.until - now) / (now - self._since)) if timed else self.tries
        return self.part(min(soon, int(self.left - (1 - share) * self.tries)))
