"""The answers that were given in a game, in order. Most take one byte, so the log of a game is small.

A plain answer is stored as its number at the wait point where it was given (`fsm.engine.wait_points.Reply`). A reader
of the log has to follow the game to know the wait point.
"""

from __future__ import annotations

from fsm.engine.requests import Answer
from fsm.engine.wait_points import ODD


class AnswerLog:
    """Answers as bytes. Answers without a number are stored whole beside the bytes, in order."""

    __slots__ = ("codes", "odd")

    def __init__(self) -> None:
        self.codes = bytearray()
        self.odd: list[Answer] | None = None

    def add(self, answer: Answer, code: int) -> None:
        """Add an answer."""
        self.codes.append(code)
        if code == ODD:
            if self.odd is None:
                self.odd = []
            self.odd.append(answer)

    def copy(self) -> AnswerLog:
        """Return an independent copy."""
        given = AnswerLog.__new__(AnswerLog)
        given.codes, given.odd = self.codes[:], self.odd and self.odd[:]
        return given

    def cut(self, count: int) -> None:
        """Keep only the first `count` answers."""
        gone = self.codes[count:].count(ODD)
        if self.odd is not None and gone:
            del self.odd[-gone:]
        del self.codes[count:]
