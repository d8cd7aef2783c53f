"""The answers given in a game so far, in order: a byte for most of them, so that a long game's record is small.

A plain answer is kept as its number in the place where it was given (`fsm.places.Reply`): who reads it has to
know where the game stood, and follows the game to do so.
"""

from __future__ import annotations

from fsm.places import ODD
from fsm.requests import Answer


class Given:
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
