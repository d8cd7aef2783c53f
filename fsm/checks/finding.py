"""Findings: each describes one thing that is wrong with a Model, and where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
    "citation": ("note", "it cites no rule"),
}
"""The severity of each kind of finding, and what it means, in a sentence.

Error: a run can stop, hang, or take an unintended transition. Warning: something has no effect.
Note: nothing is wrong with runs, but a source is missing, or it is worth knowing.
"""

HARMLESS: frozenset[Kind] = frozenset({"end"})
"""The kinds of findings with which nothing is wrong."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a model.

    Attributes
    ----------
    kind
        The kind of the finding. `KINDS` explains each kind.
    state
        The state it is about, or "".
    event
        The event it is about, or "".
    guards
        The guards it is about.
    message
        The finding in words.
    witness
        Values of facts under which the finding shows, if there are any.
    subject
        What the finding is about: the id of a transition, a state (with the event), a fact or an
        action. An allowance names a finding by its kind and subject.
    machine
        The machine it is in: "turn", "window", or the name of a machine of your own.
    path
        The ids of the transitions on a way to the finding, from where a run begins. For a gap, the
        run stops at the end of the path under the witness.
    proved
        Whether the facts can have values under which the whole path is taken.
    """

    kind: Kind
    state: str
    event: str
    guards: tuple[str, ...]
    message: str
    witness: tuple[tuple[str, bool], ...] = ()
    subject: str = ""
    machine: str = ""
    path: tuple[str, ...] = ()
    proved: bool = False

    @property
    def severity(self) -> Severity:
        """The severity of this kind of finding. See `KINDS`."""
        return KINDS[self.kind][0]

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"
