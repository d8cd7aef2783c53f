"""Finds the rules in the plain text of a rulebook whose rules are numbered throughout, such as
"508.1a".

The text is read once, line by line. What stands below a rule without a number belongs to it:
further paragraphs and examples. A number may come again, because a table of contents has it too:
the longer text counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from fsm.analysis.rulebook.book import BookRule
from fsm.analysis.rulebook.normalising import normalised

_NUMBERED = re.compile(
    r"[\s#*>]{0,40}(\d{1,4}(?:\.\d{1,4}){0,8}[a-z]{0,2})(\.?)\**(?:\s+(.*))?\Z", re.DOTALL
)
_GOES_ON = re.compile(r"(?:\b(?:rules?|sections?|and|or|to|through|see)|,)$", re.IGNORECASE)
_MARKUP = " \t*#_>"
_BACK_MATTER = frozenset({"glossary", "credits", "index"})
_EXAMPLES = ("Example:", "Examples:", "EXAMPLE:")


class Collector:
    """Gathers the words of each rule. `number` is that of the rule that has begun, or "".

    Of a number that comes again, the longer text is kept.
    """

    def __init__(self) -> None:
        self.rules: dict[str, BookRule] = {}
        self.twice: dict[str, None] = {}
        self.number = ""
        self._line = 0
        self._words: list[str] = []
        self._examples: list[str] = []
        self._in_example = False

    def begin(self, number: str, words: str, line: int) -> None:
        """Begin a rule. The one before is complete."""
        self.end()
        self.number, self._line = number, line
        self._words, self._examples, self._in_example = [words] if words else [], [], False

    def add(self, words: str) -> None:
        """Add words to the rule that has begun, if one has. After "Example:" they belong to its
        examples.
        """
        if self.number:
            self._in_example |= words.startswith(_EXAMPLES)
            (self._examples if self._in_example else self._words).append(words)

    def take_back(self) -> None:
        """Take away the words that were added last."""
        words = self._examples if self._in_example else self._words
        if words:
            words.pop()

    def end(self) -> None:
        """End the rule that has begun, if one has."""
        if self.number:
            made = BookRule(
                self.number, " ".join(self._words), " ".join(self._examples), self._line
            )
            before = self.rules.get(self.number)
            self.rules[self.number] = made if before is None else self._longer(before, made)
        self.number = ""

    def _longer(self, one: BookRule, other: BookRule) -> BookRule:
        short, long = sorted((one, other), key=lambda rule: len(rule.text))
        if not normalised(long.text).startswith(normalised(short.text)):
            self.twice[one.number] = None
        return long


def numbered_rules(lines: Iterable[str]) -> Collector:
    """Return the rules that these lines have."""
    found, before, deep, behind = Collector(), "", False, False
    for place, line in enumerate(lines, 1):
        bare = line.strip(_MARKUP)
        number, words = _numbered(line, before) if bare[:1].isdigit() else ("", "")
        if number and ("." in number or not behind):
            deep, behind = deep or "." in number, False
            found.begin(number, words, place)
        elif bare.lower() in _BACK_MATTER:
            behind = deep
            found.end()
        elif bare:
            if not before and "." not in found.number and not bare.startswith(_EXAMPLES):
                found.end()  # a heading is one paragraph
            found.add(bare)
        before = bare
    found.end()
    return found


def _numbered(line: str, before: str) -> tuple[str, str]:
    """Return the number of the rule that begins here, with its first words, or "".

    A number after a line that ends in "see rule" is the end of that sentence.
    """
    match = _NUMBERED.match(line)
    if match is None or not ("." in match[1] or match[2]) or _GOES_ON.search(before[-12:]):
        return "", ""
    return match[1], _without_page((match[3] or "").strip(_MARKUP))


def _without_page(words: str) -> str:
    """Return an entry of a table of contents without its dots and its page."""
    entry = words.rstrip("0123456789")
    if entry != words and (entry.endswith("\t") or entry.rstrip(" ").endswith(("...", ". ."))):
        return entry.rstrip(". \t")
    return words
