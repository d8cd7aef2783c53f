"""Allowances: each one names a finding that is intended and says why."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta, Struct

from fsm.checks.finding import HARMLESS, Finding, Kind

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
    """

    findings: tuple[Finding, ...]
    allowed: tuple[tuple[Finding, str], ...] = ()
    following: int = 0

    @property
    def good(self) -> bool:
        """Whether nothing is wrong. The ends of a plain machine are not wrong."""
        return all(finding.kind in HARMLESS for finding in self.findings)


def divided(found: Iterable[Finding], allowances: Iterable[Allowance]) -> Report:
    """Divide findings by allowances. An allowance that matches no finding is a finding itself."""
    findings, allowances = tuple(found), tuple(allowances)
    why = {(one.kind, one.subject): one.why for one in allowances}
    reasons = [(f, why.get((f.kind, f.subject)) or why.get((f.kind, EVERY))) for f in findings]
    kept = tuple(f for f, reason in reasons if reason is None)
    allowed = tuple((f, reason) for f, reason in reasons if reason is not None)
    there = {(f.kind, subject) for f in findings for subject in (f.subject, EVERY)}
    idle = tuple(map(_idle, (one for one in allowances if (one.kind, one.subject) not in there)))
    return Report((*kept, *idle), allowed)


def _idle(one: Allowance) -> Finding:
    what = f"{one.kind!r} at {one.subject!r}"
    words = f"{what} is allowed, and there is no such finding; take the allowance away"
    return Finding("idle allowance", "", "", (), words, subject=f"{one.kind} at {one.subject}")
