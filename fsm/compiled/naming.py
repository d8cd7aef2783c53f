"""Names in generated code: words of the definition as identifiers, one for each object, none twice."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

RESERVED = frozenset(
    {"model", "args", "kwargs", "event", "error", "result", *keyword.kwlist, *dir(builtins)}
)


def identifier(words: object) -> str:
    """Any text as an identifier, the same for the same text; different texts may give the same one."""
    name = re.sub(r"[^0-9A-Za-z_]+", "_", str(words)).strip("_") or "unnamed"
    return f"_{name}" if name[0].isdigit() or name in RESERVED else name


def attribute(name: str) -> bool:
    """Can `model.name` be written, and mean the same as getattr? (Python folds some letters in
    identifiers.)
    """
    return name.isidentifier() and name.isascii() and not keyword.iskeyword(name)


def comment(words: object) -> str:
    """Any text as one line that can stand in a comment."""
    line = " ".join(str(words).split())
    return "".join(c if c.isprintable() else "?" for c in line)


class Names:
    """The globals of one generated function, which has a name itself."""

    def __init__(self, function: str) -> None:
        self.function = function
        self.values: dict[str, Any] = {}
        self._names: dict[int, str] = {}

    def of(self, value: object, hint: object) -> str:
        """The name of this very object, like `hint`; a second object with the same hint gets a
        number.
        """
        known = self._names.get(id(value))
        if known is not None:
            return known
        name = stem = identifier(hint)
        number = 1
        while name in self.values or name == self.function:
            number += 1
            name = f"{stem}_{number}"
        self.values[name] = value
        self._names[id(value)] = name
        return name
