"""A game at a wait point and the path to it. A search continues from it, or goes back along the path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fsm.engine.requests import Answer
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchnode import AnswerStep, SearchNode


@dataclass(frozen=True, slots=True, eq=False)
class WaitingGame:
    """Where a game waits. `before` and `step`: how it came there, None at its beginning; `length`: so many answers."""

    start: Start
    node: SearchNode
    before: WaitingGame | None = None
    step: AnswerStep | None = None
    length: int = 0

    def after(self, step: AnswerStep) -> WaitingGame:
        """The place to which this step led."""
        return WaitingGame(self.start, step.node, self, step, self.length + 1)

    @property
    def steps(self) -> list[AnswerStep]:
        """All steps from the beginning of the game."""
        return list(self._backwards())[::-1]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers from the beginning of the game."""
        return tuple(step.answer for step in self.steps)

    def _backwards(self) -> Iterator[AnswerStep]:
        game: WaitingGame | None = self
        while game is not None and game.step is not None:
            yield game.step
            game = game.before
