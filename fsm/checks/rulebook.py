"""Rulebook coverage: which rules of an edition the model cites, which it omits on purpose, and
which it lacks.

The list of rules is in a file beside the ruleset (see `fsm.checks.notes`). A rule counts
as cited if a state, transition, fact, duration or setting cites its number. Callers that state
properties of the model may add the rules that those cite.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from fsm.checks.citing import cited, split
from fsm.checks.finding import Finding
from fsm.checks.notes import Rule, RulebookNotes, holds
from fsm.errors import suggest
from fsm.model import Model
from fsm.rulesets.stated_properties import citing

Status = Literal["cited", "within", "explained", "missing"]
FIRST = re.compile(r"\D*1")
"""The number of the first rule under a heading: "1", "GR1"."""
SECTION = re.compile(r"\d+")
NOT_READ = "modelled within a rule of a section that has not been read in this edition"


@dataclass(frozen=True, slots=True)
class RuleStatus:
    """A rule and its status: cited by the parts `by`, modelled within a cited rule, explained, or
    missing.
    """

    rule: Rule
    status: Status
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleCoverage:
    """All rules of an edition in the rulebook's order, and the findings about them."""

    edition: str
    sections: str
    entries: tuple[RuleStatus, ...]
    findings: tuple[Finding, ...]

    def count(self, status: Status) -> int:
        """Return how many rules have this status."""
        return sum(entry.status == status for entry in self.entries)


def rule_coverage(
    model: Model, notes: RulebookNotes, also: Iterable[tuple[str, str]] = ()
) -> RuleCoverage:
    """Return the status of each rule in this model. `also` has more citations, such as those of
    properties.
    """
    found = cited(model)
    for citation, what in also:
        for rule in split(citation):
            found[rule] = (*found.get(rule, ()), what)
    notes = in_edition(notes, model)
    entries = tuple(_entry(rule, model, found.get(rule.number, ())) for rule in notes.rules)
    known = [rule.number for rule in notes.rules]
    findings = (
        *_missing(entries),
        *_after_all(entries, found),
        *_explanations(entries, known, found),
        *_headings(known),
        *_unknown(known, notes, model, found),
    )
    return RuleCoverage(
        model.edition or notes.edition, _modelled(notes.sections), entries, findings
    )


def in_edition(notes: RulebookNotes, model: Model) -> RulebookNotes:
    """Return notes with the rules and sections that the model's edition has, by its numbers."""
    return replace(
        notes,
        rules=tuple(_rules(notes.rules, model)),
        sections=tuple(_sections(notes.sections, model)),
    )


def _rules(rules: Iterable[Rule], model: Model) -> Iterable[Rule]:
    """Return the rules that the edition has. Those that share a number there are one rule."""
    cite, found = citing(model.name, model.edition), dict[str, Rule]()
    for rule in rules:
        number, by = cite(rule.number), cite(rule.by)
        if number and holds(rule.only, model):
            why = rule.why or (NOT_READ if rule.by and not by else "")
            here = replace(rule, number=number, by=by, why=why)
            found[number] = _joined(found[number], here) if number in found else here
    return found.values()


def _joined(a: Rule, b: Rule) -> Rule:
    """Return two rules as one. It is modelled elsewhere, or not modelled, only if both are."""
    says = f"{a.says}; {b.says}"
    return (
        replace(a, says=says)
        if (a.why or a.by) and (b.why or b.by)
        else Rule(a.number, says, only=a.only)
    )


def _sections(sections: Iterable[Rule], model: Model) -> Iterator[Rule]:
    """Yield the modelled sections that are known in the edition."""
    cite = citing(model.name, model.edition)
    for section in sections:
        if holds(section.only, model) and all(map(cite, SECTION.findall(section.number))):
            yield replace(section, number=SECTION.sub(lambda found: cite(found[0]), section.number))


def _modelled(sections: Iterable[Rule]) -> str:
    said = ", ".join(
        f"{rule.number} ({rule.says})" if rule.says else rule.number for rule in sections
    )
    return f"{said}; beyond them, the rules elsewhere on which these lean" if said else ""


def _entry(rule: Rule, model: Model, by: tuple[str, ...]) -> RuleStatus:
    if by:
        return RuleStatus(rule, "cited", by)
    if not holds(rule.when, model):
        return RuleStatus(rule, "missing")
    if rule.by:
        return RuleStatus(rule, "within", (rule.by,))
    return RuleStatus(rule, "explained" if rule.why else "missing")


def _missing(entries: Iterable[RuleStatus]) -> Iterator[Finding]:
    for entry in entries:
        if entry.status == "missing":
            number = entry.rule.number
            words = f"nothing cites rule {number} ({entry.rule.says}), and nobody says why"
            yield Finding("rule missing", "", "", (), words, subject=number)


def _after_all(
    entries: tuple[RuleStatus, ...], found: dict[str, tuple[str, ...]]
) -> Iterator[Finding]:
    for entry in entries:
        rule = entry.rule
        if entry.status == "cited" and (rule.why or rule.by) and not rule.when:
            why = rule.why or f"within {rule.by}"
            words = f"rule {rule.number} is said not to be cited ({why}), but {entry.by[0]} does"
            yield Finding("rule cited after all", "", "", (), words, subject=rule.number)


def _explanations(
    entries: tuple[RuleStatus, ...], known: Collection[str], found: dict[str, tuple[str, ...]]
) -> Iterator[Finding]:
    """Find rules that are said to be modelled within one that is not on the list, or that nothing
    cites.
    """
    for entry in entries:
        number, by = entry.rule.number, entry.rule.by
        if entry.status != "within":
            continue
        if by not in known:
            words = f"rule {number} is explained by {by!r}, which is not on the list of rules"
            yield Finding(
                "no such rule", "", "", (), words + suggest(by, known, limit=0), subject=by
            )
        elif by not in found:
            words = f"rule {number} is said to be modelled within {by}, which nothing cites"
            yield Finding("rule missing", "", "", (), words, subject=number)


def _headings(known: Collection[str]) -> Iterator[Finding]:
    """Find headings on the list. What stands under a heading is listed by number, so that it says
    nothing itself.
    """
    for number in known:
        heading, _, last = number.rpartition(" ")
        if heading in known and FIRST.fullmatch(last):
            words = f"{heading!r} is a heading and no rule: its rules are listed from {number!r} on"
            yield Finding("no such rule", "", "", (), words, subject=heading)


def _unknown(
    known: Collection[str], notes: RulebookNotes, model: Model, found: dict[str, tuple[str, ...]]
) -> Iterator[Finding]:
    beyond = {rule.number: rule for rule in notes.beyond if holds(rule.only, model)}
    for number, by in found.items():
        if number not in known and number not in beyond:
            meant = suggest(number, known, limit=0)
            words = f"{by[0]} cites {number!r}, which is not on the list of rules{meant}"
            yield Finding("no such rule", "", "", (), words, subject=number)
    for number, rule in beyond.items():
        if number not in found and holds(rule.when, model):
            words = f"{number!r} is listed as a citation beyond the rules, and nothing cites it"
            yield Finding("idle allowance", "", "", (), words, subject=number)
