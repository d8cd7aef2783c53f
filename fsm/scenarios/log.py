"""What a scripted game notes while it is played, for the expectations to read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fsm.runs.where import Where


@dataclass(slots=True)
class Seen:
    """What was seen in one visit. `on`: effects while players had priority, or as it ended; None: not yet known."""

    priority: list[str] = field(default_factory=list)
    discards: int = 0
    made: set[str] = field(default_factory=set)
    on: frozenset[str] | None = None
    mana: Mapping[str, int] | None = None
    designation: str = ""
    resolved: list[str] = field(default_factory=list)
    assigned: list[str] = field(default_factory=list)
    dealt: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """A trigger triggered ("fires"), or reached the stack ("put_on_stack")."""

    kind: Literal["fires", "put_on_stack"]
    id: str
    where: Where


@dataclass(frozen=True, slots=True)
class Burn:
    """Life that a player lost by unspent mana at the end of a phase, by the phase's occurrence."""

    phase_id: int
    player: str
    amount: int


@dataclass(slots=True)
class Log:
    """The notes of one game, in the order things happened. `deciders`: who decides, by turn."""

    visits: dict[Where, Seen] = field(default_factory=dict)
    triggers: list[TriggerEvent] = field(default_factory=list)
    lore: list[tuple[str, int]] = field(default_factory=list)
    burns: list[Burn] = field(default_factory=list)
    deciders: dict[int, str] = field(default_factory=dict)

    def seen(self, where: Where) -> Seen:
        """The notes of one visit."""
        return self.visits.setdefault(where, Seen())
