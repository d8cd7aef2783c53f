"""The answers given in a game, in order: a byte for most of them, so that its record is small.

A plain answer is kept as its number in the place where it was given (`fsm.engine.wait_points.Reply`): who reads it has
to know where the game stood, and follows the game to do so.
"""

from __future__ import annotations

from fsm.engine.requests import Answer
from fsm.engine.wait_points import ODD


class AnswerLog:
    """Answers as bytes; those without a number of their own are kept whole beside, in order."""

    __slots__ = ("codes", "odd")

    def __init__(self) -> None:
        self.codes = bytearray()
        self.odd: list[Answer] | None = None

    def add(self, answer: Answer, code: int) -> None:
        """One more answer has been given."""
        self.codes.append(code)
        if code == ODD:
            if self.odd is None:
                self.odd = []
            self.odd.append(answer)

    def copy(self) -> AnswerLog:
        """An independent copy."""
        given = AnswerLog.__new__(AnswerLog)
        given.codes, given.odd = self.codes[:], self.odd and self.odd[:]
        return given

    def cut(self, count: int) -> None:
        """Forget all but the first so many answers."""
        gone = self.codes[count:].count(ODD)
        if self.odd is not None and gone:
            del self.odd[-gone:]
        del self.codes[count:]
