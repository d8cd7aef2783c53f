"""Holds rulebooks against the citations of a ruleset, and against the notes on which rules it
leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fsm.analysis.checks.citing import cited
from fsm.analysis.checks.notes import Rule, RulebookNotes, holds, notes_of, shipped_notes
from fsm.analysis.checks.rulebook import in_edition
from fsm.analysis.rulebook.book import BookRule, Rulebook, RulebookError
from fsm.analysis.rulebook.comparing import RuleChange, changes, differing
from fsm.analysis.rulebook.numbering import above, chain, in_order, inside, is_plain, section_of
from fsm.analysis.rulebook.pages import Titles, rules_of_pages
from fsm.analysis.rulebook.parsing import numbered_rules
from fsm.analysis.rulebook.reading import text_of
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model

_EFFECTIVE = re.compile(r"effective as of ([A-Z][a-z]{2,8} \d{1,2}, \d{4})")
_HEAD = 20_000


@dataclass(frozen=True, slots=True)
class RuleUse:
    """A rule that the ruleset knows.

    Attributes
    ----------
    number
        Its number.
    by
        The parts that cite it, such as "transition upkeep_begin -> upkeep_window". It is empty if
        the notes only explain the rule.
    says
        What the notes say that it is about, or "".
    """

    number: str
    by: tuple[str, ...] = ()
    says: str = ""


@dataclass(frozen=True, slots=True)
class RulebookReport:
    """What holds of one rulebook and a ruleset.

    Attributes
    ----------
    book
        The rulebook.
    edition
        The edition that the ruleset cites.
    cited
        How many rules the ruleset cites.
    absent
        Cited rules that are not in the rulebook, although their section is.
    sections
        Sections that are not in the rulebook, each with the rules of it that are cited.
    uncited
        Rules of the modelled sections that nobody cites or explains.
    below
        Rules of the modelled sections that nobody cites or explains, but for a rule above them.
    """

    book: Rulebook
    edition: str
    cited: int
    absent: tuple[RuleUse, ...]
    sections: Mapping[str, tuple[RuleUse, ...]]
    uncited: tuple[BookRule, ...]
    below: tuple[BookRule, ...]

    @property
    def good(self) -> bool:
        """Whether each cited rule is there, and each rule of the modelled sections is cited or
        explained.
        """
        return not (self.absent or self.sections or self.uncited)


@dataclass(frozen=True, slots=True)
class RuleConcerned:
    """A change of a rule, and what of the ruleset it concerns.

    Attributes
    ----------
    change
        What happened to the rule.
    use
        The rule as the ruleset knows it. If nothing cites or explains it, `by` and `says` are
        empty.
    modelled
        Whether it is in a modelled section.
    words
        What was said and what is said instead, for each place where the words differ. "" stands for
        nothing.
    """

    change: RuleChange
    use: RuleUse
    modelled: bool
    words: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RulebookComparison:
    """What changed from one rulebook to another.

    Attributes
    ----------
    old, new
        The rulebooks. The ruleset cites the numbers of the old one.
    edition
        The edition that the ruleset cites.
    concerned
        The changes of rules that the ruleset cites or explains, or that are in its modelled
        sections.
    others
        All other changes.
    kept
        How many rules stayed as they were.
    """

    old: Rulebook
    new: Rulebook
    edition: str
    concerned: tuple[RuleConcerned, ...]
    others: tuple[RuleChange, ...]
    kept: int

    @property
    def good(self) -> bool:
        """Whether no change concerns the ruleset."""
        return not self.concerned


def report(
    ruleset: ModelLike, file: str | Path, notes: RulebookNotes | None = None
) -> RulebookReport:
    """Hold a rulebook against the citations of a ruleset.

    Parameters
    ----------
    ruleset
        A Model or a Table, or the specification of one, such as "magic".
    file
        The path of the rulebook as plain text.
    notes
        The notes of the ruleset. If None, they are read from the file beside the ruleset, if there
        is one.

    Returns
    -------
    RulebookReport
        Which cited rules are missing, and which rules of the modelled sections nobody cites or
        explains.

    Raises
    ------
    FsmError
        If the file cannot be read, has no rules, or has none that the ruleset knows.
    """
    known = _known(ruleset, notes)
    return known.report(known.read(file))


def compare(
    ruleset: ModelLike, old: str | Path, new: str | Path, notes: RulebookNotes | None = None
) -> RulebookComparison:
    """Compare two rulebooks, and find what of a ruleset the changes concern.

    Parameters
    ----------
    ruleset
        A Model or a Table, or the specification of one, such as "magic".
    old
        The path of the rulebook whose numbers the ruleset cites.
    new
        The path of the other rulebook.
    notes
        The notes of the ruleset. If None, they are read from the file beside the ruleset, if there
        is one.

    Returns
    -------
    RulebookComparison
        Which rules have a new number, changed, came and went, and what cites them.

    Raises
    ------
    FsmError
        If a file cannot be read or has no rules, or if the ruleset knows none of the old ones.
    """
    known = _known(ruleset, notes)
    before, after = known.read(old), known.read(new, others=True)
    return known.compare(before, after)


def _known(ruleset: ModelLike, notes: RulebookNotes | None) -> _Known:
    model = as_model(ruleset)
    if notes is None:
        notes = notes_of(ruleset) if isinstance(ruleset, str) else shipped_notes(model)
    return _Known(model, notes)


class _Known:
    """The rules that a ruleset cites or explains, and its modelled sections."""

    def __init__(self, model: Model, notes: RulebookNotes) -> None:
        notes = in_edition(notes, model)
        beyond = {rule.number for rule in notes.beyond}
        self.model = model
        self.says = {rule.number: rule.says for rule in notes.rules}
        self.cited = {number: by for number, by in cited(model).items() if number not in beyond}
        self.explained = {rule.number for rule in notes.rules if _is_explained(rule, model)}
        self.sections = [rule.number for rule in notes.sections]
        self.numbers = self.cited.keys() | self.says.keys()
        self.edition = model.edition or notes.edition
        self.titles = Titles.of(self.numbers, notes.titles)
        self.plain = sum(map(is_plain, self.numbers)) * 2 >= len(self.numbers)
        if not self.cited:
            raise RulebookError(
                f"{model.name} cites no rule, so no rulebook can be held against it",
                remedy="name another ruleset",
            )

    def read(self, file: str | Path, *, others: bool = False) -> Rulebook:
        """Read a rulebook. Raises RulebookError if it has no rules, or, without `others`, none that
        is known.
        """
        text = text_of(file)
        lines = text.splitlines()
        found = numbered_rules(lines) if self.plain else rules_of_pages(lines, self.titles)
        effective = _EFFECTIVE.search(text[:_HEAD])
        rules = dict(sorted(found.rules.items(), key=lambda item: item[1].line))
        book = Rulebook(str(file), rules, effective[1] if effective else "", tuple(found.twice))
        if not found.rules:
            raise RulebookError(
                f"{file}: no rule with a number was found",
                place=str(file),
                remedy=f"name the plain text of a rulebook, with rules such as {self._example()!r}",
            )
        if not others and self.numbers.isdisjoint(book.numbers):
            first, last = (f(found.rules, key=in_order) for f in (min, max))
            raise RulebookError(
                f"{file}: {self.model.name} knows none of its rules, {first} to {last}",
                place=str(file),
                remedy=f"name the ruleset of this rulebook with --ruleset; this one cites {self.edition}, such as "
                f"{self._example()!r}",
            )
        return book

    def _example(self) -> str:
        return min(
            (n for n in self.cited if above(n)), key=in_order, default=next(iter(self.cited))
        )

    def use(self, number: str) -> RuleUse:
        """Return a rule with the parts that cite it."""
        return RuleUse(number, self.cited.get(number, ()), self.says.get(number, ""))

    def is_modelled(self, number: str) -> bool:
        """Say whether a rule is in a modelled section."""
        return any(inside(number, section) for section in self.sections)

    def report(self, book: Rulebook) -> RulebookReport:
        """Hold a rulebook against the citations."""
        there = book.numbers
        present = frozenset(map(section_of, there))
        missing = sorted(self.cited.keys() - there, key=in_order)
        sections: dict[str, tuple[RuleUse, ...]] = {}
        for number in (n for n in missing if section_of(n) not in present):
            sections[section_of(number)] = (*sections.get(section_of(number), ()), self.use(number))
        absent = tuple(self.use(number) for number in missing if section_of(number) in present)
        treated = self.cited.keys() | self.explained
        open = [rule for rule in self._modelled(book) if rule.number not in treated]
        below = {rule.number for rule in open if not treated.isdisjoint(_rules_above(rule.number))}
        return RulebookReport(
            book,
            self.edition,
            len(self.cited),
            absent,
            sections,
            tuple(rule for rule in open if rule.number not in below),
            tuple(rule for rule in open if rule.number in below),
        )

    def _modelled(self, book: Rulebook) -> Iterable[BookRule]:
        """Return the rules of the modelled sections. A heading is no rule."""
        return (
            rule
            for number, rule in book.rules.items()
            if above(number) and self.is_modelled(number)
        )

    def compare(self, old: Rulebook, new: Rulebook) -> RulebookComparison:
        """Compare two rulebooks."""
        every = changes(old, new)
        concerned = [change for change in every if self._concerns(change)]
        told = frozenset(concerned)
        gone = sum(change.old != "" for change in every)
        return RulebookComparison(
            old,
            new,
            self.edition,
            tuple(self._concerned(change, old, new) for change in concerned),
            tuple(change for change in every if change not in told),
            len(old.rules) - gone,
        )

    def _concerns(self, change: RuleChange) -> bool:
        return change.old in self.numbers or any(
            self.is_modelled(n) for n in (change.old, change.new) if n
        )

    def _concerned(self, change: RuleChange, old: Rulebook, new: Rulebook) -> RuleConcerned:
        number = change.old or change.new
        words: tuple[tuple[str, str], ...] = ()
        if change.kind in ("changed", "renumbered and changed"):
            one, other = old.rules[change.old], new.rules[change.new]
            of_examples = change.only == "examples"
            words = differing(*((r.examples if of_examples else r.text) for r in (one, other)))
        use = self.use(change.old) if change.old else RuleUse(number)
        return RuleConcerned(change, use, self.is_modelled(number), words)


def _is_explained(rule: Rule, model: Model) -> bool:
    return bool(rule.why or rule.by) and holds(rule.when, model)


def _rules_above(number: str) -> Iterable[str]:
    """Return the rules above a rule, without its section."""
    return (part for part in chain(above(number)) if above(part))
