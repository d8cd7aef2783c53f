"""Compares two rulebooks: which rules kept their words, and under which number, which changed, came
and went.

A rule is found again by its words. Numbers of other rules are masked in them, since those may be
new too; whether they still name the same rules is looked at afterwards. Where several rules have
the same words, the one below the same rule is taken. What is left with the same number has changed.
Of the few that are still left, the most similar belong together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from fsm.analysis.rulebook.book import BookRule, Rulebook
from fsm.analysis.rulebook.normalising import masked, normalised
from fsm.analysis.rulebook.numbering import above, chain, last_part

ChangeKind = Literal["renumbered", "changed", "renumbered and changed", "came", "went"]
ALIKE = 0.75
"""How similar two texts must be to be one rule with a new number and other words."""
FEW = 300
"""With more rules left over than this on one side, they are not compared for similarity."""
WORDS = 400
"""So many words of a rule are compared."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """What happened to a rule.

    Attributes
    ----------
    kind
        "renumbered", "changed", "renumbered and changed", "came" or "went".
    old
        Its number in the first rulebook, or "" if it came.
    new
        Its number in the second rulebook, or "" if it went.
    only
        "examples" or "references" if only those changed, else "".
    """

    kind: ChangeKind
    old: str = ""
    new: str = ""
    only: Literal["", "examples", "references"] = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A rule prepared to be compared."""

    rule: BookRule
    words: str
    mask: str
    refers: tuple[str, ...]
    examples: str

    @classmethod
    def of(cls, rule: BookRule) -> _Text:
        words = normalised(rule.text)
        return cls(rule, words, *masked(words), normalised(rule.examples))


def changes(old: Rulebook, new: Rulebook) -> tuple[RuleChange, ...]:
    """Return what happened to each rule that did not stay as it was, in the order of the books."""
    return tuple(_Comparison(old, new).changes())


class _Comparison:
    def __init__(self, old: Rulebook, new: Rulebook) -> None:
        self.old = {number: _Text.of(rule) for number, rule in old.rules.items()}
        self.new = {number: _Text.of(rule) for number, rule in new.rules.items()}
        self.pairs: dict[str, str] = {}
        self.taken: set[str] = set()
        self._same_words()
        self._same_number(alike=True)
        self._similar()
        self._same_number()

    def changes(self) -> Iterator[RuleChange]:
        targets = self._targets()
        for number, text in self.old.items():
            other = self.pairs.get(number)
            if other is None:
                yield RuleChange("went", old=number)
            elif (change := self._change(text, self.new[other], targets)) is not None:
                yield change
        yield from (
            RuleChange("came", new=number) for number in self.new if number not in self.taken
        )

    def _pair(self, old: str, new: str) -> None:
        self.pairs[old] = new
        self.taken.add(new)

    def _same_words(self) -> None:
        """Pair the rules with the same words: those that no other rule has, then those below the
        same rule.
        """
        ours, theirs = _by_mask(self.old.values()), _by_mask(self.new.values())
        several: list[tuple[list[str], list[str]]] = []
        for mask, numbers in ours.items():
            others = theirs.get(mask, [])
            if len(numbers) == len(others) == 1:
                self._pair(numbers[0], others[0])
            elif others:
                several.append((numbers, others))
        moved = self._moved()
        for numbers, others in several:
            known = frozenset(others)
            for number in numbers:
                expected = self._expected(number, moved)
                if expected in known and expected not in self.taken:
                    self._pair(number, expected)
            left = [number for number in numbers if number not in self.pairs]
            free = [number for number in others if number not in self.taken]
            if len(left) == len(free):
                for number, other in zip(left, free, strict=True):
                    self._pair(number, other)

    def _moved(self) -> Mapping[str, str]:
        """Return under which number most of the rules below each one are now."""
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for old, new in self.pairs.items():
            for before, after in zip(chain(old), chain(new), strict=False):
                if last_part(before) != last_part(after):
                    votes[before][after] += 1
                    break
                votes[above(before)][above(after)] += 1
        return {number: found.most_common(1)[0][0] for number, found in votes.items()}

    def _expected(self, number: str, moved: Mapping[str, str]) -> str:
        """Return where a rule would be if it moved with the nearest rule above it whose number is
        known.
        """
        below = ""
        for part in chain(number):
            known = self.pairs.get(part) or moved.get(part)
            if known:
                return known + below
            below = last_part(part) + below
        return number

    def _same_number(self, *, alike: bool = False) -> None:
        """Pair what is left with the rule of the same number, or of the number that it has if its
        section moved.
        """
        moved = self._moved()
        for number, text in self.old.items():
            if number not in self.pairs:
                expected = self._expected(number, moved)
                free = expected in self.new and expected not in self.taken
                if free and (
                    not alike or _shared(_counted(text), _counted(self.new[expected])) >= ALIKE
                ):
                    self._pair(number, expected)

    def _similar(self) -> None:
        """Pair what is then left by similarity, if it is little."""
        left = [text for number, text in self.old.items() if number not in self.pairs]
        free = [text for number, text in self.new.items() if number not in self.taken]
        if max(len(left), len(free)) <= FEW:
            for _, old, new in sorted(_alike(left, free), key=lambda one: -one[0]):
                if old not in self.pairs and new not in self.taken:
                    self._pair(old, new)

    def _targets(self) -> Mapping[str, str]:
        """Return the number that a reference should have now.

        Of rules that are in neither book, it is the one that most references have.
        """
        votes: dict[str, Counter[str]] = defaultdict(Counter)
        for old, new in self.pairs.items():
            ours, theirs = self.old[old], self.new[new]
            if ours.mask == theirs.mask:
                for before, after in zip(ours.refers, theirs.refers, strict=True):
                    votes[before][after] += 1
        return {number: found.most_common(1)[0][0] for number, found in votes.items()} | self.pairs

    def _change(self, ours: _Text, theirs: _Text, targets: Mapping[str, str]) -> RuleChange | None:
        old, new = ours.rule.number, theirs.rule.number
        moved = old != new
        only: Literal["", "examples", "references"] = ""
        if ours.mask != theirs.mask:
            only = ""
        elif any(targets.get(a, a) != b for a, b in zip(ours.refers, theirs.refers, strict=True)):
            only = "references"
        elif _differ(ours.examples, theirs.examples, targets):
            only = "examples"
        else:
            return RuleChange("renumbered", old, new) if moved else None
        return RuleChange("renumbered and changed" if moved else "changed", old, new, only)


def _by_mask(texts: Iterable[_Text]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in texts:
        found.setdefault(text.mask, []).append(text.rule.number)
    return found


def _differ(ours: str, theirs: str, targets: Mapping[str, str]) -> bool:
    """Say whether examples differ in more than in numbers of rules that are new."""
    (mask, before), (other, after) = masked(ours), masked(theirs)
    return mask != other or any(targets.get(a, a) != b for a, b in zip(before, after, strict=True))


def _alike(left: Sequence[_Text], free: Sequence[_Text]) -> Iterator[tuple[float, str, str]]:
    """Yield the pairs that are similar, with how similar they are."""
    theirs = [(text, _counted(text)) for text in free]
    for ours, counted in ((text, _counted(text)) for text in left):
        for text, others in theirs:
            if _shared(counted, others) >= ALIKE:  # the ratio is no larger, and takes longer
                ratio = SequenceMatcher(
                    None, _cut(ours.mask), _cut(text.mask), autojunk=False
                ).ratio()
                if ratio >= ALIKE:
                    yield ratio, ours.rule.number, text.rule.number


def _counted(text: _Text) -> Counter[str]:
    return Counter(_cut(text.mask))


def _shared(one: Counter[str], other: Counter[str]) -> float:
    """Return which share of the words two texts have in common."""
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _cut(words: str) -> list[str]:
    return words.split(" ", WORDS)[:WORDS]


def differing(before: str, after: str) -> tuple[tuple[str, str], ...]:
    """Return what was said and what is said instead, for each place where two texts differ. ""
    stands for nothing.
    """
    ours, theirs = _cut(normalised(before)), _cut(normalised(after))
    steps = SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes()
    return tuple(
        (" ".join(ours[a:b]), " ".join(theirs[c:d])) for tag, a, b, c, d in steps if tag != "equal"
    )
