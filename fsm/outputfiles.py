"""Output files are written all or not at all; whether they can be is known before the work begins."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping


def check_writable(paths: Iterable[str | None]) -> None:
    """Raise OSError naming the first path that cannot be written; None stands for no file. Changes
    nothing.
    """
    for path in paths:
        if path is not None and not _is_stream(path):
            with _naming(path):
                handle, temporary = _fresh_beside(os.path.realpath(path))
                os.close(handle)
                os.unlink(temporary)


Text = str | bytes | Iterable[str]
"""What is written to a file: a text, bytes, or a text in parts, which need not be in memory at the
same time.
"""


def write_files(texts: Mapping[str, Text]) -> None:
    """Write each text to its path: beside it first, renamed only once all of them are complete.

    "-" and devices are written directly, last. Raises OSError naming the path; then no file has
    changed.
    """
    ready: dict[str, str] = {}
    direct = {path: text for path, text in texts.items() if _is_stream(path)}
    try:
        for path in (path for path in texts if path not in direct):
            with _naming(path):
                ready[path] = _beside(os.path.realpath(path), texts[path])
        for path, temporary in ready.items():
            with _naming(path):
                os.replace(temporary, os.path.realpath(path))
    finally:
        for temporary in ready.values():
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
    for path, text in direct.items():
        with open(1 if path == "-" else path, "wb", closefd=path != "-") as stream:
            stream.writelines(_bytes(text))


def _is_stream(path: str) -> bool:
    """Is this standard output, or a device or pipe, which a rename would destroy?"""
    with contextlib.suppress(OSError):
        mode = os.stat(path).st_mode
        return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
    return path == "-"


def _bytes(text: Text) -> Iterator[bytes]:
    for part in (text,) if isinstance(text, str | bytes) else text:
        yield part.encode("utf-8", "backslashreplace") if isinstance(part, str) else part


def _beside(path: str, text: Text) -> str:
    """A finished file in the same directory."""
    handle, temporary = _fresh_beside(path)
    try:
        with open(handle, "wb") as file:
            file.writelines(_bytes(text))
        os.chmod(temporary, _mode(path))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _fresh_beside(path: str) -> tuple[int, str]:
    """An open, empty file in the same directory, and its path."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, "it is a directory")
    folder, name = os.path.split(path)
    return tempfile.mkstemp(prefix=f".{name}.", dir=folder)


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """An OSError inside names the path that was asked for."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", path) from None


def _mode(path: str) -> int:
    """The permissions the file has, or those a new file would get."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
