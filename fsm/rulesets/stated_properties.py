"""The properties that are stated for a ruleset, by the name of its Model."""

from __future__ import annotations

from fsm.rulesets.grand_archive.properties import ARCHIVE
from fsm.rulesets.magic.properties import CLASSIC, CURRENT, TABLE
from fsm.rulesets.properties import PROPERTIES, Property

_BUILT_IN = {"magic": CURRENT, "magic-2010": TABLE, "magic-classic": CLASSIC, "grand-archive": ARCHIVE}


def properties_of(name: str) -> tuple[Property, ...]:
    """Return the properties of the ruleset with this name. A ruleset without properties has none."""
    return PROPERTIES.get(name) or _BUILT_IN.get(name, ())
