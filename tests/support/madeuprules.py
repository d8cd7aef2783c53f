"""A made-up rulebook, a small ruleset that cites it, and larger rulebooks of random words."""

from __future__ import annotations

import random
from collections.abc import Iterator

from fsm.analysis.checks.notes import Rule, RulebookNotes
from fsm.model import Event, Fact, Model, State, Term, Transition

BARN = """\
The Rules of Barn

These rules are effective as of March 3, 2031.

Contents

1. The Game
100. General
2. The Day
200. Morning
201. Feeding
202. Night
Glossary
Credits

1. The Game

100. General

100.1. Barn is a game for two farmers.

2. The Day

200. Morning

200.1. As the morning begins, all of the farmer’s animals wake.

200.2. The farmer then takes an egg (see rule 201.3, “Eggs and Feathers”).

200.2a If there is no egg — not even a brown one — the farmer takes none. See rules 201.1 and 202.1.

Example: The hen is still asleep. The farmer takes no egg.

Example: The hen has left. The farmer takes no egg.

200.3. The cock may crow.

201. Feeding

201.1. Every animal that is awake is fed, the smallest one
first, unless rule
202.1. says that it is night.

201.2. Whoever has no grain (for example, after a flood) feeds hay.

201.3. Eggs stay in the basket.

201.3a Feathers stay on the floor.

202. Night

202.1. The lamp is put out.

202.1a Whoever still carries a lamp puts it out at once.

Glossary

Basket
1. Where the eggs are. See rule 201.3.

Egg
What a hen lays.

Credits

1. All farmers.
"""

# Cites 200, 200.1, 200.2, 201.1, 202.1 and 202.1a.
GAME = Model(
    name="barn",
    initial="wake",
    edition="Barn 2031",
    states=(
        State("wake", "action", asks="perform", rule="200, 200.1"),
        State("feed", "choice", rule="201.1"),
    ),
    transitions=(
        Transition("wake", "feed", rule="200.2"),
        Transition("feed", "wake", guard=(Term("dark"),), rule="202.1"),
        Transition("feed", "wake", rule="202.1a"),
    ),
    events=(Event("done", completion=True),),
    facts=(Fact("dark", "", "202.1"),),
)
NOTES = RulebookNotes(
    "Barn 2031",
    (Rule("200 to 202", "the day"),),
    (
        Rule("200.1", "waking"),
        Rule("201.2", "hay", why="the game's own part"),
        Rule("202.1", "the lamp"),
    ),
)
CHECK_TOML = """\
edition = "Barn 2031"
sections = {"200 to 202" = "the day"}

[rules]
"200.1" = "waking"
"201.2" = {says = "hay", why = "the game's own part"}
"202.1" = "the lamp"
"""
"""The same as the file beside the ruleset."""


def section_of_words(number: int, called: int, seed: int, length: int) -> Iterator[str]:
    """A section of 40 rules of so many words, each with a reference to a rule of the same section."""
    chance = random.Random(f"{seed} {number}")
    yield f"{called}. Section of {number}\n"
    for rule in range(1, 41):
        words = " ".join(f"word{chance.randrange(1_000)}" for _ in range(length))
        yield f"{called}.{rule}. {words} (see rule {called}.{chance.randrange(1, 41)}).\n"


def book_of_words(sections: int, *, first: int = 200, seed: int = 1, length: int = 12) -> str:
    """So many sections, of which the first has this number. The seed decides about the words, and
    not the number.
    """
    return "\n".join(
        line for n in range(sections) for line in section_of_words(n, first + n, seed, length)
    )
