"""Follows a game through its log of answers, when somebody asks for what only the interpreter sees."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from fsm.engine.answer_log import AnswerLog
from fsm.engine.requests import Answer
from fsm.engine.wait_points import wait_points_of
from fsm.state.run import Run


class Follower(ABC):
    """Repeats the answers of a game in a run of its own. It goes on where it stopped when it is
    asked again.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.taken = run, 0

    def following(self, given: AnswerLog) -> Iterator[Answer]:
        """Take the answers that are new, and yield each. The log must begin with the answers of the
        last call.
        """
        for code in given.each(self.taken):
            answer = self.numbered(code) if isinstance(code, int) else code
            self.take(answer)
            self.taken += 1
            yield answer

    def numbered(self, code: int) -> Answer:
        """Return the plain answer of this number at the wait point where the run is."""
        return (
            wait_points_of(self.run.model).at(self.run.state, self.run.frame).numbered[code].answer
        )

    @abstractmethod
    def take(self, answer: Answer) -> None:
        """Process one answer."""
