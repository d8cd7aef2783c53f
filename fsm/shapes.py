"""Plain values of a file as Structs: all that is wrong in them, with its place and a remedy.

msgspec says what is wrong first, in its own words. Here everything is told, in the words of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from fsm.errors import FsmError


class Field(NamedTuple):
    """A field in a file: the name of its attribute, the type of its value, and the default, or
    NODEFAULT.
    """

    name: str
    kind: Any
    default: Any


def fields_of(kind: type[Struct]) -> dict[str, Field]:
    """Return the fields of a class by their names in a file."""
    found = dict[str, Field]()
    for one in fields(kind):
        default = one.default if one.required or one.default is not NODEFAULT else None
        found[one.encode_name] = Field(one.name, one.type, default)
    return found


def all_of(problems: Sequence[FsmError]) -> FsmError:
    """Return one error for all problems. It tells the first one."""
    first, texts = problems[0], tuple(map(str, problems))
    if len(texts) > 1:
        first.args = (f"{first} (and {len(texts) - 1} more; `problems` has all)",)
    first.problems = texts
    return first


class Shapes:
    """Reads plain values into Structs.

    Parameters
    ----------
    place
        What every message begins with, such as the name of the file.
    error
        The class of the errors.

    Attributes
    ----------
    problems
        All that is wrong.
    """

    def __init__(self, place: str, error: type[FsmError]) -> None:
        self.place, self.error = place, error
        self.problems = list[FsmError]()

    def wrong(self, where: str, text: str, **more: Any) -> None:
        """Note what is wrong at this place."""
        full = f"{self.place}: {where}: {text}" if where else f"{self.place}: {text}"
        self.problems.append(self.error(full, place=where, **more))

    def values(
        self, rows: Mapping[str, Field], raw: object, where: str, owner: str = ""
    ) -> dict[str, Any] | None:
        """Return the values of an object by their attributes, without those that are wrong.

        `owner` is the verb whose fields they are. If something is missing, it is None.
        """
        if not isinstance(raw, dict):
            self.wrong(where, f"{show(raw)} is not an object")
            return None
        found = dict[str, Any]()
        required = [name for name, field in rows.items() if field.default is NODEFAULT]
        missing = [repr(name) for name in required if name not in raw]
        if missing:
            self.wrong(where, f"{owner or 'this'} needs {' and '.join(missing)}")
        for name, value in raw.items():
            before = len(self.problems)
            if name not in rows:
                known_to = f"a field of {owner}" if owner else "known here"
                more = {"kind": "unknown-field", "found": name, "known": rows, "limit": 30}
                self.wrong(where, f"{show(name)} is not {known_to}", **more)
                continue
            held = self.value(value, rows[name].kind, f"{where}.{name}".lstrip("."))
            if len(self.problems) == before:
                found[rows[name].name] = held
        complete = all(rows[name].name in found for name in required)
        return found if complete else None

    def value(self, raw: object, kind: Any, where: str) -> Any:
        """Return a value of this type. If it is none, note what is wrong in it."""
        if isinstance(raw, str):  # one word stands for a list of it
            first, *others = _alternatives(kind)
            raw = [raw] if others and get_origin(first) is tuple else raw
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            before = len(self.problems)
            for one in _alternatives(kind):
                self._look_inside(raw, one, where)
            if len(self.problems) == before:
                self.wrong(where, _sentence(str(error), raw, kind))
            return None

    def _look_inside(self, raw: object, kind: Any, where: str) -> None:
        """Note what is wrong in the parts of a value."""
        args = get_args(kind)
        if isinstance(raw, list) and get_origin(kind) is tuple:
            for i, part in enumerate(raw):
                self.value(part, args[0], f"{where}[{i}]")
        elif isinstance(raw, dict) and get_origin(kind) in (dict, Mapping):
            for key, part in raw.items():
                self.value(part, args[1], f"{where}.{key}")
        elif isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, Struct):
            self.values(fields_of(kind), raw, where)


# messages -----------------------------------------------------------------------------------------

_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_EMPTY = {
    "array": "the list is empty; name at least one",
    "object": "the object is empty; name at least one",
    "str": "the text is empty",
}
_EXPECTED = re.compile(r"Expected `([^`]+)`( of length)?(?: ([<>])= (\d+))?")


def _sentence(error: str, raw: object, kind: Any) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    found = _EXPECTED.match(error)
    if found is None:
        known = [word for one in _alternatives(kind) for word in get_args(one)]
        named = [word for word in known if isinstance(word, str) and word]
        return f"{show(raw)} is unknown; known: {', '.join(named)}"
    expected, of_length, more, bound = found.groups()
    if of_length:
        return _EMPTY[expected] if more == ">" else f"the list is too long; at most {bound}"
    if bound:
        size = "small; at least" if more == ">" else "large; at most"
        return f"{show(raw)} is too {size} {bound}"
    right = [_TYPES[one] for one in expected.split(" | ") if one in _TYPES]
    return f"{show(raw)} is not {' or '.join(right)}"


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin not in (Annotated, Union, UnionType):
        yield kind
    else:
        for one in args[:1] if origin is Annotated else args:
            yield from _alternatives(one)


def show(value: object) -> str:
    """Return a value as an error shows it, shortened."""
    if value is None or isinstance(value, bool):
        return {True: "true", False: "false", None: "null"}[value]
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
