"""The answers that were given in a game, in order. Most take one byte, so the log of a game is
small.

A plain answer is stored as its number at the wait point where it was given
(`fsm.engine.wait_points.Reply`). A reader of the log has to follow the game to know the wait point.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.engine.requests import Answer

PART = 1024
"""So many answers are read together."""


class AnswerLog:
    """The answers up to some moment of a game. It never changes, so games that were one share what
    they have in common.

    Attributes
    ----------
    before
        The answers before these, or None.
    codes
        Plain answers, a byte each.
    odd
        An answer without a number, which came after them, or None.
    count
        How many answers there are, those before included.
    """

    __slots__ = ("before", "codes", "count", "odd")

    def __init__(
        self, before: AnswerLog | None = None, codes: bytes = b"", odd: Answer | None = None
    ) -> None:
        self.before: AnswerLog | None = before
        self.codes: bytes = codes
        self.odd: Answer | None = odd
        self.count: int = (
            (before.count if before is not None else 0) + len(codes) + (odd is not None)
        )

    def plus(self, codes: bytes, odd: Answer | None = None) -> AnswerLog:
        """Return the log with more answers. Short parts are joined, so that there are few of them."""
        if self.odd is None and len(self.codes) <= len(codes):
            codes = self.codes + codes
            return (
                self.before.plus(codes, odd)
                if self.before is not None
                else AnswerLog(None, codes, odd)
            )
        return AnswerLog(self, codes, odd)

    def since(self, count: int) -> Iterator[bytes | Answer]:
        """Yield the answers after the first `count`: plain ones as numbers, up to `PART` together."""
        parts: list[AnswerLog] = []
        log: AnswerLog | None = self
        while log is not None and log.count > count:
            parts.append(log)
            log = log.before
        for part in reversed(parts):
            end = part.count - (part.odd is not None)
            for at in range(max(count - (end - len(part.codes)), 0), len(part.codes), PART):
                yield part.codes[at : at + PART]
            if part.odd is not None:
                yield part.odd

    def each(self, count: int) -> Iterator[int | Answer]:
        """Yield the answers after the first `count` one by one: plain ones as numbers."""
        for part in self.since(count):
            if isinstance(part, bytes):
                yield from part
            else:
                yield part

    def common(self, other: AnswerLog) -> int:
        """Return with how many equal answers both logs begin."""
        most = min(self.count, other.count)
        mine, theirs = self._upto(most), other._upto(most)
        if mine is theirs:
            return most
        if (
            mine.before is theirs.before and mine.odd is theirs.odd is None
        ):  # as a game goes on, it is so most times
            long, short = sorted((mine.codes, theirs.codes), key=len, reverse=True)
            if long.startswith(short):
                return most
        pairs = enumerate(zip(self.each(0), other.each(0), strict=False))
        return next((number for number, (a, b) in pairs if a != b), most)

    def _upto(self, count: int) -> AnswerLog:
        """Return the part that has the answer of this number, with those before it."""
        log = self
        while log.before is not None and log.before.count >= count:
            log = log.before
        return log


NO_ANSWERS = AnswerLog()
"""The log of every game that begins."""
