"""A rulebook as it was read: each rule by its number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from fsm.analysis.rulebook.numbering import section_of
from fsm.errors import FsmError


class RulebookError(FsmError):
    """A file is no rulebook that can be read, or not that of the ruleset."""


@dataclass(frozen=True, slots=True)
class BookRule:
    """A rule of a rulebook.

    Attributes
    ----------
    number
        Its number, written as citations are.
    text
        Its words, as they stand in the file but on one line.
    examples
        The words of its examples.
    line
        The line on which it begins, counted from 1.
    """

    number: str
    text: str
    examples: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The rules of a file, in its order.

    Attributes
    ----------
    name
        The path of the file.
    rules
        Each rule by its number.
    effective
        The day from which the file says that it counts, or "".
    twice
        Numbers that stand there twice with different words. The longer text is the one that counts.
    """

    name: str
    rules: Mapping[str, BookRule]
    effective: str = ""
    twice: tuple[str, ...] = ()

    @property
    def numbers(self) -> frozenset[str]:
        """The numbers of all rules, and of each section that a rule is in."""
        return frozenset(self.rules).union(map(section_of, self.rules))
