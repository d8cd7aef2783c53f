"""Check whether the fields of a dataclass or Struct have values of their types, for values from users without
a type checker.

A wrong value is refused before it is played, saved or written, since it could not be read back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fsm.errors import shown


@dataclass(frozen=True, slots=True)
class _Type:
    """A type as a test, and in words for one value and for several."""

    fits: Callable[[Any], bool]
    one: str
    many: str


_SIMPLE: dict[object, _Type] = {
    str: _Type(lambda value: isinstance(value, str), "a string", "strings"),
    int: _Type(
        lambda value: isinstance(value, int) and not isinstance(value, bool),
        "a whole number",
        "whole numbers",
    ),
    bool: _Type(lambda value: isinstance(value, bool), "true or false", "true or false"),
    NoneType: _Type(lambda value: value is None, "None", "None"),
}


def misfit(value: object) -> str:
    """Return what is wrong with the first field whose value is not of its type, or "" if all values
    fit.

    The check knows strings, whole numbers, booleans, None, literals, unions, tuples and classes.
    Fields of other types may have any value.

    Parameters
    ----------
    value
        An instance of a dataclass or Struct.
    """
    of: Any = type(value)
    for name, kind in _types(of):
        held = getattr(value, name)
        if not kind.fits(held):
            return f"{of.__name__}.{name} must be {kind.one}, not {shown(held)}"
    return ""


@cache
def _types(kind: Any) -> tuple[tuple[str, _Type], ...]:
    hints = get_type_hints(kind)
    names = getattr(kind, "__struct_fields__", None)
    names = names or [field.name for field in fields(kind) if field.init]
    return tuple((name, _type(hints[name])) for name in names)


def _type(hint: Any) -> _Type:
    origin, args = get_origin(hint), get_args(hint)
    if hint in _SIMPLE:
        return _SIMPLE[hint]
    if origin is Literal:
        words = " or ".join(map(repr, args))
        return _Type(lambda value: isinstance(value, str) and value in args, words, words)
    if origin in (Union, UnionType):
        kinds = [_type(arg) for arg in args]
        return _Type(
            lambda value: any(kind.fits(value) for kind in kinds),
            " or ".join(kind.one for kind in kinds),
            " or ".join(kind.many for kind in kinds),
        )
    if origin is tuple and args[-1] is Ellipsis:
        each = _type(args[0])
        return _Type(
            lambda value: isinstance(value, tuple) and all(map(each.fits, value)),
            f"a tuple of {each.many}",
            f"tuples of {each.many}",
        )
    if origin is tuple:
        parts = [_type(arg) for arg in args]
        words = f"a tuple of {', '.join(part.one for part in parts)}"
        return _Type(
            lambda value: (
                isinstance(value, tuple)
                and len(value) == len(parts)
                and all(part.fits(held) for part, held in zip(parts, value, strict=True))
            ),
            words,
            words.replace("a tuple", "tuples", 1),
        )
    if isinstance(hint, type) and hint is not object and origin is None:
        name = hint.__name__
        return _Type(lambda value: isinstance(value, hint), f"a {name}", f"{name}s")
    return _Type(lambda value: True, "anything", "anything")
