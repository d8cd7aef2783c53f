"""Rulebook coverage: which rules of an edition the model cites, which it omits on purpose, and
which it lacks.

The list of rules is in a file beside the ruleset (see `fsm.checks.notes`). A rule counts
as cited if a state, transition, fact, duration or setting cites its number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from fsm.checks.citing import cited
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


class RuleStatus(Struct, frozen=True):
    """The number of a rule, its summary, and its status: cited by the parts `by`, modelled within a
    rule that is cited, explained, or missing.
    """

    rule: str
    says: str
    status: Status
    by: tuple[str, ...] = ()
    why: str = ""


class RuleCoverage(Struct, frozen=True):
    """All rules of an edition in the rulebook's order, and the findings about them."""

    edition: str
    sections: str
    rules: tuple[RuleStatus, ...]
    findings: tuple[Finding, ...]

    def count(self, status: Status) -> int:
        """Return how many rules have this status."""
        return sum(entry.status == status for entry in self.rules)


def rule_coverage(model: Model, notes: RulebookNotes) -> RuleCoverage:
    """Return the status of each rule in this model."""
    found = cited(model)
    notes = in_edition(notes, model)
    entries = list[RuleStatus]()
    findings = list[Finding]()
    for rule in notes.rules.values():
        entry = _entry(rule, model, found)
        entries.append(entry)
        findings += _of_rule(rule, entry, notes.rules, found)
    findings += _of_citations(notes, model, found)
    sections = ", ".join(
        f"{rule.number} ({rule.says})" if rule.says else rule.number
        for rule in notes.sections.values()
    )
    if sections:
        sections += "; beyond them, the rules elsewhere on which these lean"
    edition = model.edition or notes.edition
    return RuleCoverage(edition, sections, tuple(entries), tuple(findings))


def in_edition(notes: RulebookNotes, model: Model) -> RulebookNotes:
    """Return notes with the rules and sections that the model's edition has, by its numbers.

    Rules that share a number there are one rule. It is modelled elsewhere, or not modelled, only if
    all of them are.
    """
    cite = citing(model.name, model.edition)
    rules = dict[str, Rule]()
    sections = dict[str, Rule]()
    for rule in notes.rules.values():
        number = cite(rule.number)
        by = cite(rule.by)
        if not number or not holds(rule.only, model):
            continue
        why = rule.why or (NOT_READ if rule.by and not by else "")
        here = replace(rule, number=number, by=by, why=why)
        if number in rules:
            other = rules[number]
            says = f"{other.says}; {here.says}"
            left_out = (other.why or other.by) and (here.why or here.by)
            here = replace(other, says=says) if left_out else Rule(number, says, only=other.only)
        rules[number] = here
    for section in notes.sections.values():
        if holds(section.only, model) and all(map(cite, SECTION.findall(section.number))):
            number = SECTION.sub(lambda match: cite(match[0]), section.number)
            sections[number] = replace(section, number=number)
    return replace(notes, rules=rules, sections=sections)


def _entry(rule: Rule, model: Model, found: Mapping[str, tuple[str, ...]]) -> RuleStatus:
    status: Status = "missing"
    by: tuple[str, ...] = ()
    if rule.number in found:
        status = "cited"
        by = found[rule.number]
    elif rule.by and holds(rule.when, model):
        status = "within"
        by = (rule.by,)
    elif rule.why and holds(rule.when, model):
        status = "explained"
    return RuleStatus(rule.number, rule.says, status, by, rule.why)


def _of_rule(
    rule: Rule, entry: RuleStatus, known: Collection[str], found: Collection[str]
) -> Iterator[Finding]:
    """Find what is wrong with one rule: nobody cites or explains it, or the explanation is wrong.

    A heading on the list is no rule: what stands under it is listed by number.
    """
    number = rule.number
    by = rule.by
    if entry.status == "missing":
        words = f"nothing cites rule {number} ({rule.says}), and nobody says why"
        yield Finding("rule missing", number, words)
    elif entry.status == "cited" and (rule.why or by) and not rule.when:
        why = rule.why or f"within {by}"
        words = f"rule {number} is said not to be cited ({why}), but {entry.by[0]} does"
        yield Finding("rule cited after all", number, words)
    elif entry.status == "within" and by not in known:
        words = f"rule {number} is explained by {by!r}, which is not on the list of rules"
        yield Finding("no such rule", by, words + suggest(by, known, limit=0))
    elif entry.status == "within" and by not in found:
        words = f"rule {number} is said to be modelled within {by}, which nothing cites"
        yield Finding("rule missing", number, words)
    heading, _, last = number.rpartition(" ")
    if heading in known and FIRST.fullmatch(last):
        words = f"{heading!r} is a heading and no rule: its rules are listed from {number!r} on"
        yield Finding("no such rule", heading, words)


def _of_citations(
    notes: RulebookNotes, model: Model, found: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    """Find citations of no rule, and citations beyond the rules that are not there."""
    beyond = {number: rule for number, rule in notes.beyond.items() if holds(rule.only, model)}
    for number, by in found.items():
        if number not in notes.rules and number not in beyond:
            meant = suggest(number, notes.rules, limit=0)
            words = f"{by[0]} cites {number!r}, which is not on the list of rules{meant}"
            yield Finding("no such rule", number, words)
    for number, rule in beyond.items():
        if number not in found and holds(rule.when, model):
            words = f"{number!r} is listed as a citation beyond the rules, and nothing cites it"
            yield Finding("idle allowance", number, words)
