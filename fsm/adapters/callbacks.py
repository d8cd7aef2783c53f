"""Names and descriptions of a machine's callbacks. No callback is called."""

from __future__ import annotations

import inspect
import re
from collections.abc import Hashable, Iterable, Sequence
from functools import partial
from typing import Any

_NAMELESS = "condition"


def name_of(callback: object) -> str:
    """Return the name of a callback: its own, or the one by which the machine knows it.

    Spaces and brackets become "_", as the names of a Model's actions have none.
    """
    return re.sub(r"[\s()]+", "_", _name_of(callback))


def _name_of(callback: object) -> str:
    if isinstance(callback, str):
        return callback.rpartition(".")[2] or _NAMELESS
    while isinstance(callback, partial):
        callback = callback.func
    name = getattr(callback, "__name__", None) or type(callback).__name__
    return _NAMELESS if name == "<lambda>" else str(name)


def doc_of(callback: object, owners: Sequence[object]) -> str:
    """Return the first line of a callback's docstring. A name is looked up in the first owner that
    has it.
    """
    while isinstance(callback, partial):
        callback = callback.func
    if isinstance(callback, str):
        found = (inspect.getattr_static(owner, callback, None) for owner in owners)
        callback = next((one for one in found if one is not None), None)
    if not isinstance(callback, property | staticmethod | classmethod) and not callable(callback):
        return ""
    doc: Any = getattr(callback, "__doc__", None)
    return doc.strip().partition("\n")[0].rstrip(".") if isinstance(doc, str) else ""


def words_of(callbacks: Iterable[object]) -> tuple[str, ...]:
    """Return the names of some callbacks, in order."""
    return tuple(map(name_of, callbacks))


def identity(callback: object) -> Hashable:
    """Return a key of a callback. A bound method is a new object at each read, so its `id()` is not
    used.
    """
    if isinstance(callback, str):
        return callback
    function = getattr(callback, "__func__", None)
    return (
        id(callback)
        if function is None
        else (id(function), id(getattr(callback, "__self__", None)))
    )


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
