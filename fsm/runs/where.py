"""A position in a game: one visit to a step."""

from __future__ import annotations

from typing import NamedTuple


class Where(NamedTuple):
    """A visit of a step: the `iteration`-th of that step in the `turn`-th turn. Turn 0: before the game."""

    turn: int
    step: str
    iteration: int = 1

    def __str__(self) -> str:
        again = f" (visit {self.iteration})" if self.iteration > 1 else ""
        return f"turn {self.turn} {self.step}{again}" if self.turn else "before turn 1"


BEFORE = Where(0, "", 1)
