"""The log of a scripted game, which expectations read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from fsm.runs.where import Where

_S = TypeVar("_S")


@dataclass(slots=True)
class VisitLog:
    """What happened in one visit. `on` are the effects while players had priority, or as it ended.

    `performed` are the turn-based actions, each with the players who were asked to perform it.
    """

    priority: list[str] = field(default_factory=list)
    made: set[str] = field(default_factory=set)
    on: frozenset[str] | None = None
    resolved: list[str] = field(default_factory=list)
    performed: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class TriggerEvent:
    """A trigger that triggered ("fires") or was put on the stack ("put_on_stack")."""

    kind: Literal["fires", "put_on_stack"]
    id: str
    where: Where


@dataclass(slots=True)
class GameLog:
    """The log of one game, in the order of events.

    `deciders` has the player who decides, by turn. `states` has what is remembered for each game,
    by its class.
    """

    visits: dict[Where, VisitLog] = field(default_factory=dict)
    triggers: list[TriggerEvent] = field(default_factory=list)
    deciders: dict[int, str] = field(default_factory=dict)
    states: dict[type, Any] = field(default_factory=dict)

    def of(self, kind: type[_S]) -> _S:
        """Return what is remembered for one game."""
        found: _S = self.states[kind]
        return found

    def visit(self, where: Where) -> VisitLog:
        """Return the log of one visit."""
        return self.visits.setdefault(where, VisitLog())
