"""Reads and writes files: regular ones, whole or not at all, and within limits. What is wrong in
their values is told with its place.

Only regular files are read: a pipe may never be written to, and a device may have no end. JSON and
TOML are read here and nowhere else, so that a file that means harm takes neither memory nor time.
Output files are written all or not at all; whether they can be is known before the work begins.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from secrets import token_hex
from types import UnionType
from typing import Annotated, Any, NoReturn, Union, get_args, get_origin

import msgspec
from msgspec import Struct
from msgspec.structs import fields

from fsm.errors import FsmError, LogError, shown

SIZE_LIMIT = 32 * 1024 * 1024
"""A larger JSON file is refused, in bytes."""
TOML_LIMIT = 1024 * 1024
"""A larger TOML file is refused, in bytes: its reader is slower."""
DEPTH_LIMIT = 100
"""Values that are nested deeper are refused."""
_TOO_DEEP = f"the values are nested more than {DEPTH_LIMIT} deep"
KEY_LIMIT = 20
"""A key of TOML that has more parts is refused: its reader takes the square of their number."""
LINE_LIMIT = 8 * 1024 * 1024
"""A longer line of a log is damaged, in bytes. It is never held in memory."""

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
_BEGINS_AS_JSON = re.compile(r"\s*(\{|\[\s*[]{])")
# The pattern looks at no character again and again: words are taken whole.
_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{KEY_LIMIT},}}")


# JSON and TOML ------------------------------------------------------------------------------------


def read_data(path: str | Path, error: type[FsmError]) -> Any:
    """Return the plain values in a file. Its name says whether it is JSON or TOML or, failing that,
    its beginning.

    Raises
    ------
    FsmError
        Of the class `error`, with the file, the place and the remedy: if there is no such file, or
        if it is neither, is too large, or is nested too deeply.
    """
    data, kind, ending = read_bytes(path, error), "", Path(path).suffix.lower()
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        is_json = ending == ".json" or (ending != ".toml" and bool(_BEGINS_AS_JSON.match(text)))
        kind = " as JSON" if is_json else " as TOML"
        return parse_json(text, once) if is_json else _parse_toml(text)
    except ValueError as wrong:
        raise error(f"{path}: this cannot be read{kind}: {wrong}") from None


def parse_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the plain values of a JSON text, such as a line of a log. `pairs` makes its objects.

    Raises ValueError, which says where and why.
    """
    try:
        data = json.loads(text, object_pairs_hook=pairs)
        if text.count("[") + text.count("{") > DEPTH_LIMIT:
            _check_depth(data)
    except json.JSONDecodeError as wrong:
        raise ValueError(f"line {wrong.lineno}, column {wrong.colno}: {wrong.msg}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return data


def _parse_toml(text: str) -> dict[str, Any]:
    if len(text) > TOML_LIMIT:
        raise ValueError(f"it is larger than {TOML_LIMIT:,} bytes")
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {KEY_LIMIT} parts")
    try:
        data = tomllib.loads(text)
        _check_depth(data)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    return data


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError if a key is there twice."""
    found = dict[str, Any]()
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice in one object; keep one")
        found[key] = value
    return found


def _check_depth(data: object, depth: int = 0) -> None:
    """Raise ValueError if lists and objects are nested too deeply."""
    if depth > DEPTH_LIMIT:
        raise ValueError(_TOO_DEEP)
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            _check_depth(value, depth + 1)


# reading ------------------------------------------------------------------------------------------


def read_bytes(path: str | Path, error: type[FsmError], limit: int = SIZE_LIMIT) -> bytes:
    """Return what is in a regular file.

    Raises
    ------
    FsmError
        Of the class `error`, if the file cannot be read or is larger than `limit` bytes.
    """
    try:
        with open(path, "rb", opener=regular) as file:
            data = file.read(limit + 1)
    except (OSError, ValueError) as wrong:  # such as a name with a null byte
        why = getattr(wrong, "strerror", "") or wrong
        raise error(f"{path}: this cannot be read: {why}") from None
    if len(data) > limit:
        raise error(f"{path}: this cannot be read: it is larger than {limit:,} bytes")
    return data


def file_lines(path: Path) -> Iterator[bytes | None]:
    """Yield the lines of a log, and None for lines longer than `LINE_LIMIT`.

    Raises LogError if the log cannot be read.
    """
    try:
        with open(path, "rb", opener=regular) as file:
            whole = True
            while line := file.readline(LINE_LIMIT + 1):
                starts, whole = whole, len(line) <= LINE_LIMIT or line.endswith(b"\n")
                if starts:
                    yield line if len(line) <= LINE_LIMIT else None
    except OSError as error:
        why = f"cannot be read ({error.strerror}); name a recorded game or log"
        raise LogError(f"{path}: {why}") from None


def regular(path: str, flags: int) -> int:
    """The opener for `open(path, opener=regular)`: it opens regular files only.

    Raises OSError for anything else. The path is looked at first, since opening alone may change
    something: a writer that waits for a reader of its pipe goes on.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device, not a file", path)
    return os.open(path, flags)


# values as Structs --------------------------------------------------------------------------------


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

    def struct(self, raw: object, kind: type[Struct], where: str) -> Any:
        """Return a Struct."""
        if not isinstance(raw, dict):
            raise self.problem(where, f"{show(raw)} is not an object")
        known = {field.encode_name: field for field in fields(kind)}
        values = dict[str, Any]()
        for name, value in raw.items():
            if name not in known:
                text = f"{show(name)} is not known here"
                more: Any = {"kind": "unknown-field", "found": name, "known": known}
                raise self.problem(where, text, **more)
            place = f"{where}.{name}".lstrip(".")
            values[known[name].name] = self.value(value, known[name].type, place)
        missing = [repr(name) for name in known if known[name].required and name not in raw]
        if missing:
            raise self.problem(where, f"this needs {' and '.join(missing)}")
        return kind(**values)

    def _refuse(self, raw: object, kinds: Sequence[Any], where: str, said: str) -> NoReturn:
        """Raise the error for a value that msgspec refuses, or for the part of it that is wrong."""
        for kind in kinds:
            origin, args = get_origin(kind), get_args(kind)
            if isinstance(raw, dict) and origin in (dict, Mapping):
                for key, part in raw.items():
                    self.value(part, args[1], f"{where}.{key}".lstrip("."))
            elif isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, Struct):
                self.struct(raw, kind, where)
            elif isinstance(raw, list) and origin is tuple:
                for number, part in enumerate(raw):
                    self.value(part, args[0], f"{where}[{number}]")
        raise self.problem(where, _sentence(said, raw, kinds))


def _alternatives(kind: Any) -> Iterator[Any]:
    """Yield the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin not in (Annotated, Union, UnionType):
        yield kind
    else:
        for one in args[:1] if origin is Annotated else args:
            yield from _alternatives(one)


def _sentence(error: str, raw: object, kinds: Sequence[Any]) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    wanted = error.removeprefix("Expected ").partition(", got ")[0]
    if wanted == error:
        known = chain.from_iterable(map(get_args, kinds))
        return f"{show(raw)} is unknown; known: {', '.join(filter(None, known))}"
    for name, words in _TYPES.items():
        wanted = wanted.replace(name, words)
    return f"{show(raw)} is not {wanted}"


def show(value: object) -> str:
    """Return a value as a file has it, shortened."""
    words = {True: "true", False: "false", None: "null"}
    return words[value] if value is None or isinstance(value, bool) else shown(value)


# writing ------------------------------------------------------------------------------------------


def check_writable(paths: Iterable[str | None]) -> None:
    """Raise OSError naming the first path that cannot be written. None stands for no file. Changes
    nothing.
    """
    named = [path for path in paths if path is not None and not _is_stream(path)]
    _write_beside(dict.fromkeys(named, ""), replacing=False)


def write_files(texts: Mapping[str, str | bytes]) -> None:
    """Write each text to its path: beside it first, renamed only once all of them are complete.

    "-" and devices are written directly, last. Raises OSError naming the path; then no file has
    changed.
    """
    direct = [path for path in texts if _is_stream(path)]
    _write_beside({path: texts[path] for path in texts if path not in direct}, replacing=True)
    for path in direct:
        with open(1 if path == "-" else path, "wb", closefd=path != "-") as stream:
            stream.write(_bytes(texts[path]))


def _is_stream(path: str) -> bool:
    """Is this standard output, or a device or pipe, which a rename would destroy?"""
    if not os.path.exists(path):
        return path == "-"
    return not (os.path.isfile(path) or os.path.isdir(path))


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text


def _write_beside(texts: Mapping[str, str | bytes], *, replacing: bool) -> None:
    """Write each text to a file beside its path, and let it replace that one, whose permissions it
    gets. What is not wanted in the end is deleted.
    """
    path, ready = "", dict[str, Path]()
    try:
        for path, text in texts.items():
            whole = Path(os.path.realpath(path))
            if whole.is_dir():
                raise IsADirectoryError(errno.EISDIR, "it is a directory")
            ready[path] = whole.with_name(f".{whole.name}.{token_hex(4)}")
            ready[path].touch(exist_ok=False)
            if whole.exists():
                shutil.copymode(whole, ready[path])
            ready[path].write_bytes(_bytes(text))
        for path, temporary in ready.items() if replacing else ():
            os.replace(temporary, os.path.realpath(path))
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", path) from None
    finally:
        for temporary in ready.values():
            temporary.unlink(missing_ok=True)
