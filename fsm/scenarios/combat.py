"""Creatures in combat: who assigns damage, and when. This is only what a scripted game needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

COMBAT_DAMAGE = "combat_damage"
"""The name of combat damage as an object on the stack."""


@dataclass(slots=True)
class Combatant:
    """A creature in combat. `blocks` is the attacker that it blocks; `blocked` means that it has
    been blocked.
    """

    id: str
    side: str
    power: int = 1
    first_strike: bool = False
    double_strike: bool = False
    blocks: str = ""
    blocked: bool = False

    @property
    def strikes_first(self) -> bool:
        """Whether it has first or double strike."""
        return self.first_strike or self.double_strike


@dataclass(slots=True)
class Combat:
    """One combat. `given` says whether any creature in it was named.

    `had` are the creatures that had first or double strike as damage began, and `doubled` those
    that had double strike.
    """

    creatures: dict[str, Combatant] = field(default_factory=dict)
    given: bool = False
    had: frozenset[str] = frozenset()
    doubled: frozenset[str] = frozenset()
    done: frozenset[str] = frozenset()
    pending: tuple[str, ...] = ()

    def add(self, creature: Combatant) -> None:
        """Put a creature into combat. What it blocks becomes blocked."""
        self.creatures[creature.id] = creature
        self.given = True
        if creature.blocks in self.creatures:
            self.creatures[creature.blocks].blocked = True

    def leave(self, side: str) -> None:
        """Remove all creatures of one side from combat."""
        self.creatures = {c.id: c for c in self.creatures.values() if c.side != side}

    @property
    def first_strike(self) -> bool:
        """Whether any creature in combat has first or double strike."""
        return any(c.strikes_first for c in self.creatures.values())

    def assign(self, manner: str) -> tuple[str, ...]:
        """Return who assigns damage now: attackers first, then blockers, each in the order in which
        they came.
        """
        if manner == FIRST:
            self.had |= {c.id for c in self.creatures.values() if c.strikes_first}
            self.doubled |= {c.id for c in self.creatures.values() if c.double_strike}
        wanted = MANNERS[manner]
        ordered = sorted(self.creatures.values(), key=lambda c: c.side != "attacker")
        found = tuple(
            c.id for c in ordered if c.id not in self.pending and self._can(c) and wanted(self, c)
        )
        self.pending += found
        return found

    def _can(self, creature: Combatant) -> bool:
        """Say whether it has power, and anything to deal damage to."""
        if creature.power <= 0:
            return False
        if creature.side == "attacker":
            return not creature.blocked or any(
                c.blocks == creature.id for c in self.creatures.values()
            )
        return not creature.blocks or creature.blocks in self.creatures

    def take(self) -> tuple[str, ...]:
        """Return the creatures whose assigned damage is now dealt or becomes an object."""
        self.done |= frozenset(self.pending)
        taken, self.pending = self.pending, ()
        return taken


FIRST = "first_or_double_strike"
MANNERS: Mapping[str, Callable[[Combat, Combatant], bool]] = {
    "": lambda combat, creature: True,
    FIRST: lambda combat, creature: creature.strikes_first,
    "others_and_double_strike": lambda combat, creature: (
        creature.id not in combat.had or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike": lambda combat, creature: (
        creature.id not in combat.done or creature.double_strike
    ),
    "not_yet_assigned_or_double_strike_unless_stopped": lambda combat, creature: (
        creature.double_strike or creature.id not in combat.done | combat.doubled
    ),
    "without_first_strike": lambda combat, creature: not creature.first_strike,
}
"""Decides who assigns damage, by the model's word for the manner."""
