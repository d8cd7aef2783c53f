"""Names and descriptions of a machine's callbacks. No callback is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

_NAMELESS = "lambda"


def name_of(callback: object) -> str:
    """Return the name of a callback: its own, or the one by which the machine knows it.

    Spaces and brackets become "_", as the names of a Model's actions have none.
    """
    while isinstance(callback, partial):
        callback = callback.func
    if isinstance(callback, str):
        name = callback.rpartition(".")[2]
    else:
        name = getattr(callback, "__name__", None) or type(callback).__name__
    return re.sub(r"[\s()]+", "_", _NAMELESS if name in ("<lambda>", "") else str(name))


def _shown(value: object) -> str:
    """Return a value that a partial holds. Long ones, and those without a text of their own, are
    named by their class.
    """
    text = re.sub(r"[\s(),]+", "_", repr(value))
    return text if len(text) <= 24 and " at 0x" not in repr(value) else type(value).__name__


def place_of(callback: object) -> str:
    """Return what tells a callback from others of its name: where a lambda is written, for instance
    "shop.py, line 12", and the values that a partial holds. Others have "".
    """
    held: list[str] = []
    while isinstance(callback, partial):
        named = [f"{name}={_shown(value)}" for name, value in callback.keywords.items()]
        held = [*map(_shown, callback.args), *held, *named]
        callback = callback.func
    words = [f"with {', '.join(held)}"] if held else []
    code = getattr(callback, "__code__", None)
    if code is not None and getattr(callback, "__name__", "") == "<lambda>":
        words.insert(0, f"{PurePath(code.co_filename).name}, line {code.co_firstlineno}")
    return "; ".join(words)


def doc_of(callback: object, owners: Sequence[object]) -> str:
    """Return the first line of a callback's docstring, or where a lambda is written. A name is
    looked up in the first owner that has it.
    """
    if place := place_of(callback):
        return place
    while isinstance(callback, partial):
        callback = callback.func
    if isinstance(callback, str):
        found = (inspect.getattr_static(owner, callback, None) for owner in owners)
        callback = next((one for one in found if one is not None), None)
    if not isinstance(callback, property | staticmethod | classmethod) and not callable(callback):
        return ""
    doc: Any = getattr(callback, "__doc__", None)
    return doc.strip().partition("\n")[0].rstrip(".") if isinstance(doc, str) else ""


def words_of(callbacks: Iterable[object]) -> str:
    """Return the names of some callbacks, in order, with the places of those that have none."""
    words = []
    for callback in callbacks:
        place = place_of(callback)
        words.append(name_of(callback) + (f" ({place})" if place else ""))
    return ", ".join(words)


def identity(callback: object, driven: object = None) -> Hashable:
    """Return a key of a callback. A bound method is a new object at each read, so its `id()` is not
    used. A method of what a machine drives is the same by its name.
    """
    if isinstance(callback, str):
        return callback
    function = getattr(callback, "__func__", None)
    owner = getattr(callback, "__self__", None)
    if function is None:
        return id(callback)
    name = str(getattr(function, "__name__", ""))
    return name if owner is driven and driven is not None else (id(function), id(owner))


def only(driven: Sequence[object]) -> object:
    """Return what a machine drives, if it is just one object."""
    return driven[0] if len(driven) == 1 else None


class Namer:
    """Gives each thing a unique name. Equal names get numbers."""

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self._taken: set[str] = set()

    def name(self, thing: Hashable, wanted: str) -> str:
        """Return the name of this thing: the wanted one, with a number if another thing has it."""
        if thing not in self._names:
            number, name = 2, wanted
            while name in self._taken:
                number, name = number + 1, f"{wanted} {number}"
            self._names[thing] = name
            self._taken.add(name)
        return self._names[thing]
