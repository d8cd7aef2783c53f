"""Writes findings as text for people and as plain values for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from json import dumps
from typing import Any

from msgspec import to_builtins

from fsm.checks.finding import HARMLESS, KINDS, Finding, Report
from fsm.checks.rulebook import RuleCoverage
from fsm.model.elements import values_text
from fsm.wording import many

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
GUARDED = ("gap", "overlap", "shadowed", "contradiction", "never fires")
"""The kinds of findings that show the guards that they are about."""
MOST = 10
"""So many findings that are allowed for one reason are listed one by one."""


def lines(report: Report, *, plain: bool) -> Iterator[Sequence[Span]]:
    """Yield the report in lines of (text, style): all findings, and the totals."""
    findings = sorted(report.findings, key=lambda one: [*STYLES].index(one.severity))
    for finding in findings:
        inside = " (in the window)" if finding.machine == "window" else ""
        severity = (f"{finding.severity} ", STYLES[finding.severity])
        yield [severity, (f"{finding.message}{inside}", "")]
        yield from _muted("    ", *_details(finding))
        yield []
    unallowed = {"idle allowance", "cannot start", *HARMLESS}
    for finding in [one for one in findings if one.kind not in unallowed][:1]:
        subject = dumps(finding.subject, ensure_ascii=False)
        yield from _muted("", "What is meant can be allowed in a file beside it, NAME.check.toml:")
        how = "[[allow]]", f'finding = "{finding.kind}"', f"at = {subject}", 'why = "..."'
        yield from _muted("    ", *how)
        yield []
    reasons: dict[tuple[str, str], list[str]] = {}
    for finding, why in report.allowed:
        reasons.setdefault((finding.kind, why), []).append(finding.subject)
    for (kind, why), subjects in reasons.items():
        if len(subjects) > MOST:
            subjects = [f"{len(subjects)} of them, from {subjects[0]} on"]
        for subject in subjects:
            yield [("allowed ", "good"), (f"{kind}: {subject}", "")]
            yield from _muted("    ", f"because {why}")
    if report.allowed:
        yield []
    yield [(summary(report), "head")]
    if not report.findings and not plain:
        yield from _muted("  ", *SHOWN)


def _muted(indent: str, *texts: str) -> Iterator[Sequence[Span]]:
    for text in texts:
        yield [(f"{indent}{text}", "muted")]


def _details(finding: Finding) -> Iterator[str]:
    yield f"{finding.kind} at {finding.subject}: {KINDS[finding.kind][1]}"
    if finding.guards and finding.kind in GUARDED:
        yield f"guards: {' | '.join(finding.guards)}"
    if finding.witness:
        yield f"shows when: {values_text(finding.witness.items())}"
    if finding.path:
        sure = "" if finding.proved else ", if its guards can hold one after the other"
        yield f"a way there{sure}, {many(len(finding.path), 'transition')}:"
    shown = list(finding.path)
    if len(shown) > 9:
        shown[4:-4] = [f"... {len(shown) - 8} more ..."]
    yield from (f"  {id}" for id in shown)


def summary(report: Report) -> str:
    """Return the totals in one line: findings by severity, and allowed findings."""
    said = ["nothing is wrong"] if report.good else []
    for word in STYLES:
        count = sum(finding.severity == word for finding in report.findings)
        said += [many(count, word)] if count else []
    more = report.following if report.findings else 0
    following = f"; {more} more may follow from these" if more else ""
    allowed = f"; {len(report.allowed)} allowed" if report.allowed else ""
    return ", ".join(said) + following + allowed


def as_json(report: Report) -> dict[str, Any]:
    """Return a report as plain JSON values."""
    return {
        "findings": [finding.as_dict() for finding in report.findings],
        "allowed": [{**finding.as_dict(), "why": why} for finding, why in report.allowed],
    }


# rules --------------------------------------------------------------------------------------------


def rule_lines(rules: RuleCoverage) -> Iterator[tuple[str, str, str, str]]:
    """Yield the table of rules: number, status, summary, and what cites the rule or why nothing
    does.
    """
    for entry in rules.rules:
        because = entry.why if entry.status == "explained" else ""
        if entry.by:
            because = f"as {entry.by[0]}" if entry.status == "within" else entry.by[0]
        more = f" and {len(entry.by) - 1} more" if len(entry.by) > 1 else ""
        yield entry.rule, entry.status, entry.says, because + more


def rules_summary(rules: RuleCoverage) -> str:
    """Return the totals in one line: how many rules there are, by status."""
    within = rules.count("within")
    also = f" and {within} within one that is" if within else ""
    every = f"{many(len(rules.rules), 'rule')} of {rules.edition or 'the rulebook'}"
    left_out = f"{rules.count('explained')} left out on purpose, {rules.count('missing')} missing"
    return f"{every}: {rules.count('cited')} cited{also}, {left_out}"


def rules_as_json(rules: RuleCoverage) -> dict[str, Any]:
    """Return rulebook coverage as plain JSON values."""
    return {**to_builtins(rules), "findings": [finding.as_dict() for finding in rules.findings]}
