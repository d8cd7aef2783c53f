"""Makes names for formats that allow only letters, digits and "_". Each name is used once."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NOT_ALLOWED = re.compile(r"\W", re.ASCII)
_RESERVED = frozenset({"__proto__"})
"""Names that JavaScript does not allow as the name of a property."""


def token(text: str) -> str:
    """Return the text as one word that can be an XML id or a variable. Most ids of models stay as
    they are.
    """
    word = _NOT_ALLOWED.sub("_", text)
    return word if word[:1].isalpha() or word[:1] == "_" else f"_{word}"


def tokens(texts: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return a different token for each text, none of which is `taken`. Earlier texts choose first."""
    found: dict[str, str] = {}
    used = {*taken, *_RESERVED}
    for text in dict.fromkeys(texts):
        base = name = token(text)
        number = 2
        while name in used:
            name, number = f"{base}_{number}", number + 1
        used.add(name)
        found[text] = name
    return found
