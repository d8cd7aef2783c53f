"""Reads and writes files: regular ones, whole or not at all, and within limits.

Only regular files are read: a pipe may never be written to, and a device may have no end. JSON and
TOML are read here and nowhere else, so that a file that means harm takes neither memory nor time.
Output files are written all or not at all; whether they can be is known before the work begins.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import json
import os
import re
import shutil
import stat
import tomllib
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO

from fsm.errors import FsmError, LogError

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

_GZIP = b"\x1f\x8b"
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
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
    try:
        text = read_text(path).removeprefix("\ufeff")
    except FileNotFoundError:
        raise error(f"{path}: there is no such file") from None
    except UnicodeDecodeError as wrong:
        raise error(f"{path}: this is not text in UTF-8, from byte {wrong.start} on") from None
    except (OSError, ValueError) as wrong:  # such as the size, or a null byte
        why = getattr(wrong, "strerror", "") or wrong
        raise error(f"{path}: this cannot be read: {why}") from None
    ending = Path(path).suffix.lower()
    is_json = ending == ".json" or (ending != ".toml" and bool(_BEGINS_AS_JSON.match(text)))
    try:
        return parse_json(text, once) if is_json else _parse_toml(text)
    except ValueError as wrong:
        kind = "JSON" if is_json else "TOML"
        raise error(f"{path}: this cannot be read as {kind}: {wrong}") from None


def parse_json(text: str, pairs: Callable[[list[tuple[str, Any]]], Any] | None = None) -> Any:
    """Return the plain values of a JSON text, such as a line of a log. `pairs` makes its objects.

    Raises ValueError, which says where and why.
    """
    try:
        data = json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as wrong:
        raise ValueError(f"line {wrong.lineno}, column {wrong.colno}: {wrong.msg}") from None
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    if text.count("[") + text.count("{") > DEPTH_LIMIT:
        _check_depth(data)
    return data


def _parse_toml(text: str) -> dict[str, Any]:
    if len(text) > TOML_LIMIT:
        raise ValueError(f"it is larger than {TOML_LIMIT:,} bytes")
    if _LONG_KEY.search(text):
        raise ValueError(f"a key has more than {KEY_LIMIT} parts")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    _check_depth(data)
    return data


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raises ValueError if a key is there twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key!r} is there twice in one object; keep one")
        found[key] = value
    return found


def _check_depth(data: object) -> None:
    """Raise ValueError if lists and objects are nested too deeply."""
    level = [data]
    for _ in range(DEPTH_LIMIT + 1):
        inside = list[object]()
        for value in level:
            if isinstance(value, dict | list):
                inside += value.values() if isinstance(value, dict) else value
        level = inside
    if level:
        raise ValueError(_TOO_DEEP)


# reading ------------------------------------------------------------------------------------------


def read_bytes(path: str | Path, limit: int = SIZE_LIMIT) -> bytes:
    """Return what is in a regular file.

    Raises OSError, which says so when it is none, and ValueError if it is larger than `limit`
    bytes.
    """
    with open(path, "rb", opener=regular) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise ValueError(f"it is larger than {limit:,} bytes")
    return data


def read_text(path: str | Path) -> str:
    """Return the text of a regular file. Raises as `read_bytes`, and UnicodeDecodeError."""
    return read_bytes(path).decode().replace("\r\n", "\n")


def file_lines(path: Path) -> Iterator[bytes | None]:
    """Yield the lines of a log, which may be compressed with gzip, and None for lines longer than
    `LINE_LIMIT`.

    Raises LogError if the log cannot be read.
    """
    try:
        with open(path, "rb", opener=regular) as file:
            packed = file.peek(2).startswith(_GZIP)
            yield from _bounded_lines(gzip.GzipFile(fileobj=file) if packed else file)
    except (EOFError, zlib.error):
        raise LogError(
            f"{path}: the compressed data is damaged or ends too early; unpack what can be read"
        ) from None
    except OSError as error:
        raise LogError(
            f"{path}: cannot be read ({error.strerror or error}); name a recorded game or log"
        ) from None


def _bounded_lines(stream: BinaryIO | gzip.GzipFile) -> Iterator[bytes | None]:
    while line := stream.readline(LINE_LIMIT + 1):
        if len(line) <= LINE_LIMIT:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(LINE_LIMIT + 1)
        yield None


def regular(path: str, flags: int) -> int:
    """The opener for `open(path, opener=regular)`: it opens regular files only.

    Raises OSError saying what the path is instead. The path is looked at first, since opening alone
    may change something: a writer that waits for a reader of its pipe goes on. It is looked at
    again once it is open, as it may have been replaced meanwhile; opening does not wait even then.
    """
    _check(os.stat(path).st_mode, path)
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    try:
        _check(os.fstat(handle).st_mode, path)
    except OSError:
        os.close(handle)
        raise
    return handle


def _check(mode: int, path: str) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "something else")
        raise OSError(errno.EINVAL, f"this is {kind}, not a file", path)


# writing ------------------------------------------------------------------------------------------


def check_writable(paths: Iterable[str | None]) -> None:
    """Raise OSError naming the first path that cannot be written, or that is named twice; None
    stands for no file. Changes nothing.
    """
    seen = set[str]()
    for path in paths:
        if path is None or _is_stream(path):
            continue
        with _naming(path):
            os.unlink(_beside(path, ""))
            if os.path.realpath(path) in seen:
                raise OSError(errno.EINVAL, "it is the file of two outputs; name another")
        seen.add(os.path.realpath(path))


def write_files(texts: Mapping[str, str | bytes]) -> None:
    """Write each text to its path: beside it first, renamed only once all of them are complete.

    "-" and devices are written directly, last. Raises OSError naming the path; then no file has
    changed.
    """
    ready: dict[str, str] = {}
    direct = {path: text for path, text in texts.items() if _is_stream(path)}
    try:
        for path in (path for path in texts if path not in direct):
            with _naming(path):
                ready[path] = _beside(path, texts[path])
        for path, temporary in ready.items():
            with _naming(path):
                os.replace(temporary, os.path.realpath(path))
    finally:
        for temporary in ready.values():
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
    for path, text in direct.items():
        with open(1 if path == "-" else path, "wb", closefd=path != "-") as stream:
            stream.write(_bytes(text))


def _is_stream(path: str) -> bool:
    """Is this standard output, or a device or pipe, which a rename would destroy?"""
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return path == "-"


def _bytes(text: str | bytes) -> bytes:
    return text.encode("utf-8", "backslashreplace") if isinstance(text, str) else text


def _beside(path: str, text: str | bytes) -> str:
    """Write a file in the same directory, with the permissions of the one that it will replace."""
    path = os.path.realpath(path)
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "it is a directory")
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{name}.{token_hex(4)}")
    try:
        with open(temporary, "xb") as file:
            if os.path.exists(path):
                shutil.copymode(path, temporary)
            file.write(_bytes(text))
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise
    return temporary


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """An OSError inside names the path that was asked for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", path) from None
