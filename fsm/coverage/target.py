"""Coverage targets and coverage results, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal, NamedTuple

from fsm.model import Model

Key = tuple[str, str]
Kind = Literal["missing", "refuted", "allowed", "taken", "impossible"]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that a criterion asks for.

    Attributes
    ----------
    id
        A readable id, unique within the machine.
    machine
        The machine it belongs to: "turn", "window", or the name of a machine of your own.
    text
        The target in words.
    rule
        The rule that its subject cites, or "".
    infeasible
        Why no run can take it, or "" if one may.
    rows
        The ids of the transitions that it is about, in order.
    fires
        Whether these must fire for it to be taken.
    """

    id: str
    machine: str
    text: str
    rule: str = ""
    infeasible: str = ""
    rows: tuple[str, ...] = ()
    fires: bool = True

    @property
    def key(self) -> Key:
        """The machine and the id. Together they are unique within a criterion."""
        return self.machine, self.id


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was taken of the targets of one criterion.

    Attributes
    ----------
    criterion
        The name of the criterion.
    targets
        All targets, in the order of the model.
    taken
        How often each target was taken, by its key.
    by
        How often each target was taken in each context (test), by its key.
    notes
        Remarks on the data, one sentence each.
    allowed
        The targets that may be missing, by key, each with the reason. See `fsm.coverage.demands`.
    """

    criterion: str
    targets: tuple[Target, ...]
    taken: Mapping[Key, int]
    by: Mapping[Key, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    allowed: Mapping[Key, str] = field(default_factory=dict)

    def kind(self, target: Target) -> Kind:
        """Return what became of a target. One that was taken although it was proved impossible is
        "refuted": the machine was driven in a way that the proofs do not assume.
        """
        if target.key in self.taken:
            return "refuted" if target.infeasible else "taken"
        if target.infeasible:
            return "impossible"
        return "allowed" if target.key in self.allowed else "missing"

    def of(self, *kinds: Kind) -> tuple[Target, ...]:
        """Return the targets of which this became."""
        return tuple(target for target in self.targets if self.kind(target) in kinds)

    @property
    def covered(self) -> tuple[Target, ...]:
        """The targets that were taken."""
        return self.of("taken", "refuted")

    @property
    def missing(self) -> tuple[Target, ...]:
        """The targets that a run may take and none did, without those that are allowed to be
        missing.
        """
        return self.of("missing")

    @property
    def infeasible(self) -> tuple[Target, ...]:
        """The targets that were not taken and that no run can take."""
        return self.of("impossible")

    @property
    def asked(self) -> int:
        """The number of targets that count: those that were taken and those that are missing."""
        return len(self.covered) + len(self.missing)

    @property
    def share(self) -> float:
        """The share of the targets that count which was taken, from 0 to 1. It is 1.0 if no target
        counts.
        """
        return Count(len(self.covered), self.asked).share

    def __str__(self) -> str:
        said = f"{self.criterion}: {len(self.covered)} of {self.asked} taken ({self.share:.1%})"
        if self.infeasible:
            said += f", {len(self.infeasible)} more cannot be taken"
        excused = len(self.of("allowed"))
        return f"{said}, {excused} more may be missing" if excused else said


@dataclass(frozen=True, slots=True)
class Result:
    """One model with its coverage by each requested criterion.

    `name` is its name in the report. `firings` is the number of recorded firings. `place` is where
    a plain machine was made, `file:line`, or "". `names` are all names by which it can be meant.
    """

    name: str
    model: Model
    coverages: tuple[Coverage, ...]
    firings: int = 0
    place: str = ""
    names: frozenset[str] = frozenset()

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the data, one sentence each."""
        every = chain.from_iterable(coverage.notes for coverage in self.coverages)
        return tuple(dict.fromkeys(every))

    def by(self, criterion: str) -> Coverage | None:
        """Return the coverage by one criterion, or None if it was not measured."""
        found = [coverage for coverage in self.coverages if coverage.criterion == criterion]
        return found[0] if found else None


class Count(NamedTuple):
    """How many targets were taken, and how many count: those that were taken or are missing."""

    taken: int
    asked: int

    @property
    def share(self) -> float:
        """The share that was taken, from 0 to 1. It is 1.0 if no target counts."""
        return self.taken / self.asked if self.asked else 1.0

    def __str__(self) -> str:
        return f"{percent(self.share)} ({self.taken} of {self.asked})"


def total_of(coverages: Iterable[Coverage]) -> Count:
    """Return the count of some coverages together."""
    taken = asked = 0
    for coverage in coverages:
        taken += len(coverage.covered)
        asked += coverage.asked
    return Count(taken, asked)


def percent(share: float) -> str:
    """Return a share in percent, rounded down, so that 100% means all."""
    found = int(share * 1000) / 10
    return f"{found:.0f}%" if found == int(found) else f"{found:.1f}%"
