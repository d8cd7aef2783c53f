"""Findings: each describes one thing that is wrong with a Model, and where. An allowance names a
finding that is intended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins

Severity = Literal["error", "warning", "note"]
Kind = Literal[
    "cannot start",
    "dead end",
    "end",
    "no way out",
    "gap",
    "overlap",
    "broken group",
    "unreachable",
    "only by name",
    "no such state",
    "hidden",
    "shadowed",
    "contradiction",
    "never fires",
    "never over",
    "disconnected",
    "irregular",
    "unused",
    "citation",
    "duplicate",
    "no effect",
    "ignored",
    "idle allowance",
    "rule missing",
    "rule cited after all",
    "no such rule",
]

KINDS: dict[Kind, tuple[Severity, str]] = {
    "cannot start": ("error", "no game can be played with it: building the machine fails"),
    "dead end": ("error", "a run comes here and stops: nothing is there for what happens next"),
    "no way out": ("error", "a run comes here and the turn never ends in its ordinary course"),
    "gap": ("error", "there are facts under which none of the rows holds, so that a run stops"),
    "overlap": (
        "error",
        "two rows can hold at once, and only their order decides",
    ),
    "broken group": ("error", "facts of which exactly one should hold, and that is not so"),
    "no such state": ("error", "a transition names a state that the machine does not have"),
    "hidden": ("warning", "the model has a member of this name, so that it has no such trigger"),
    "rule missing": (
        "error",
        "nothing cites a rule of the modelled sections, and nobody says why",
    ),
    "no such rule": ("error", "a citation that names no rule on the rulebook's list"),
    "unreachable": ("warning", "no run comes here"),
    "shadowed": ("warning", "rows above it are always taken first"),
    "contradiction": ("warning", "its guard can never hold"),
    "never fires": ("warning", "no run takes it, for a reason that its own guard does not show"),
    "never over": ("warning", "no run of the game can end"),
    "disconnected": ("warning", "with one layer of arrows left out, the rest falls apart"),
    "irregular": ("warning", "its like have a row that it lacks"),
    "unused": ("warning", "nothing reads it"),
    "duplicate": ("warning", "the same transition is there twice"),
    "no effect": ("warning", "a trigger that changes nothing wherever it is possible"),
    "idle allowance": ("warning", "a finding is allowed that is not there"),
    "rule cited after all": (
        "warning",
        "a rule said not to be modelled, or part of another, is cited",
    ),
    "end": ("note", "a run ends here, which is usual in a machine that marks no state as final"),
    "only by name": ("note", "a run comes here by a trigger to_STATE of the library alone"),
    "ignored": ("note", "a trigger that is allowed there, and changes nothing"),
    "citation": ("note", "it cites no rule"),
}
"""The severity of each kind of finding, and what it means, in a sentence.

Error: a run can stop, hang, or take an unintended transition. Warning: something has no effect.
Note: nothing is wrong with runs, but a source is missing, or it is worth knowing.
"""

HARMLESS: frozenset[Kind] = frozenset({"end", "only by name", "ignored"})
"""The kinds of findings with which nothing is wrong."""


class Finding(Struct, frozen=True, rename={"kind": "finding", "subject": "at"}):
    """One thing that is wrong with a model.

    Attributes
    ----------
    kind
        The kind of the finding. `KINDS` explains each kind.
    subject
        What the finding is about: the id of a transition, a state (with the event), a fact or an
        action. An allowance names a finding by its kind and subject.
    message
        The finding in words.
    state
        The state it is about, or "".
    event
        The event it is about, or "".
    guards
        The guards it is about.
    witness
        Values of facts under which the finding shows, if there are any.
    machine
        The machine it is in: "turn", "window", or the name of a machine of your own.
    path
        The ids of the transitions on a way to the finding, from where a run begins. For a gap, the
        run stops at the end of the path under the witness.
    proved
        Whether the facts can have values under which the whole path is taken.
    """

    kind: Kind
    subject: str
    message: str
    state: str = ""
    event: str = ""
    guards: tuple[str, ...] = ()
    witness: Mapping[str, bool] = {}
    machine: str = ""
    path: tuple[str, ...] = ()
    proved: bool = False

    @property
    def severity(self) -> Severity:
        """The severity of this kind of finding. See `KINDS`."""
        return KINDS[self.kind][0]

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
    left = {(one.kind, one.subject): one for one in allowances}
    why = dict(left)
    kept = list[Finding]()
    allowed = list[tuple[Finding, str]]()
    for finding in found:
        names = (finding.kind, finding.subject), (finding.kind, EVERY)
        reasons = [why[name].why for name in names if name in why]
        for name in names:
            left.pop(name, None)
        if reasons:
            allowed.append((finding, reasons[0]))
        else:
            kept.append(finding)
    for kind, subject in left:
        words = f"{kind!r} at {subject!r} is allowed, and there is no such finding"
        idle = f"{words}; take the allowance away"
        kept.append(Finding("idle allowance", f"{kind} at {subject}", idle))
    return Report(tuple(kept), tuple(allowed))
