"""Reading the files that a user names.

Only regular files are opened: a pipe may never be written to, and a device may have no end.
"""

from __future__ import annotations

import errno
import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO

from fsm.errors import LogError

LINE_LIMIT = 8 * 1024 * 1024
"""A longer line of a log is damaged. It is never held in memory."""
_GZIP = b"\x1f\x8b"
_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_text(path: str | Path, encoding: str = "utf-8") -> str:
    """The text of a regular file. Raises OSError, which says so when it is none, and
    UnicodeDecodeError.
    """
    with open(path, encoding=encoding, opener=regular) as file:
        return file.read()


class DamagedLine(Exception):
    """A line of a log that should state something cannot be read."""


def file_lines(path: Path, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """Yield the lines of a log, which may be compressed with gzip, and None for lines longer than
    `limit`.

    Raises LogError if the log cannot be read.
    """
    try:
        with ExitStack() as stack:
            file = stack.enter_context(open(path, "rb", opener=regular))
            packed = file.peek(2).startswith(_GZIP)
            stream: Any = stack.enter_context(gzip.GzipFile(fileobj=file)) if packed else file
            yield from bounded_lines(stream, limit)
    except (EOFError, zlib.error):
        raise LogError(
            f"{path}: the compressed data is damaged or ends too early; unpack what can be read"
        ) from None
    except OSError as error:
        raise LogError(
            f"{path}: cannot be read ({error.strerror or error}); name a recorded game or log"
        ) from None


def bounded_lines(stream: BinaryIO, limit: int = LINE_LIMIT) -> Iterator[bytes | None]:
    """Yield the lines of a stream, and None for lines longer than `limit` bytes, which are never
    held in memory.
    """
    while line := stream.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(limit + 1)
        yield None


def regular(path: str, flags: int) -> int:
    """The opener for `open(path, opener=regular)`: it opens regular files only.

    Raises OSError saying what the path is instead. The path is looked at first, since opening alone
    may change
    something: a writer that waits for a reader of its pipe goes on. It is looked at again once it
    is open, as it may have been replaced meanwhile; opening does not wait even then.
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
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(
            code, f"this is {_KINDS.get(stat.S_IFMT(mode), 'something else')}, not a file", path
        )
