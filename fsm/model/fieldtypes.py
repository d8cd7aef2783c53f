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

from fsm.errors import shown, suggest

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
            place, held, hint = _inside(name, held, hint)
            broken = isinstance(held, str) and _SURROGATE.search(held)
            right = "text without lone surrogates" if broken else _words(hint)
            near = suggest(held, _literals(hint), limit=0)
            return f"{kind.__name__}.{place} must be {right}, not {shown(held)}{near}"
    return ""


def _inside(name: str, held: object, hint: Any) -> tuple[str, object, Any]:
    """Return the place, the value and the type of the first thing in a tuple that does not fit."""
    for of in (hint, *get_args(hint)):
        if isinstance(held, tuple) and get_origin(of) is tuple and get_args(of)[-1] is Ellipsis:
            for number, part in enumerate(held):
                if not _fits(part, get_args(of)[0]):
                    return f"{name}[{number}]", part, get_args(of)[0]
    return name, held, hint


def _literals(hint: Any) -> list[str]:
    if get_origin(hint) is Literal:
        return [*get_args(hint)]
    return [word for of in get_args(hint) for word in _literals(of)]


@cache
def _hints(kind: Any) -> dict[str, Any]:
    """Return the types of the public fields of a class."""
    hints = get_type_hints(kind)
    public = [name for name in hints if not name.startswith("_")]
    return {name: hints[name] for name in public}


def _words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint))).replace("NoneType", "None")
    return hint.__name__ if isinstance(hint, type) else _PACKAGES.sub("", repr(hint))


@cache  # a large model has half a million values: the benchmark `size`
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint) or hint, get_args(hint)


def _fits(value: Any, hint: Any) -> bool:
    kind, args = _parts(hint)
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
