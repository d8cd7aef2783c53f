"""Undo and redo of answers, one by one or back to the start of a turn."""

from __future__ import annotations

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.errors import AnswerError
from fsm.state.orders import Order

EVERY = 64
"""A fork is kept after at most this many answers. Undo starts from a fork and repeats the answers after it."""


class History:
    """Answers for a game and takes answers back. The controller stays the same object.

    Answers that were given before the history was made cannot be undone.

    Parameters
    ----------
    controller
        The controller of the game. Give all answers through the history from now on.

    Attributes
    ----------
    controller
        The controller of the game.
    answers
        The answers that are in force, in order.
    undone
        The answers that `redo` can give again. The last one is given first.
    """

    def __init__(self, controller: TurnController) -> None:
        self.controller = controller
        self.answers: list[Answer] = []
        self.undone: list[Answer] = []
        self._marks: list[tuple[int, TurnController]] = [(0, controller.fork())]

    def answer(self, answer: Answer) -> Request | Over:
        """Answer the request of the controller. The answers that were undone cannot be given again after that.

        Parameters
        ----------
        answer
            The answer, as for `TurnController.answer`.

        Returns
        -------
        Request
            The next request.

        Raises
        ------
        AnswerError, OrderError, Stuck
            As `TurnController.answer` does. Then nothing has changed.
        """
        request = self._give(answer)
        self.undone.clear()
        return request

    def order(self, *orders: Order, **facts: bool) -> Request | Over:
        """Give orders between two answers. They are undone like an answer.

        Parameters
        ----------
        *orders, **facts
            As for `TurnController.order`.

        Returns
        -------
        Request
            The request that is to be answered now.

        Raises
        ------
        AnswerError, OrderError, Stuck
            As `TurnController.order` does. Then nothing has changed.
        """
        return self.answer(Answer("", facts, orders))

    def undo(self, count: int = 1) -> Request | Over:
        """Take back the last answers.

        Parameters
        ----------
        count
            How many answers are taken back.

        Returns
        -------
        Request
            The request to which the game has gone back.

        Raises
        ------
        AnswerError
            If the history has fewer answers.
        """
        if not 0 <= count <= len(self.answers):
            raise AnswerError(f"{count} answers cannot be undone: there are {len(self.answers)}")
        return self._back_to(len(self.answers) - count)

    def redo(self, count: int = 1) -> Request | Over:
        """Give answers again that were undone.

        Parameters
        ----------
        count
            How many answers are given again.

        Returns
        -------
        Request
            The next request.

        Raises
        ------
        AnswerError
            If fewer answers were undone.
        """
        if not 0 <= count <= len(self.undone):
            raise AnswerError(f"{count} answers cannot be given again: {len(self.undone)} were undone")
        for _ in range(count):
            self._give(self.undone[-1])
            self.undone.pop()
        return self.controller.request

    def to_turn(self, turn: int) -> Request | Over:
        """Go back to the first request of a turn.

        Parameters
        ----------
        turn
            The number of the turn, counted from 1.

        Returns
        -------
        Request
            The first request of that turn.

        Raises
        ------
        AnswerError
            If the turn did not begin in this history.
        """
        found = next((index for index, mark in self._marks if mark.position.turn == turn and self._begins(index)), None)
        if found is None:
            raise AnswerError(f"turn {turn} did not begin in this history")
        return self._back_to(found)

    def branch(self) -> History:
        """Return a history of a fork of the game. Both have the same past and go on independently."""
        other: History = History.__new__(History)
        other.controller = self.controller.fork()
        other.answers, other.undone, other._marks = list(self.answers), [], list(self._marks)
        return other

    def _give(self, answer: Answer) -> Request | Over:
        turn = self.controller.position.turn
        request = self.controller.answer(answer)
        self.answers.append(answer)
        if request.at.turn != turn or len(self.answers) - self._marks[-1][0] >= EVERY:
            self._marks.append((len(self.answers), self.controller.fork()))
        return request

    def _back_to(self, length: int) -> Request | Over:
        """Go back to the state after this many answers.

        The history starts from the last fork before that state and repeats the answers after the fork.
        """
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
        """Did the game or a turn begin with this mark?"""
        before = [mark.position.turn for at, mark in self._marks if at < index]
        now = next(mark.position.turn for at, mark in self._marks if at == index)
        return not before or before[-1] != now
