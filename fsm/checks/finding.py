"""Findings: each describes one thing that is wrong with a Model, and where. An allowance names a
finding that is intended. A report has both, also as text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from json import dumps
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins

from fsm.model import Model
from fsm.wording import many

Severity = Literal["error", "warning", "note"]
Kind = Literal[
    "cannot start",
    "dead end",
    "end",
    "no way out",
    "gap",
    "overlap",
    "unreachable",
    "only by name",
    "no such state",
    "hidden",
    "shadowed",
    "never fires",
    "disconnected",
    "irregular",
    "unused",
    "duplicate",
    "no effect",
    "ignored",
    "idle allowance",
    "rule missing",
    "no such rule",
]

ERRORS: frozenset[Kind] = frozenset(
    {
        "cannot start",
        "dead end",
        "no way out",
        "gap",
        "overlap",
        "no such state",
        "rule missing",
        "no such rule",
    }
)
"""With these, a run can stop, hang, or take a transition that nobody meant, or a rule is missing.
Of anything else that is wrong, something has no effect.
"""
HARMLESS: frozenset[Kind] = frozenset({"end", "only by name", "ignored"})
"""The kinds of findings with which nothing is wrong."""


class Finding(Struct, frozen=True, rename={"kind": "finding", "subject": "at"}):
    """One thing that is wrong with a model.

    Attributes
    ----------
    kind
        The kind of the finding.
    subject
        What the finding is about: the id of a transition, a state (with the event), a fact or an
        action. An allowance names a finding by its kind and subject.
    message
        The finding in words.
    state
        The state it is about, or "".
    event
        The event it is about, or "".
    machine
        The machine it is in: "turn", "window", or the name of a machine of your own.
    """

    kind: Kind
    subject: str
    message: str
    state: str = ""
    event: str = ""
    machine: str = ""

    @property
    def severity(self) -> Severity:
        """The severity of this kind of finding."""
        if self.kind in ERRORS:
            return "error"
        return "note" if self.kind in HARMLESS else "warning"

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as plain JSON values."""
        return {**to_builtins(self), "severity": self.severity}


EVERY = "*"
"""In place of a subject: all findings of the kind."""


class Allowance(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    rename={"kind": "finding", "subject": "at"},
):
    """Marks a finding as intended.

    Parameters
    ----------
    kind
        The kind of the finding, as the check prints it.
    subject
        The subject of the finding, as the check prints it, or "*" for all findings of this kind.
    why
        The reason, in one sentence.
    when
        The option with which it counts, as "name=value, value". "" means always.
    """

    kind: Kind
    subject: str
    why: Annotated[str, Meta(min_length=1)]
    when: str = ""

    def fits(self, finding: Finding) -> bool:
        """Say whether it allows a finding."""
        return self.kind == finding.kind and self.subject in (EVERY, finding.subject)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of the checks of one model.

    Attributes
    ----------
    findings
        The findings that are not allowed.
    allowed
        The allowed findings, each with the reason.
    following
        How many findings are left out because they may only follow from the others.
    model
        What was checked, or None if it could not be built.
    """

    findings: tuple[Finding, ...]
    allowed: tuple[tuple[Finding, str], ...] = ()
    following: int = 0
    model: Model | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong. The ends of a plain machine are not wrong."""
        return all(finding.kind in HARMLESS for finding in self.findings)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "findings": [finding.as_dict() for finding in self.findings],
            "allowed": [{**finding.as_dict(), "why": why} for finding, why in self.allowed],
        }


# as text ------------------------------------------------------------------------------------------

Line = list[tuple[str, str]]
STYLES = {"error": "bad", "warning": "extra", "note": "muted"}
SHOWN = (
    "proved: whatever the facts are, the turn goes on, without skips and extras too;",
    "  no part is unused",
    "found: a way to every state and transition, and to the end of turn and game;",
    "  the ways are solved, not played: `fsm paths` plays them",
)
"""What is known of a model without findings."""
HINT = """\
What is meant can be allowed in a file beside it, NAME.check.toml:
    [[allow]]
    finding = "{kind}"
    at = {subject}
    why = "..."

"""


def lines(report: Report) -> Iterator[Line]:
    """Yield the report in lines of (text, style): all findings, and the totals."""
    findings = sorted(report.findings, key=lambda one: [*STYLES].index(one.severity))
    for finding in findings:
        inside = " (in the window)" if finding.machine == "window" else ""
        severity = (f"{finding.severity} ", STYLES[finding.severity])
        yield [severity, (f"{finding.message}{inside}", "")]
        at = "" if finding.kind == "cannot start" else f" at {finding.subject}"
        yield from _muted(f"    {finding.kind}{at}", "")
    unallowed = {"idle allowance", "cannot start", *HARMLESS}
    for finding in [one for one in findings if one.kind not in unallowed][:1]:
        subject = dumps(finding.subject, ensure_ascii=False)
        yield from _muted(*HINT.format(kind=finding.kind, subject=subject).splitlines())
    for finding, why in report.allowed:
        yield [("allowed ", "good"), (f"{finding.kind}: {finding.subject}", "")]
        yield from _muted(f"    because {why}")
    yield [(summary(report), "head")]
    if not report.findings and report.model is not None and report.model.played:
        yield from _muted(*SHOWN)


def _muted(*texts: str) -> Iterator[Line]:
    for text in texts:
        yield [(text, "muted")]


def summary(report: Report) -> str:
    """Return the totals in one line: findings by severity, and allowed findings."""
    said = ["nothing is wrong"] if report.good else []
    for word in STYLES:
        count = sum(finding.severity == word for finding in report.findings)
        said += [many(count, word)] if count else []
    following = f"; {report.following} more may follow from these" if report.following else ""
    allowed = f"; {len(report.allowed)} allowed" if report.allowed else ""
    return ", ".join(said) + following + allowed
