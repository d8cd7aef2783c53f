"""Undo and redo: the decisions of one game, taken back and made again, singly or back to the start of a turn."""

from __future__ import annotations

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Request
from fsm.errors import AnswerError

EVERY = 64
"""After so many answers at most a fork is kept, from which the ones after it are given again."""


class History:
    """Answer through it, and the game can go back. The controller stays the same object all the while.

    What was answered before the history began cannot be taken back.
    """

    def __init__(self, controller: TurnController) -> None:
        self.controller = controller
        self.answers: list[Answer] = []
        self.undone: list[Answer] = []
        self._marks: list[tuple[int, TurnController]] = [(0, controller.fork())]

    def answer(self, answer: Answer) -> Request:
        """As the controller's; what was undone is gone. Raises what that raises, and then nothing has changed."""
        request = self._give(answer)
        self.undone.clear()
        return request

    def undo(self, count: int = 1) -> Request:
        """Take back so many answers. Raises AnswerError when there are fewer."""
        if not 0 <= count <= len(self.answers):
            raise AnswerError(f"{count} answers cannot be undone: there are {len(self.answers)}")
        return self._back_to(len(self.answers) - count)

    def redo(self, count: int = 1) -> Request:
        """Give again so many answers that were undone. Raises AnswerError when there are fewer."""
        if not 0 <= count <= len(self.undone):
            raise AnswerError(f"{count} answers cannot be given again: {len(self.undone)} were undone")
        for _ in range(count):
            self._give(self.undone[-1])
            self.undone.pop()
        return self.controller.request

    def to_turn(self, turn: int) -> Request:
        """Back to the first request of this turn. Raises AnswerError when it did not begin in this history."""
        found = next((index for index, mark in self._marks if mark.position.turn == turn and self._begins(index)), None)
        if found is None:
            raise AnswerError(f"turn {turn} did not begin in this history")
        return self._back_to(found)

    def branch(self) -> History:
        """A history of a fork of the game: both have the same past, and each its own future."""
        other: History = History.__new__(History)
        other.controller = self.controller.fork()
        other.answers, other.undone, other._marks = list(self.answers), [], list(self._marks)
        return other

    def _give(self, answer: Answer) -> Request:
        turn = self.controller.position.turn
        request = self.controller.answer(answer)
        self.answers.append(answer)
        if request.at.turn != turn or len(self.answers) - self._marks[-1][0] >= EVERY:
            self._marks.append((len(self.answers), self.controller.fork()))
        return request

    def _back_to(self, length: int) -> Request:
        """Where the game stood after so many answers: from the last fork before that, the rest given again."""
        while self._marks[-1][0] > length:
            self._marks.pop()
        start, mark = self._marks[-1]
        then = mark.fork()
        for answer in self.answers[start:length]:
            then.answer(answer)
        self.undone += reversed(self.answers[length:])
        del self.answers[length:]
        return self.controller.become(then)

    def _begins(self, index: int) -> bool:
        """Did a turn begin with this mark, or the game?"""
        before = [mark.position.turn for at, mark in self._marks if at < index]
        now = next(mark.position.turn for at, mark in self._marks if at == index)
        return not before or before[-1] != now
