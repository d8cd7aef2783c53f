"""A game at a wait point and the path to it. A search continues from it, or goes back along the
path.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fsm.engine.requests import Answer
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchnode import AnswerStep, SearchNode


@dataclass(frozen=True, slots=True, eq=False)
class WaitingGame:
    """A game at a wait point, after `length` answers. `before` and `step` led to it; they are None
    at the beginning.
    """

    start: Start
    node: SearchNode
    before: WaitingGame | None = None
    step: AnswerStep | None = None
    length: int = 0

    def after(self, step: AnswerStep) -> WaitingGame:
        """Return the game after this step."""
        return WaitingGame(self.start, step.node, self, step, self.length + 1)

    @property
    def steps(self) -> list[AnswerStep]:
        """All steps since the beginning of the game."""
        return list(self._backwards())[::-1]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers since the beginning of the game."""
        return tuple(step.answer for step in self.steps)

    def _backwards(self) -> Iterator[AnswerStep]:
        game: WaitingGame | None = self
        while game is not None and game.step is not None:
            yield game.step
            game = game.before
