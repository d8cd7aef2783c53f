"""A position in a game: one visit to a step."""

from __future__ import annotations

from typing import NamedTuple

from fsm.wording import position_words


class Where(NamedTuple):
    """A visit of a step: the `iteration`-th of that step in the `turn`-th turn. Turn 0: before the
    game.
    """

    turn: int
    step: str
    iteration: int = 1

    def __str__(self) -> str:
        return (
            position_words(self.turn, self.step, visit=self.iteration)
            if self.turn
            else "before turn 1"
        )


BEFORE = Where(0, "", 1)
