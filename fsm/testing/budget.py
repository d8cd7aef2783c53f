"""The budget of a search: how many tries it may still make, and until when."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import perf_counter

Progress = Callable[[int, int], None]
"""Is told how many tries were made, and how many are made at most."""
EVERY = 250
"""After how many tries the progress is told."""


class Budget:
    """How many tries were `spent` of how many, and the time at which the search must end."""

    __slots__ = ("_progress", "_until", "spent", "tries")

    def __init__(
        self, tries: int, seconds: float | None = None, *, progress: Progress | None = None
    ) -> None:
        self.tries, self.spent, self._progress = tries, 0, progress
        self._until = perf_counter() + seconds if seconds is not None else inf

    @property
    def lasts(self) -> bool:
        """Whether anything may still be tried."""
        return self.spent < self.tries and perf_counter() < self._until

    def spend(self) -> None:
        """Count a try."""
        self.spent += 1
        if self._progress is not None and self.spent % EVERY == 0:
            self._progress(min(self.spent, self.tries), self.tries)
