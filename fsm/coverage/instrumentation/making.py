"""Finds where a machine is made: the file and the line in the user's code."""

from __future__ import annotations

import os
import sysconfig
from functools import lru_cache
from pathlib import Path
from types import FrameType

import transitions

from fsm.coverage.instrumentation.contexts import root

_OURS = str(Path(__file__).resolve().parents[2]) + os.sep
_LIBRARY = str(Path(transitions.__file__).resolve().parent) + os.sep
_STANDARD = tuple({sysconfig.get_path(name) + os.sep for name in ("stdlib", "platstdlib")})
_INSTALLED = ("site-packages", "dist-packages")


def place_of(frame: FrameType | None) -> str:
    """Return `file:line` of the first frame, from this one outwards, that is code of a user, or ""
    if there is none.

    Generated code, such as the `__init__` of a dataclass, has no file. It counts only if nothing
    else does.
    """
    generated = ""
    while frame is not None:
        file = frame.f_code.co_filename
        if file.startswith("<"):
            generated = generated or f"{file}:{frame.f_lineno}"
        elif not _is_passed(file):
            return f"{_shown(file, root())}:{frame.f_lineno}"
        frame = frame.f_back
    return generated


@lru_cache(maxsize=4096)
def _is_passed(file: str) -> bool:
    """Whether this file only passes the call on: it belongs to the library, to this package or to
    Python.
    """
    path = os.path.realpath(file)
    standard = path.startswith(_STANDARD) and not any(
        f"{os.sep}{name}{os.sep}" in path for name in _INSTALLED
    )
    return standard or path.startswith((_OURS, _LIBRARY))


@lru_cache(maxsize=4096)
def _shown(file: str, root: str) -> str:
    """Return a path that is the same on other computers: from the root, or from where packages are
    installed.
    """
    path = Path(os.path.realpath(file))
    for number, part in reversed([*enumerate(path.parts)]):
        if part in _INSTALLED:
            return Path(*path.parts[number + 1 :]).as_posix()
    inside = Path(os.path.realpath(root))
    return path.relative_to(inside).as_posix() if path.is_relative_to(inside) else path.as_posix()
