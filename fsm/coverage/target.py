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
    by its `key`. `missing` are those that a run may take and none did, `infeasible` those that none can.
    `refuted`: what was held infeasible and was taken after all, which counts as taken: the machine was driven in
    another way than its proofs assume. `notes`: what the reader must know of the data, one sentence each.
    """

    criterion: str
    targets: tuple[Target, ...]
    taken: Mapping[Key, int]
    by: Mapping[Key, Mapping[str, int]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def covered(self) -> tuple[Target, ...]:
        """Those that were taken."""
        return tuple(t for t in self.targets if t.key in self.taken)

    @property
    def missing(self) -> tuple[Target, ...]:
        """Those that were not taken, and may be."""
        return tuple(t for t in self.targets if t.key not in self.taken and not t.infeasible)

    @property
    def infeasible(self) -> tuple[Target, ...]:
        """Those that were not taken, and cannot be."""
        return tuple(t for t in self.targets if t.key not in self.taken and t.infeasible)

    @property
    def refuted(self) -> tuple[Target, ...]:
        """Those that were taken although they were held infeasible."""
        return tuple(t for t in self.targets if t.key in self.taken and t.infeasible)

    @property
    def share(self) -> float:
        """Taken, of those that can be taken; 1.0 when there are none."""
        possible = len(self.targets) - len(self.infeasible)
        return len(self.covered) / possible if possible else 1.0

    def __str__(self) -> str:
        possible = len(self.targets) - len(self.infeasible)
        cannot = f", {len(self.infeasible)} more cannot be taken" if self.infeasible else ""
        return f"{self.criterion}: {len(self.covered)} of {possible} taken ({self.share:.1%}){cannot}"
