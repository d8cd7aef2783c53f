"""Frozen values as plain JSON, and back: what snapshots and traces have in common.

A value is written as {"is": "AddTurn", "player": "A"}: its class, and the fields that differ from
their defaults. Only the classes given can be read back (see `fsm.engine.decoding`); nothing else is
ever made from a file. How a class is written is worked out once, when it is first met.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from typing import Any, get_type_hints

from fsm.compiled.sharing import function_of
from fsm.engine.decoding import SIMPLE, reader_of

Write = Callable[[Any], Any]


def encode(value: object) -> Any:
    """Plain JSON values for `value`: dataclasses, tuples, mappings and simple values."""
    return _writers[value.__class__](value)


def decode(data: object, classes: Iterable[type]) -> Any:
    """The value that `encode` wrote. Raises ValueError, naming what is wrong, on anything else."""
    return reader_of(tuple(classes)).value(data)


def whole(value: Any) -> Any:
    """Plain JSON values for `value`, with all of its fields, also those that have their default."""
    if isinstance(value, (tuple, list)):
        return [whole(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): whole(one) for key, one in value.items()}
    if not is_dataclass(value):
        return value
    return {
        "is": type(value).__name__,
        **{f.name: whole(getattr(value, f.name)) for f in fields(value) if f.compare},
    }


def writer_of(kind: type, *, without: Collection[str] = ()) -> Write:
    """What writes values of this dataclass, but for these fields."""
    defaults = {f"default_{field.name}": _default(field) for field in fields(kind)}
    names = {"writers": _writers, **defaults}
    return function_of("\n".join(_lines(kind, without)), "write", names)


class _Writers(dict[type, Write]):
    """How each class is written."""

    def __missing__(self, kind: type) -> Write:
        self[kind] = writer = _writer(kind)
        return writer


_writers = _Writers()


def _writer(kind: type) -> Write:
    if is_dataclass(kind):
        return writer_of(kind)
    if issubclass(kind, (tuple, list)):
        return lambda value: [_writers[v.__class__](v) for v in value]
    if issubclass(kind, frozenset):
        return sorted
    if issubclass(kind, Mapping):
        return lambda value: {str(k): _writers[v.__class__](v) for k, v in value.items()}
    return lambda value: value


def _lines(kind: type, without: Collection[str]) -> Iterator[str]:
    """Straight code for one class: a loop over its fields would take three times as long."""
    hints = get_type_hints(kind)
    yield from ("def write(value):", f"    found = {{'is': {kind.__name__!r}}}")
    for field in fields(kind):
        name, needed = field.name, _default(field) is MISSING
        if name in without:
            continue
        yield f"    held = value.{name}"
        if not needed:
            yield f"    if held is not default_{name} and held != default_{name}:"
        written = "held" if hints[name] in SIMPLE else "writers[held.__class__](held)"
        yield f"{'    ' if needed else '        '}found[{name!r}] = {written}"
    yield "    return found"


def _default(field: Field[Any]) -> object:
    return field.default_factory() if field.default_factory is not MISSING else field.default
