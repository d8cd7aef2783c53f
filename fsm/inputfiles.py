"""Reading the files that a user names.

Only regular files are opened: a pipe may never be written to, and a device may have no end.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_text(path: str | Path, encoding: str = "utf-8") -> str:
    """The text of a regular file. Raises OSError, which says so when it is none, and UnicodeDecodeError."""
    with open(path, encoding=encoding, opener=regular) as file:
        return file.read()


def regular(path: str, flags: int) -> int:
    """The opener for `open(path, opener=regular)`: it opens regular files only.

    Raises OSError saying what the path is instead. The path is looked at first, since opening alone may change
    something: a writer that waits for a reader of its pipe goes on. It is looked at again once it is open, as it may
    have been replaced meanwhile; opening does not wait even then.
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
        raise OSError(code, f"this is {_KINDS.get(stat.S_IFMT(mode), 'something else')}, not a file", path)
