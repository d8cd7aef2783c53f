"""What is stated of a ruleset beside its Model: its properties, and the numbers of the rules in its
edition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from fsm.rulesets.archive_properties import ARCHIVE
from fsm.rulesets.editions import ABOUT, NUMBERS, numbers_of
from fsm.rulesets.magic_properties import CLASSIC, CURRENT, TABLE
from fsm.rulesets.properties import PROPERTIES, Property

_BUILT_IN = {
    "magic": CURRENT,
    "magic-2010": TABLE,
    "magic-classic": CLASSIC,
    "grand-archive": ARCHIVE,
}


def properties_of(name: str, edition: str = "") -> tuple[Property, ...]:
    """Return the properties of the ruleset with this name. A ruleset without properties has none.

    They cite the rules by the numbers of the `edition`, as the Model calls it.
    """
    stated, cite = PROPERTIES.get(name) or _BUILT_IN.get(name, ()), citing(name, edition)
    return tuple(replace(one, rule=cite(one.rule)) for one in stated)


def citing(name: str, edition: str) -> Callable[[str], str]:
    """Return the function that takes a citation in a ruleset's source, and returns it with the
    edition's numbers.

    It returns "" for a rule that is not known in this edition. Most rulesets have one numbering: it
    changes nothing.
    """
    return numbers_of(edition).cite if name == "magic" else str


def numbers_of_editions(name: str) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the numbers that rules have in a ruleset's editions: the head of a table, and its
    rows, if any.
    """
    if name != "magic":
        return (), ()
    head = (*(numbers.title for numbers in NUMBERS.values()), "what it is about")
    rows = [
        (*(numbers.cite(rule) for numbers in NUMBERS.values()), about)
        for rule, about in ABOUT.items()
    ]
    return head, tuple(rows)
