"""Names for formats that do not take any text as a name: letters, digits and "_", each name used once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_UNFIT = re.compile(r"\W", re.ASCII)
_TAKEN = frozenset({"__proto__"})
"""What JavaScript would not take as the name of a property."""


def token(text: str) -> str:
    """The text as one word that may stand as an XML id or a variable; most ids of models are left as they are."""
    word = _UNFIT.sub("_", text)
    return word if word[:1].isalpha() or word[:1] == "_" else f"_{word}"


def tokens(texts: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A token for each of these texts, each token once and none that is `taken`; earlier texts choose first."""
    found: dict[str, str] = {}
    used = {*taken, *_TAKEN}
    for text in dict.fromkeys(texts):
        base = name = token(text)
        number = 2
        while name in used:
            name, number = f"{base}_{number}", number + 1
        used.add(name)
        found[text] = name
    return found
