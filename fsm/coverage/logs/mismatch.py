"""The first thing in a record that no run of a Model or machine explains."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first observation that no run of the Model agrees with. `str` of it is a sentence.

    Attributes
    ----------
    line
        The line of the log, or the number of the observation.
    seen
        What was seen, for instance "upkeep in turn 2 of seat 1".
    expected
        What could have come instead, in the same words.
    hint
        What would explain the observation, or "".
    says
        The whole message in other words, if a replay has found the refusal, else "".
    """

    line: int
    seen: str
    expected: list[str]
    hint: str = ""
    says: str = ""

    def __str__(self) -> str:
        if self.says:
            return self.says
        could = "; ".join(self.expected) or "nothing: the model has a hole here"
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}: seen {self.seen}; could have come: {could}{hint}"
