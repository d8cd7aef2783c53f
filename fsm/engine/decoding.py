"""From plain JSON to values of known classes: each field's type says how it is read, worked out
once for a class.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, NoReturn, Union, get_args, get_origin, get_type_hints

from fsm.compiled.sharing import function_of
from fsm.errors import shown

Read = Callable[[Any], Any]
SIMPLE = (str, int, bool)
"""Types whose values JSON holds as they are."""
LARGEST = 2**63 - 1
"""No number that is read may be larger, or smaller than minus this: Python refuses to write very
long ones.
"""


class Misfit(Exception):
    """What is to be read is not of the type wanted; who knows the field says which it is."""


@cache
def reader_of(classes: tuple[type, ...]) -> Reader:
    """The one reader of these classes."""
    return Reader(classes)


class Reader:
    """Reads what `fsm.engine.codec.encode` wrote. It makes values of the classes given, and of no
    others.
    """

    def __init__(self, classes: Collection[type]) -> None:
        self._objects = {kind.__name__: self._object(kind) for kind in classes}

    def value(self, data: Any) -> Any:
        """The value written, whatever it is. Raises ValueError, naming what is wrong."""
        if isinstance(data, list):
            return tuple(map(self.value, data))
        if not isinstance(data, Mapping):
            return data
        if "is" not in data:
            return {k: self.value(v) for k, v in data.items()}
        name = data["is"]
        if not isinstance(name, str) or name not in self._objects:
            raise ValueError(f"{name!r} is not one of {', '.join(sorted(self._objects))}")
        return self._objects[name](data)

    def fields(self, kind: Any) -> Read:
        """What reads the fields of a class, by name. It raises ValueError for a field that there is
        not, or that cannot hold its value."""
        every = get_type_hints(kind)
        hints = {field.name: every[field.name] for field in fields(kind)}
        simple = {"is": str, **{name: hint for name, hint in hints.items() if hint in (str, bool)}}
        reads = {name: self.typed(hint) for name, hint in hints.items()}

        def at_length(name: str, data: object) -> Any:
            if name not in reads:
                raise ValueError(f"{kind.__name__} has no field {name!r}")
            try:
                return reads[name](data)
            except Misfit:
                raise ValueError(
                    f"{kind.__name__}.{name} cannot be {shown(self.value(data))}"
                ) from None

        def read(data: Mapping[str, Any]) -> dict[str, Any]:
            values = dict(data)
            for name, held in data.items():
                if held.__class__ is not simple.get(name):
                    values[name] = at_length(name, held)
            return values

        return read

    def typed(self, hint: Any) -> Read:
        """What reads a value of this type. It raises Misfit for any other."""
        origin, args = get_origin(hint), get_args(hint)
        if origin in (Union, UnionType):
            return _first(tuple(map(self.typed, args)))
        if origin is Literal:
            return _simple(str)
        if origin is tuple and args[-1] is not Ellipsis:
            return _fixed(tuple(map(self.typed, args)))
        if origin in (tuple, frozenset):
            return _series(origin, self.typed(args[0]))
        if origin is not None:
            return _mapping(self.typed(args[1]))
        if isinstance(hint, type) and is_dataclass(hint):
            return self._objects.get(hint.__name__, _nothing)
        return _whole_number if hint is int else _simple(hint)

    def _object(self, kind: type) -> Read:
        hints = get_type_hints(kind)
        needed = {field.name: hints[field.name] for field in fields(kind) if _is_needed(field)}
        if not needed or not all(hint in SIMPLE for hint in needed.values()):
            return self._at_length(kind)
        names = {
            "kind": kind,
            "at_length": self._at_length(kind),
            **{hint.__name__: hint for hint in SIMPLE},
        }
        return function_of("\n".join(_shortest(kind.__name__, needed)), "read", names)

    def _at_length(self, kind: Any) -> Read:
        name = kind.__name__
        read_fields: Read | None = None

        def read(data: Any) -> Any:
            nonlocal read_fields
            if not isinstance(data, Mapping) or data.get("is") != name:
                raise Misfit
            if read_fields is None:  # not before, for classes may name one another
                read_fields = self.fields(kind)
            values = read_fields(data)
            del values["is"]
            try:
                return kind(**values)
            except TypeError as error:
                raise ValueError(f"{name}: {error}") from None

        return read


def _is_needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _shortest(kind: str, needed: Mapping[str, type]) -> Iterator[str]:
    """Straight code for an object as most are, with only what it needs: a loop would take three
    times as long.
    """
    fits = [f"its_{name}.__class__ is {hint.__name__}" for name, hint in needed.items()]
    fits += [
        f"{-LARGEST} <= its_{name} <= {LARGEST}" for name, hint in needed.items() if hint is int
    ]
    yield from ("def read(data):", "    try:")
    yield from (f"        its_{name} = data[{name!r}]" for name in needed)
    yield f"        if len(data) == {1 + len(needed)} and data['is'] == {kind!r} and {' and '.join(fits)}:"
    yield f"            return kind({', '.join(f'its_{name}' for name in needed)})"
    yield from ("    except (KeyError, TypeError):", "        pass", "    return at_length(data)")


def _nothing(_: object) -> NoReturn:
    raise Misfit


def _simple(kind: type) -> Read:
    """Values that stay as they are. A word of a Literal may be any: it is checked where it is used."""

    def read(data: Any) -> Any:
        if data.__class__ is kind or (isinstance(data, kind) and data.__class__ is not bool):
            return data
        raise Misfit

    return read


def _whole_number(data: Any) -> int:
    if data.__class__ is int and -LARGEST <= data <= LARGEST:
        return int(data)
    raise Misfit


def _first(reads: Collection[Read]) -> Read:
    def read(data: Any) -> Any:
        for one in reads:
            try:
                return one(data)
            except Misfit:
                continue
        raise Misfit

    return read


def _fixed(reads: Collection[Read]) -> Read:
    def read(data: Any) -> Any:
        if not isinstance(data, (list, tuple)) or len(data) != len(reads):
            raise Misfit
        return tuple([one(v) for one, v in zip(reads, data, strict=True)])

    return read


def _series(kind: Callable[[list[Any]], Any], one: Read) -> Read:
    def read(data: Any) -> Any:
        if not isinstance(data, (list, tuple)):
            raise Misfit
        return kind([one(v) for v in data])

    return read


def _mapping(one: Read) -> Read:
    def read(data: Any) -> Any:
        if data.__class__ is not dict and not isinstance(data, Mapping):
            raise Misfit
        return {name: one(v) for name, v in data.items()}

    return read
