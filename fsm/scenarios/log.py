"""The log of a scripted game, which expectations read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from fsm.runs.where import Where


@dataclass(slots=True)
class VisitLog:
    """What happened in one visit. `on` are the effects while players had priority, or as it ended."""

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
    """A trigger that triggered ("fires") or was put on the stack ("put_on_stack")."""

    kind: Literal["fires", "put_on_stack"]
    id: str
    where: Where


@dataclass(frozen=True, slots=True)
class ManaBurn:
    """Life that a player lost to mana burn at the end of a phase, which `phase_id` identifies."""

    phase_id: int
    player: str
    amount: int


@dataclass(slots=True)
class GameLog:
    """The log of one game, in the order of events. `deciders` has the player who decides, by turn."""

    visits: dict[Where, VisitLog] = field(default_factory=dict)
    triggers: list[TriggerEvent] = field(default_factory=list)
    lore: list[tuple[str, int]] = field(default_factory=list)
    burns: list[ManaBurn] = field(default_factory=list)
    deciders: dict[int, str] = field(default_factory=dict)

    def visit(self, where: Where) -> VisitLog:
        """Return the log of one visit."""
        return self.visits.setdefault(where, VisitLog())
