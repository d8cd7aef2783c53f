"""Checks whether fields have values of their types, for values from users without a type checker.

A wrong value is refused before it is played, saved or written, since it could not be read back.
msgspec checks what comes from files. It does not look at what is made in Python.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import repeat
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fsm.errors import shown

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What no file can hold."""
_PACKAGES = re.compile(r"(\w+\.)+(?=\w)")


def misfit(value: object) -> str:
    """Return what is wrong with the first field whose value is not of its type, or "" if all values
    fit.

    Fields of types other than strings, numbers, literals, unions, tuples, dictionaries and classes
    may have any value.

    Parameters
    ----------
    value
        An instance of a dataclass or Struct.
    """
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        held = getattr(value, name)
        if not _fits(held, hint):
            broken = isinstance(held, str) and _SURROGATE.search(held)
            right = "text without lone surrogates" if broken else _words(hint)
            return f"{kind.__name__}.{name} must be {right}, not {shown(held)}"
    return ""


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the public fields of a class."""
    hints = get_type_hints(kind)
    public = [name for name in hints if not name.startswith("_")]
    return {name: hints[name] for name in public}


def _words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    return hint.__name__ if isinstance(hint, type) else _PACKAGES.sub("", repr(hint))


def _fits(value: Any, hint: Any) -> bool:
    kind = get_origin(hint) or hint
    args = get_args(hint)
    if kind is Literal:
        return isinstance(value, str) and value in args
    if kind in (Union, UnionType):
        return any(_fits(value, arg) for arg in args)
    if not isinstance(kind, type):
        return True
    right = isinstance(value, kind)
    if not right or (kind is int and isinstance(value, bool)):
        return False
    if kind is str:
        return _SURROGATE.search(value) is None
    if kind is tuple:
        hints = repeat(args[0]) if args[-1] is Ellipsis else args
        return all(map(_fits, value, hints))
    if kind is dict:
        return all(_fits(key, args[0]) and _fits(held, args[1]) for key, held in value.items())
    return True
