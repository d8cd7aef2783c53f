"""Checks whether fields have values of their types, for values from users without a type checker.

A wrong value is refused before it is played, saved or written, since it could not be read back.
msgspec checks what comes from files; it does not look at what is made in Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fsm.errors import shown

_WORDS = {
    str: "a string",
    int: "a whole number",
    bool: "true or false",
    NoneType: "None",
    Mapping: "a mapping",
}

_SURROGATE = re.compile("[\ud800-\udfff]")
"""What no file can hold."""


def misfit(value: object) -> str:
    """Return what is wrong with the first field whose value is not of its type, or "" if all values
    fit.

    The check knows strings, whole numbers, booleans, None, literals, unions, tuples, dictionaries
    and classes. Fields of other types may have any value.

    Parameters
    ----------
    value
        An instance of a dataclass or Struct.
    """
    kind: Any = type(value)
    for name, hint in _hints(kind):
        held = getattr(value, name)
        if not _fits(held, hint):
            return f"{kind.__name__}.{name} must be {_words(hint)}, not {shown(held)}"
    return ""


@cache
def _hints(kind: Any) -> tuple[tuple[str, Any], ...]:
    """Return the public fields of a class and their types."""
    hints = get_type_hints(kind)
    return tuple((name, hint) for name, hint in hints.items() if not name.startswith("_"))


@cache
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint) or hint, get_args(hint)


def _fits(value: Any, hint: Any) -> bool:
    if hint is str:
        return isinstance(value, str) and _SURROGATE.search(value) is None
    if isinstance(hint, type):
        return isinstance(value, hint) and not (hint is int and isinstance(value, bool))
    kind, args = _parts(hint)
    if kind is Literal:
        return isinstance(value, str) and value in args
    if kind in (Union, UnionType):
        return any(_fits(value, arg) for arg in args)
    if kind is tuple and isinstance(value, tuple):
        hints = args[:1] * len(value) if args[-1] is Ellipsis else args
        return len(hints) == len(value) and all(map(_fits, value, hints))
    if kind is dict and isinstance(value, dict):
        return all(_fits(key, args[0]) and _fits(held, args[1]) for key, held in value.items())
    return not isinstance(kind, type) or isinstance(value, kind)


def _words(hint: Any) -> str:
    kind, args = _parts(hint)
    if kind is Literal:
        return " or ".join(map(repr, args))
    if kind in (Union, UnionType):
        return " or ".join(map(_words, args))
    if kind is tuple:
        each = ", ".join(_words(arg) for arg in args if arg is not Ellipsis)
        return f"a tuple, each item {each}" if args[-1] is Ellipsis else f"a tuple of {each}"
    if kind is dict:
        return f"a dictionary from {_words(args[0])} to {_words(args[1])}"
    return _WORDS.get(kind, f"a {getattr(kind, '__name__', kind)}")
