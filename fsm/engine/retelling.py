"""Tells a game again from its answers, in any thread, while the game goes on in its own.

The answers are values that never change. So the game is not disturbed, and nothing of it is seen
half changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import thread_time

from fsm.engine.answer_log import NO_ANSWERS, AnswerLog
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.watching import Answered

EVERY = 256
"""After so many answers a game is kept, from which later moments are reached."""
CHECKED = 64
"""After so many answers it is checked how long it took."""


class Retelling:
    """A game, told again as far as its answers are known. It can be looked at after each of them.

    Attributes
    ----------
    answers
        The answers that were taken.
    given
        How many were taken, with those that were undone.
    turns
        After how many answers each turn began, with the number of the turn and its player.
    """

    def __init__(self, first: TurnController, given: int = 0) -> None:
        self.answers: list[Answer] = []
        self.given = given
        self._kept = [first.fork()]
        self.last, self._log = first.fork(), NO_ANSWERS
        self.turns = [(0, first.position.turn, first.position.active)]

    @property
    def count(self) -> int:
        """How many answers were taken."""
        return len(self.answers)

    def take(self, log: AnswerLog, seconds: float | None = None) -> None:
        """Take the answers of a log, but stop after so many seconds. If answers were undone, they
        are taken back.
        """
        same = log.common(self._log)
        if same < self.count:
            self._back_to(same)
        self._log, until = log, None if seconds is None else thread_time() + seconds
        game = self.last
        for code in log.each(self.count):
            self.give(game.numbered(code) if isinstance(code, int) else code)
            if until is not None and not self.count % CHECKED and thread_time() > until:
                return

    def give(self, answer: Answer) -> None:
        """Take one answer."""
        game = self.last
        game.answer(answer)
        self.answers.append(answer)
        self.given += 1
        at = game.position
        if at.turn != self.turns[-1][1]:
            self.turns.append((self.count, at.turn, at.active))
        if not self.count % EVERY:
            self._kept.append(game.fork())

    def _back_to(self, count: int) -> None:
        self.given += 1
        del self.answers[count:], self._kept[count // EVERY + 1 :]
        self.turns = [turn for turn in self.turns if turn[0] <= count]
        self.last = self.at(count)

    def at(self, count: int) -> TurnController:
        """Return the game as it was after so many answers."""
        game = self._kept[min(count // EVERY, len(self._kept) - 1)].fork()
        for answer in self.answers[count // EVERY * EVERY : count]:
            game.answer(answer)
        return game

    def told(self, first: int, end: int) -> Sequence[Answered]:
        """Return the answers from one number to before another, each with what it made fire."""
        found = list[Answered]()
        game = self.at(first)
        game.watch_answers(found.append)
        for answer in self.answers[first:end]:
            game.answer(answer)
        return found
