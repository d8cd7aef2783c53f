"""Reads and writes files: regular ones, whole or not at all, and within limits. What is wrong in
their values is told with its place.

Only regular files are read: a pipe may never be written to, and a device may have no end. JSON and
TOML are read here and nowhere else, so that a file that means harm takes neither memory nor time.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, BinaryIO, Literal, Union, get_args, get_origin

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
_MISSING = "Object missing required field "
# The pattern looks at no character again and again: words are taken whole.
_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{KEY_LIMIT},}}")


# reading ------------------------------------------------------------------------------------------


@contextmanager
def opened(path: str | Path, error: type[FsmError]) -> Iterator[BinaryIO]:
    """Open a regular file for reading. Raises an error of this class if it cannot be read."""
    try:
        with open(path, "rb", opener=_regular) as file:
            yield file
    except (OSError, ValueError) as wrong:  # such as a name with a null byte
        why = getattr(wrong, "strerror", "") or wrong
        raise error(f"{path}: this cannot be read: {why}") from None


def _regular(path: str, flags: int) -> int:
    """Open a file. The path is looked at first, since opening alone may change something: a writer
    that waits for a reader of its pipe goes on.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is a folder, a pipe or a device, not a file")
    return os.open(path, flags)


def read_bytes(path: str | Path, error: type[FsmError], limit: int = SIZE_LIMIT) -> bytes:
    """Return what is in a regular file. Raises an error of this class if it cannot be read or is
    larger than `limit` bytes.
    """
    with opened(path, error) as file:
        data = file.read(limit + 1)
        if len(data) > limit:
            raise ValueError(f"it is larger than {limit:,} bytes")
    return data


def file_lines(path: Path) -> Iterator[bytes | None]:
    """Yield the lines of a log, and None for lines longer than `LINE_LIMIT`.

    Raises LogError if the log cannot be read.
    """
    with opened(path, LogError) as file:
        whole = True
        while line := file.readline(LINE_LIMIT + 1):
            starts, whole = whole, len(line) <= LINE_LIMIT or line.endswith(b"\n")
            if starts:
                yield line if len(line) <= LINE_LIMIT else None


# JSON and TOML ------------------------------------------------------------------------------------


def read_data(path: str | Path, error: type[FsmError]) -> Any:
    """Return the plain values in a file: TOML if its name ends in .toml, else JSON.

    Raises an error of this class, with the file, the place and the remedy, if there is no such
    file, or if it is neither, is too large, or is nested too deeply.
    """
    is_toml = Path(path).suffix.lower() == ".toml"
    data = read_bytes(path, error, TOML_LIMIT if is_toml else SIZE_LIMIT)
    try:
        text = data.decode("utf-8-sig")
        return parse_toml(text) if is_toml else parse_json(text, once)
    except ValueError as wrong:
        kind = "TOML" if is_toml else "JSON"
        raise error(f"{path}: this cannot be read as {kind}: {wrong}") from None


def parse_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the plain values of a JSON text, such as a line of a log. `pairs` makes its objects.

    Raises ValueError, which says where and why.
    """
    return _parsed(text, lambda: json.loads(text, object_pairs_hook=pairs))


def parse_toml(text: str) -> Any:
    """Return the plain values of a TOML text. Raises ValueError, which says where and why."""
    from tomllib import loads  # most files are JSON

    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {KEY_LIMIT} parts")
    return _parsed(text, lambda: loads(text))


def _parsed(text: str, parse: Callable[[], Any]) -> Any:
    try:
        data = parse()
        if text.count("[") + text.count("{") > DEPTH_LIMIT:
            _check_depth(data)
    except RecursionError:
        raise ValueError(f"the values are nested more than {DEPTH_LIMIT} deep") from None
    return data


def _check_depth(data: object, depth: int = 0) -> None:
    """Raise RecursionError if lists and objects are nested too deeply."""
    if depth > DEPTH_LIMIT:
        raise RecursionError
    if isinstance(data, dict | list):
        for value in data.values() if isinstance(data, dict) else data:
            _check_depth(value, depth + 1)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError if a key is there twice."""
    found = dict[str, Any]()
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice in one object; keep one")
        found[key] = value
    return found


# values as Structs --------------------------------------------------------------------------------


class Shapes:
    """Reads plain values into Structs, each of which must forbid unknown fields.

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
        full = ": ".join(filter(None, (self.place, where, text)))
        return self.error(full, place=where, **more)

    def value(self, raw: object, kind: Any, where: str = "") -> Any:
        """Return a value of this type."""
        try:
            return msgspec.convert(raw, kind, dec_hook=lambda made, text: made(text))
        except msgspec.ValidationError as error:
            kinds = _alternatives(kind)
            for one in kinds:
                for name, part, wanted in self._parts(raw, one, where):
                    self.value(part, wanted, f"{where}{name}".lstrip("."))
            words = [word for word in chain(*map(get_args, kinds)) if isinstance(word, str)]
            text = _sentence(str(error), raw)
            raise self.problem(where, text, found=raw, known=words) from None

    def _parts(self, raw: Any, kind: Any, where: str) -> Iterator[tuple[str, object, Any]]:
        """Yield the parts of a value, with their places in it and the types that they must have."""
        origin, args = get_origin(kind), get_args(kind)
        if isinstance(raw, list) and origin is tuple:
            for number, part in enumerate(raw):
                yield f"[{number}]", part, args[0]
        elif isinstance(raw, dict) and origin in (dict, Mapping):
            for key, part in raw.items():
                yield f".{key}", part, args[1]
        elif isinstance(raw, dict) and isinstance(kind, type) and issubclass(kind, Struct):
            known: dict[str, Any] = {field.encode_name: field.type for field in fields(kind)}
            config = kind.__struct_config__
            if config.tag_field is not None:
                known[config.tag_field] = Literal[config.tag]
            for name, part in raw.items():
                if name not in known:
                    text = f"{show(name)} is not known here"
                    raise self.problem(where, text, kind="unknown-field", found=name, known=known)
                yield f".{name}", part, known[name]


def _alternatives(kind: Any) -> list[Any]:
    """Return the types of which a value may be, without what limits them."""
    origin, args = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _alternatives(args[0])
    return [*chain(*map(_alternatives, args))] if origin in (Union, UnionType) else [kind]


def _sentence(error: str, raw: object) -> str:
    """Say what is wrong with a value, instead of what msgspec says."""
    if error.startswith(_MISSING):
        return error.replace(_MISSING, "this needs ").replace("`", "'")
    wanted = error.removeprefix("Expected ").partition(", got ")[0]
    if wanted == error:
        return f"{show(raw)} is unknown"
    for name, words in _TYPES.items():
        wanted = wanted.replace(name, words)
    return f"{show(raw)} is not {wanted}"


def show(value: object) -> str:
    """Return a value as a file has it, shortened."""
    return json.dumps(value) if value is None or isinstance(value, bool) else shown(value)


# writing ------------------------------------------------------------------------------------------


def write_file(path: str, data: str | bytes) -> None:
    """Write a file: beside it first, renamed only once it is complete. It keeps its permissions.

    "-" is standard output. That, devices and pipes are written directly. Raises OSError naming the
    path; then a file has not changed.
    """
    if isinstance(data, str):
        data = data.encode("utf-8", "backslashreplace")
    if _is_stream(path):
        with open(1 if path == "-" else path, "wb", closefd=path != "-") as stream:
            stream.write(data)
        return
    with _beside(path) as new:
        if os.path.exists(path):
            shutil.copymode(path, new)
        new.write_bytes(data)
        new.replace(os.path.realpath(path))


def check_writable(path: str) -> None:
    """Raise OSError naming the path if it cannot be written. Nothing changes."""
    if not _is_stream(path):
        with _beside(path):
            pass


def _is_stream(path: str) -> bool:
    """Is this standard output, or a device or pipe, which a rename would destroy?"""
    is_there = os.path.exists(path)
    return (is_there and not (os.path.isfile(path) or os.path.isdir(path))) or path == "-"


@contextmanager
def _beside(path: str) -> Iterator[Path]:
    """Make a file beside this one, and delete it in the end if it is still there."""
    whole = Path(os.path.realpath(path))
    new = whole.with_name(f".{whole.name}.{os.urandom(4).hex()}")
    try:
        if whole.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a directory")
        new.touch(exist_ok=False)
        try:
            yield new
        finally:
            new.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", path) from None
