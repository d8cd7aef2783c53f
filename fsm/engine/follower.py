"""Follows a game through its log of answers, when somebody asks for what only the interpreter sees."""

from __future__ import annotations

from abc import ABC, abstractmethod

from fsm.engine.answer_log import AnswerLog
from fsm.engine.requests import Answer
from fsm.engine.wait_points import ODD, wait_points_of
from fsm.state.run import Run


class Follower(ABC):
    """Repeats the answers of a game in a run of its own. It goes on where it stopped when it is asked again."""

    def __init__(self, run: Run) -> None:
        self.run, self.taken, self.odd = run, 0, 0

    def follow(self, given: AnswerLog) -> None:
        """Take the answers that are new. The log must begin with the answers of the last call."""
        points = wait_points_of(self.run.model)
        for code in given.codes[self.taken :]:
            if code != ODD:
                answer = points.at(self.run.state, self.run.frame).numbered[code].answer
            elif given.odd is not None:
                answer, self.odd = given.odd[self.odd], self.odd + 1
            self.take(answer)
        self.taken = len(given.codes)

    @abstractmethod
    def take(self, answer: Answer) -> None:
        """Process one answer."""
