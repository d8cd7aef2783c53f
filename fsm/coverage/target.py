"""What a criterion asks for, and what of it was taken: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Target:
    """One thing a criterion asks for.

    `id` is readable and unique within its `machine` ("turn", "window", or the name of a machine of your own);
    `text` says it in words, `rule` cites what it is about. `infeasible`: why no run can take it, "" if one may.
    """

    id: str
    machine: str
    text: str
    rule: str = ""
    infeasible: str = ""

    @property
    def key(self) -> Key:
        """Machine and id: unique within a criterion."""
        return self.machine, self.id


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was taken of the targets of one criterion.

    `targets` are all, in the model's order; `taken` says how often each was taken, `by` in which contexts (tests), each
    by its `key`. `missing` are those that a run may take and none did, `infeasible` those that none can; `allowed` are
    those that may be missing, by key, each with the reason (see `fsm.coverage.allowing`).
    `refuted`: what was held infeasible and was taken after all, which counts as taken: the machine was driven in
    another way than its proofs assume. `notes`: what the reader must know of the data, one sentence each.
    """

    criterion: str
    targets: tuple[Target, ...]
    taken: Mapping[Key, int]
    by: Mapping[Key, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    allowed: Mapping[Key, str] = field(default_factory=dict)

    @property
    def covered(self) -> tuple[Target, ...]:
        """Those that were taken."""
        return tuple(t for t in self.targets if t.key in self.taken)

    @property
    def missing(self) -> tuple[Target, ...]:
        """Those that were not taken, and may be; but for what is allowed."""
        return tuple(t for t in self._untaken if not t.infeasible and t.key not in self.allowed)

    @property
    def excused(self) -> tuple[Target, ...]:
        """Those that were not taken, may be, and are allowed to be missing."""
        return tuple(t for t in self._untaken if not t.infeasible and t.key in self.allowed)

    @property
    def infeasible(self) -> tuple[Target, ...]:
        """Those that were not taken, and cannot be."""
        return tuple(t for t in self._untaken if t.infeasible)

    @property
    def _untaken(self) -> tuple[Target, ...]:
        return tuple(t for t in self.targets if t.key not in self.taken)

    @property
    def refuted(self) -> tuple[Target, ...]:
        """Those that were taken although they were held infeasible."""
        return tuple(t for t in self.targets if t.key in self.taken and t.infeasible)

    @property
    def asked(self) -> int:
        """How many there are to take: those that were, and those that are missing."""
        return len(self.covered) + len(self.missing)

    @property
    def share(self) -> float:
        """Taken, of those that there are to take; 1.0 when there are none."""
        return len(self.covered) / self.asked if self.asked else 1.0

    def __str__(self) -> str:
        cannot = f", {len(self.infeasible)} more cannot be taken" if self.infeasible else ""
        allowed = f", {len(self.excused)} more may be missing" if self.excused else ""
        return f"{self.criterion}: {len(self.covered)} of {self.asked} taken ({self.share:.1%}){cannot}{allowed}"
