"""Plain values of a file as Structs: what is wrong in them, with its place and a remedy.

msgspec says what is wrong in its own words. Here it is told in the words of a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Literal, NoReturn, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from fsm.errors import FsmError, shown


class Shapes:
    """Reads plain values into Structs.

    Parameters
    ----------
    place
        What every message begins with, such as the name of the file.
    error
        The class of the error that is raised for the first thing that is wrong.
    """

    def __init__(self, place: str, error: type[FsmError]) -> None:
        self.place, self.error = place, error

    def problem(self, where: str, text: str, **more: Any) -> FsmError:
        """Return the error for what is wrong at this place."""
        full = f"{self.place}: {where}: {text}" if where else f"{self.place}: {text}"
        return self.error(full, place=where, **more)

    def value(self, raw: object, kind: Any, where: str = "") -> Any:
        """Return a value of this type."""
        kinds = [*_alternatives(kind)]
        if isinstance(raw, str) and len(kinds) > 1 and get_origin(kinds[0]) is tuple:
            raw = [raw]  # one word stands for a list of it
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            self._refuse(raw, kinds, where, str(error))

    def struct(self, raw: object, kind: type[Struct], where: str, owner: str = "") -> Any:
        """Return a Struct. `owner` is the verb whose fields they are."""
        if not isinstance(raw, dict):
            raise self.problem(where, f"{show(raw)} is not an object")
        known = {field.encode_name: field for field in fields(kind)}
        values = dict[str, Any]()
        for name, value in raw.items():
            if name not in known:
                text = f"{show(name)} is not {f'a field of {owner}' if owner else 'known here'}"
                more: Any = {"kind": "unknown-field", "found": name, "known": known}
                raise self.problem(where, text, **more)
            place = f"{where}.{name}".lstrip(".")
            values[known[name].name] = self.value(value, known[name].type, place)
        missing = [repr(name) for name in known if known[name].required and name not in raw]
        if missing:
            raise self.problem(where, f"{owner or 'this'} needs {' and '.join(missing)}")
        return kind(**values)

    def _refuse(self, raw: object, kinds: Sequence[Any], where: str, said: str) -> NoReturn:
        """Raise the error for a value that msgspec refuses, or for the part of it that is wrong."""
        for kind in kinds:
            if isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, Struct):
                self.struct(raw, kind, where)
            for part, type_, place in _parts(raw, kind):
                self.value(part, type_, f"{where}{place}".lstrip("."))
        raise self.problem(where, _sentence(said, raw, kinds))


def _parts(raw: object, kind: Any) -> Iterator[tuple[object, Any, str]]:
    """Yield what is in a value that should be of this type, with its type and place."""
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(raw, dict) and origin in (dict, Mapping):
        for key, part in raw.items():
            yield part, args[1], f".{key}"
    if isinstance(raw, list) and origin is tuple:
        for number, part in enumerate(raw):
            yield part, args[0], f"[{number}]"


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin not in (Annotated, Union, UnionType):
        yield kind
    else:
        for one in args[:1] if origin is Annotated else args:
            yield from _alternatives(one)


# messages -----------------------------------------------------------------------------------------

_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    " | null": "",
    " | ": " or ",
    "`": "",
}
"""What msgspec says of types, and the words for it."""


def _sentence(error: str, raw: object, kinds: Sequence[Any]) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    wanted = error.removeprefix("Expected ").partition(", got ")[0]
    if wanted == error:
        known = list[str]()
        for kind in kinds:
            known += filter(None, get_args(kind) if get_origin(kind) is Literal else ())
        return f"{show(raw)} is unknown; known: {', '.join(known)}"
    for name, words in _TYPES.items():
        wanted = wanted.replace(name, words)
    return f"{show(raw)} is not {wanted}"


def show(value: object) -> str:
    """Return a value as a file has it, shortened."""
    words = {True: "true", False: "false", None: "null"}
    return words[value] if value is None or isinstance(value, bool) else shown(value)
