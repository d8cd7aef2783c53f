"""The cards, and what lies on the table. Nothing here knows about turns."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

LIFE, HAND, MOST_CRYSTALS = 15, 4, 8


@dataclass(frozen=True)
class Card:
    """A creature has power and toughness, a spell an effect. Quick cards can be played whenever you
    may act.
    """

    name: str
    cost: int
    power: int = 0
    toughness: int = 0
    effect: str = ""
    quick: bool = False
    text: str = ""

    def __str__(self) -> str:
        return f"{self.name} {self.power}/{self.toughness}" if self.toughness else self.name


CARDS = {
    card.name: card
    for card in (
        Card("Fox", 1, 2, 1),
        Card("Guard", 2, 1, 4),
        Card("Wolf", 2, 3, 2),
        Card("Knight", 3, 3, 3),
        Card("Ogre", 4, 5, 3),
        Card("Giant", 5, 6, 6),
        Card("Spark", 1, effect="spark", quick=True, text="2 damage to a creature or a player"),
        Card(
            "War Cry", 2, effect="war_cry", quick=True, text="your creatures get +1/+0 until dusk"
        ),
        Card(
            "Thick Fog",
            2,
            effect="thick_fog",
            text="the opponent's next combat does not take place",
        ),
        Card(
            "Second Wind",
            3,
            effect="second_wind",
            quick=True,
            text="in your combat: your creatures are ready again, and another combat follows",
        ),
    )
}
DECK = """Fox Fox Fox Guard Guard Wolf Wolf Wolf Knight Knight Knight Ogre Ogre Giant
          Spark Spark Spark War_Cry War_Cry Thick_Fog Second_Wind Second_Wind"""


@dataclass(eq=False)
class Creature:
    """A creature on the table. It is new in the turn in which it came, and cannot attack yet."""

    card: Card
    ready: bool = True
    new: bool = True
    wounds: int = 0

    @property
    def left(self) -> int:
        """How much damage it still survives, and one more."""
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
        """A shuffled deck, and a hand from it."""
        deck = [CARDS[word.replace("_", " ")] for word in DECK.split()]
        random.shuffle(deck)
        return cls(name, deck[HAND:], deck[:HAND])

    def power(self, creature: Creature) -> int:
        """The damage that this creature of the side deals."""
        return creature.card.power + len(self.cries)


@dataclass(eq=False)
class Played:
    """A card that was played and has not taken effect yet."""

    card: Card
    side: Side
    target: Creature | Side | None = None
