"""The cards, and what lies on the table. Nothing here knows about turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

LIFE, HAND, MOST_CRYSTALS = 15, 4, 8


@dataclass(frozen=True)
class Card:
    """A creature has power and toughness. Quick cards can be played whenever you may act."""

    name: str
    cost: int
    power: int = 0
    toughness: int = 0
    quick: bool = False
    text: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.power}/{self.toughness}" if self.toughness else self.name


SPARK = Card("Spark", 1, quick=True, text="2 damage to a creature or a player")
CRY = Card("War Cry", 2, quick=True, text="your creatures get +1/+0 until dusk")
FOG = Card("Thick Fog", 2, text="the opponent's next combat does not take place")
WIND = Card("Second Wind", 3, quick=True, text="your creatures are ready again for one more combat")
FOX, GUARD, WOLF = Card("Fox", 1, 2, 1), Card("Guard", 2, 1, 4), Card("Wolf", 2, 3, 2)
KNIGHT, OGRE = Card("Knight", 3, 3, 3), Card("Ogre", 4, 5, 3)
DECK = [FOX, FOX, FOX, GUARD, GUARD, WOLF, WOLF, WOLF, KNIGHT, KNIGHT, KNIGHT, OGRE, OGRE]
DECK += [Card("Giant", 5, 6, 6), SPARK, SPARK, SPARK, CRY, CRY, FOG, WIND, WIND]


@dataclass(eq=False)
class Creature:
    """A creature on the table. It is new in the turn in which it came, and cannot attack yet."""

    card: Card
    ready: bool = True
    new: bool = True
    wounds: int = 0

    @property
    def left(self) -> int:
        return self.card.toughness - self.wounds


@dataclass(eq=False)
class Side:
    """What one player has. `cries` are the war cries that still sound."""

    name: str
    deck: list[Card]
    hand: list[Card] = field(default_factory=list)
    creatures: list[Creature] = field(default_factory=list)
    cries: list[str] = field(default_factory=list)
    life: int = LIFE
    crystals: int = 0
    mana: int = 0

    @classmethod
    def begin(cls, name: str, random: Random) -> Side:
        deck = [*DECK]
        random.shuffle(deck)
        return cls(name, deck[HAND:], deck[:HAND])

    def power(self, creature: Creature) -> int:
        return creature.card.power + len(self.cries)


@dataclass(eq=False)
class Played:
    """A card that was played and has not taken effect yet."""

    card: Card
    side: Side
    target: Creature | Side | None = None
