"""Writes findings as text for people and as plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from json import dumps
from typing import Any

from fsm.checks.allowing import Report
from fsm.checks.finding import HARMLESS, KINDS, Finding
from fsm.checks.rulebook import RuleCoverage, RuleStatus
from fsm.model.elements import values_text

Span = tuple[str, str]
STYLES = {"error": "bad", "warning": "extra", "note": "muted"}
SHOWN = (
    "shown: every guard is complete; no part is unused; every layer can be left out;",
    "  what cites rules does so throughout",
    "not ruled out: each state can be reached, each transition can fire, the turn and",
    "  the game can end. The ways to them were solved step by step, and not played:",
    "  `fsm paths` plays them",
)
"""What is known of a model without findings. The second part is what no finding speaks against."""
MOST = 10
"""So many findings that are allowed for one reason are listed one by one."""


def lines(report: Report, *, plain: bool) -> Iterator[Sequence[Span]]:
    """Yield the report in lines of (text, style): allowed findings, the others, and the totals."""
    for finding in _by_severity(report):
        yield from _finding(finding)
        yield []
    yield from _how_to_allow(report)
    for (kind, why), subjects in _allowed(report).items():
        for subject in (
            subjects
            if len(subjects) <= MOST
            else (f"{len(subjects)} of them, from {subjects[0]} on",)
        ):
            yield [("allowed ", "good"), (f"{kind}: {subject}", "")]
            yield [(f"    because {why}", "muted")]
    if report.allowed:
        yield []
    yield [(summary(report), "head")]
    if not report.findings and not plain:
        yield from ([(f"  {line}", "muted")] for line in SHOWN)


def _allowed(report: Report) -> dict[tuple[str, str], list[str]]:
    """Return the subjects of the allowed findings, by their kind and the reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for finding, why in report.allowed:
        found.setdefault((finding.kind, why), []).append(finding.subject)
    return found


def _by_severity(report: Report) -> list[Finding]:
    return sorted(report.findings, key=lambda finding: list(STYLES).index(finding.severity))


def summary(report: Report) -> str:
    """Return the totals in one line: findings by severity, and allowed findings."""
    counts = [(word, sum(f.severity == word for f in report.findings)) for word in STYLES]
    said = [f"{number} {word}{'s' * (number > 1)}" for word, number in counts if number]
    allowed = f"; {len(report.allowed)} allowed" if report.allowed else ""
    more = report.following if report.findings else 0
    following = f"; {more} more may follow from these" if more else ""
    good = ["nothing is wrong"] if report.good else []
    return ", ".join((*good, *said)) + following + allowed


def _finding(finding: Finding) -> Iterator[Sequence[Span]]:
    inside = " (in the window)" if finding.machine == "window" else ""
    yield [(f"{finding.severity} ", STYLES[finding.severity]), (f"{finding.message}{inside}", "")]
    yield [(f"    {finding.kind} at {finding.subject}: {KINDS[finding.kind][1]}", "muted")]
    if finding.guards and finding.kind in (
        "gap",
        "overlap",
        "shadowed",
        "contradiction",
        "never fires",
    ):
        yield [(f"    guards: {' | '.join(finding.guards)}", "muted")]
    if finding.witness:
        yield [(f"    shows when: {values_text(finding.witness)}", "muted")]
    if finding.path:
        yield from _way(finding)


def _how_to_allow(report: Report) -> Iterator[Sequence[Span]]:
    """Show how the first finding can be allowed. The others work the same way."""
    unallowed = {"idle allowance", "cannot start", *HARMLESS}
    first = next((f for f in _by_severity(report) if f.kind not in unallowed), None)
    if first is not None:
        said = (
            f'finding = "{first.kind}"',
            f"at = {dumps(first.subject, ensure_ascii=False)}",
            'why = "..."',
        )
        how = "What is meant to be so can be allowed in a file beside the ruleset, NAME.check.toml:"
        yield [(how, "muted")]
        yield from ([(f"    {line}", "muted")] for line in ("[[allow]]", *said))
        yield []


def _way(finding: Finding) -> Iterator[Sequence[Span]]:
    sure = "" if finding.proved else ", if its guards can hold one after the other"
    yield [(f"    a way there{sure}, {len(finding.path)} transitions:", "muted")]
    hidden = len(finding.path) - 8
    shown = (
        finding.path
        if hidden <= 1
        else (*finding.path[:4], f"... {hidden} more ...", *finding.path[-4:])
    )
    yield from ([(f"      {id}", "muted")] for id in shown)


def rule_lines(rules: RuleCoverage) -> Iterator[tuple[str, str, str, str]]:
    """Yield the table of rules: number, status, summary, and what cites the rule or why nothing
    does.
    """
    for entry in rules.entries:
        yield (entry.rule.number, entry.status, entry.rule.says, _because(entry))


def _because(entry: RuleStatus) -> str:
    if entry.status == "within":
        return f"as {entry.by[0]}"
    if entry.status == "cited":
        return entry.by[0] + (f" and {len(entry.by) - 1} more" if len(entry.by) > 1 else "")
    return entry.rule.why if entry.status == "explained" else ""


def rules_summary(rules: RuleCoverage) -> str:
    """Return the totals in one line: how many rules there are, by status."""
    within = rules.count("within")
    also = f" and {within} within one that is" if within else ""
    every = f"{len(rules.entries)} rules of {rules.edition or 'the rulebook'}"
    left_out = f"{rules.count('explained')} left out on purpose, {rules.count('missing')} missing"
    return f"{every}: {rules.count('cited')} cited{also}, {left_out}"


def finding_as_json(finding: Finding) -> dict[str, Any]:
    """Return a finding as plain JSON values."""
    return {
        "finding": finding.kind,
        "severity": finding.severity,
        "at": finding.subject,
        "machine": finding.machine,
        "state": finding.state,
        "event": finding.event,
        "guards": list(finding.guards),
        "message": finding.message,
        "witness": dict(finding.witness),
        "path": list(finding.path),
        "path_proved": finding.proved,
    }


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as plain JSON values."""
    return {
        "findings": list(map(finding_as_json, report.findings)),
        "allowed": [{**finding_as_json(finding), "why": why} for finding, why in report.allowed],
    }


def rules_as_json(rules: RuleCoverage) -> dict[str, Any]:
    """Return rulebook coverage as plain JSON values."""
    entries: Iterable[RuleStatus] = rules.entries
    return {
        "edition": rules.edition,
        "sections": rules.sections,
        "rules": [
            {
                "rule": e.rule.number,
                "says": e.rule.says,
                "status": e.status,
                "by": list(e.by),
                "why": e.rule.why,
            }
            for e in entries
        ],
    }
