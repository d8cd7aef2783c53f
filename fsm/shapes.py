"""Plain values of a file as Structs: all that is wrong in them, with its place and a remedy.

msgspec says what is wrong first, in its own words. Here everything is told, in the words of a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from fsm.errors import FsmError, shown


def all_of(problems: Sequence[FsmError]) -> FsmError:
    """Return one error for all problems. It tells the first one."""
    first = problems[0]
    texts = tuple(map(str, problems))
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

    def value(self, raw: object, kind: Any, where: str) -> Any:
        """Return a value of this type. If it is none, note all that is wrong in it."""
        kinds = [*_alternatives(kind)]
        if isinstance(raw, str) and len(kinds) > 1 and get_origin(kinds[0]) is tuple:
            raw = [raw]  # one word stands for a list of it
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError as error:
            before = len(self.problems)
            for one in kinds:
                args = get_args(one)
                if isinstance(raw, dict) and isinstance(one, type) and issubclass(one, Struct):
                    return self.struct(raw, one, where)
                if isinstance(raw, dict) and get_origin(one) in (dict, Mapping):
                    for key, part in raw.items():
                        self.value(part, args[1], f"{where}.{key}")
                if isinstance(raw, list) and get_origin(one) is tuple:
                    for number, part in enumerate(raw):
                        self.value(part, args[0], f"{where}[{number}]")
            if len(self.problems) == before:
                self.wrong(where, _sentence(str(error), raw, kinds))
            return None

    def struct(self, raw: object, kind: type[Struct], where: str, owner: str = "") -> Any:
        """Return a Struct, in which what is wrong has its default. If that cannot be, return None.

        `owner` is the verb whose fields they are.
        """
        if not isinstance(raw, dict):
            self.wrong(where, f"{show(raw)} is not an object")
            return None
        known = {field.encode_name: field for field in fields(kind)}
        missing = [repr(name) for name in known if known[name].required and name not in raw]
        if missing:
            self.wrong(where, f"{owner or 'this'} needs {' and '.join(missing)}")
        right = dict[str, Any]()
        for name, value in raw.items():
            before = len(self.problems)
            if name in known:
                held = self.value(value, known[name].type, f"{where}.{name}".lstrip("."))
                if len(self.problems) == before:
                    right[known[name].name] = held
            else:
                text = f"{show(name)} is not {f'a field of {owner}' if owner else 'known here'}"
                self.wrong(where, text, kind="unknown-field", found=name, known=known, limit=30)
        try:
            return kind(**right)
        except TypeError:  # something that is needed is missing or wrong
            return None


# messages -----------------------------------------------------------------------------------------

_TYPES = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_EXPECTED = re.compile(r"Expected `([^`]+)`( of length)?(?: ([<>])= (\d+))?")


def _sentence(error: str, raw: object, kinds: Sequence[Any]) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    found = _EXPECTED.match(error)
    if found is None:
        known = [word for one in kinds for word in get_args(one) if isinstance(word, str) and word]
        return f"{show(raw)} is unknown; known: {', '.join(known)}"
    expected, of_length, more, bound = found.groups()
    said = [_TYPES[one] for one in expected.split(" | ") if one in _TYPES]
    if of_length and more == ">":
        named = said[0].partition(" ")[2]
        return f"the {named} is empty" + ("" if expected == "str" else "; name at least one")
    if bound:
        size = "small; at least" if more == ">" else "large; at most"
        return f"{show(raw)} is too {size} {bound}"
    return f"{show(raw)} is not {' or '.join(said)}"


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin not in (Annotated, Union, UnionType):
        yield kind
    else:
        for one in args[:1] if origin is Annotated else args:
            yield from _alternatives(one)


def show(value: object) -> str:
    """Return a value as a file has it, shortened."""
    words = {True: "true", False: "false", None: "null"}
    return words[value] if value is None or isinstance(value, bool) else shown(value)
