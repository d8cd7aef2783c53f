"""Frozen values as plain JSON, and back: what snapshots and traces have in common.

A value is written as {"is": "AddTurn", "player": "A"}: its class, and the fields that differ from
their defaults. Only the classes given can be read back; nothing else is ever made from a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any


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
    known = {f.name for f in fields(classes[name])}
    values = {k: _decode(v, classes) for k, v in data.items() if k != "is"}
    unknown = sorted(set(values) - known)
    if unknown:
        raise ValueError(f"{name} has no field {unknown[0]!r}")
    try:
        return classes[name](**values)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None
