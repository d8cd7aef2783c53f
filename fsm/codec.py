"""Frozen values as plain JSON, and back: what snapshots and traces have in common.

A value is written as {"is": "AddTurn", "player": "A"}: its class, and the fields that differ from
their defaults. Only the classes given can be read back, with values of the types that their fields
declare; nothing else is ever made from a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def encode(value: object) -> object:
    """Plain JSON values for `value`: dataclasses, tuples, mappings and simple values."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"is": type(value).__name__, **_fields(value)}
    if isinstance(value, (tuple, list)):
        return [encode(v) for v in value]
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return {str(k): encode(v) for k, v in value.items()}
    return value


def _fields(value: Any) -> dict[str, object]:
    found: dict[str, object] = {}
    for field in fields(value):
        held = getattr(value, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if default is MISSING or held != default:
            found[field.name] = encode(held)
    return found


def decode(data: object, classes: Iterable[type]) -> Any:
    """The value that `encode` wrote. Raises ValueError, naming what is wrong, on anything else."""
    return _decode(data, {c.__name__: c for c in classes})


def _decode(data: object, classes: Mapping[str, Any]) -> Any:
    if isinstance(data, list):
        return tuple(_decode(v, classes) for v in data)
    if not isinstance(data, Mapping):
        return data
    if "is" not in data:
        return {k: _decode(v, classes) for k, v in data.items()}
    name = data["is"]
    if not isinstance(name, str) or name not in classes:
        raise ValueError(f"{name!r} is not one of {', '.join(sorted(classes))}")
    values = {k: _decode(v, classes) for k, v in data.items() if k != "is"}
    check_fields(classes[name], values)
    try:
        return classes[name](**values)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None


def check_fields(kind: type, values: Mapping[str, object]) -> None:
    """Raise ValueError when a value is for no field of this class, or not of the field's type."""
    hints = _hints(kind)
    for name, value in values.items():
        if name not in hints:
            raise ValueError(f"{kind.__name__} has no field {name!r}")
        if not _fits(value, hints[name]):
            raise ValueError(f"{kind.__name__}.{name} cannot be {repr(value)[:60]}")


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _fits(value: object, hint: Any) -> bool:
    """Is the value of this type? A word of a Literal may be any: it is checked where it is used."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, arg) for arg in args)
    if origin is Literal:
        return isinstance(value, str)
    if origin is tuple and args[-1] is not Ellipsis:
        return isinstance(value, tuple) and len(value) == len(args) and all(map(_fits, value, args))
    if origin in (tuple, frozenset):
        return isinstance(value, origin) and all(_fits(v, args[0]) for v in value)
    if origin is not None:
        return isinstance(value, Mapping) and all(_fits(v, args[1]) for v in value.values())
    return isinstance(value, hint) and (hint is not int or not isinstance(value, bool))
