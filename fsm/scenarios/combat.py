"""Creatures in combat, as far as a scripted game needs them: who assigns damage, and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

COMBAT_DAMAGE = "combat_damage"
"""The name of combat damage as an object on the stack."""


@dataclass(slots=True)
class Combatant:
    """A creature in combat. `blocks`: the attacker it blocks; `blocked`: an attacker that has been blocked."""

    id: str
    side: str
    power: int = 1
    first_strike: bool = False
    double_strike: bool = False
    blocks: str = ""
    blocked: bool = False

    @property
    def strikes_first(self) -> bool:
        """Has it first or double strike?"""
        return self.first_strike or self.double_strike


@dataclass(slots=True)
class Combat:
    """One combat. `given`: was any creature in it named?

    `had`: who had first or double strike as damage began; `doubled`: who had double strike.
    """

    creatures: dict[str, Combatant] = field(default_factory=dict)
    given: bool = False
    had: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    pending: tuple[str, ...] = ()

    def add(self, creature: Combatant) -> None:
        """It is in combat from now on; what it blocks is blocked."""
        self.creatures[creature.id] = creature
        self.given = True
        if creature.blocks in self.creatures:
            self.creatures[creature.blocks].blocked = True

    def leave(self, side: str) -> None:
        """All of one side leave combat."""
        self.creatures = {c.id: c for c in self.creatures.values() if c.side != side}

    @property
    def first_strike(self) -> bool:
        """Has any creature in combat first or double strike?"""
        return any(c.strikes_first for c in self.creatures.values())

    def assign(self, manner: str) -> tuple[str, ...]:
        """Who assigns damage now: attackers first, then blockers, each in the order in which they came."""
        if manner == FIRST:
            self.had |= {c.id for c in self.creatures.values() if c.strikes_first}
            self.doubled |= {c.id for c in self.creatures.values() if c.double_strike}
        wanted = MANNERS[manner]
        ordered = sorted(self.creatures.values(), key=lambda c: c.side != "attacker")
        found = tuple(c.id for c in ordered if c.id not in self.pending and self._can(c) and wanted(self, c))
        self.pending += found
        return found

    def _can(self, creature: Combatant) -> bool:
        """Has it power, and anything to deal damage to?"""
        if creature.power <= 0:
            return False
        if creature.side == "attacker":
            return not creature.blocked or any(c.blocks == creature.id for c in self.creatures.values())
        return not creature.blocks or creature.blocks in self.creatures

    def take(self) -> tuple[str, ...]:
        """What was assigned and is now dealt, or becomes an object: the creatures whose damage it is."""
        self.done |= frozenset(self.pending)
        taken, self.pending = self.pending, ()
        return taken


FIRST = "first_or_double_strike"
MANNERS: Mapping[str, Callable[[Combat, Combatant], bool]] = {
    "": lambda combat, creature: True,
    FIRST: lambda combat, creature: creature.strikes_first,
    "others_and_double_strike": lambda combat, creature: creature.id not in combat.had or creature.double_strike,
    "not_yet_assigned_or_double_strike": lambda combat, creature: (
        creature.id not in combat.done or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike_unless_stopped": lambda combat, creature: (
        creature.double_strike or creature.id not in combat.done | combat.doubled
    ),
    "without_first_strike": lambda combat, creature: not creature.first_strike,
}
"""Who assigns damage, by the model's word for it."""
