"""Finds the machine that a user means: what `module:attribute` names, and the machine that drives
an object.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fsm.adapters import is_machine
from fsm.errors import FsmError
from fsm.model import Model


def named(spec: str, what: str, error: type[FsmError]) -> object:
    """Return what `module:attribute` names, or what it returns if it is a function or a class.

    The user's code runs then. `what` is the word for it in messages. Raises `error` if there is no
    such attribute, if it cannot be called without arguments, or if the user's code raises.
    """
    module, _, attribute = importable(spec, what, error).partition(":")
    with _users_code(f"{what} {spec!r}: cannot import {module!r}", error):
        home = import_module(module)
    with _users_code(f"{what} {spec!r}: cannot read {attribute!r}", error):
        if not hasattr(home, attribute):
            known = [word for word, value in vars(home).items() if _may_be_meant(value)]
            text = f"{what} {spec!r}: {module!r} has no {attribute!r}"
            raise error(text, kind="unknown-attribute", found=attribute, known=known)
        found: object = getattr(home, attribute)
    if not callable(found) or is_machine(found):
        return found
    try:
        inspect.signature(found).bind()
    except (TypeError, ValueError):
        raise error(f"{what} {spec!r} cannot be called without arguments") from None
    with _users_code(f"{what} {spec!r}: cannot call {attribute!r}", error):
        return found()


def importable(spec: str, what: str, error: type[FsmError]) -> str:
    """Return `module:attribute` for what may be written as `file.py:attribute`.

    The folder of the file, or of its outermost package, comes to the end of the path of imports.
    Raises `error` if there is no such file, or if its name means another module.
    """
    file, _, attribute = spec.rpartition(":")
    if not file.endswith(".py"):
        return spec
    path = Path(file).resolve()
    if not path.is_file():
        raise error(f"{what} {spec!r}: there is no file {file!r}")
    folder, module = path.parent, path.stem
    while (folder / "__init__.py").is_file():
        folder, module = folder.parent, f"{folder.name}.{module}"
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
    with _users_code(f"{what} {spec!r}: cannot import {file!r}", error):
        origin = getattr(find_spec(module), "origin", None)
    if origin is None or Path(origin).resolve() != path:
        raise error(
            f"{what} {spec!r}: Python finds another module {module!r}, {origin}; rename the file"
        )
    return f"{module}:{attribute}"


def _may_be_meant(value: object) -> bool:
    """Say whether this is a Model, a Table or a machine."""
    return (
        isinstance(value, Model)
        or is_machine(value)
        or (hasattr(value, "build") and not isinstance(value, type))
    )


@contextmanager
def _users_code(failed: str, error: type[FsmError]) -> Iterator[None]:
    """Turn whatever the user's code raises into this error.

    SystemExit is included, since it must not end the command.
    """
    try:
        yield
    except FsmError:
        raise
    except (Exception, SystemExit) as raised:
        kind = "" if isinstance(raised, ImportError) else f"{type(raised).__name__}: "
        raise error(f"{failed}: {kind}{raised}") from raised


def machine_behind(value: object) -> Any:
    """Return the machine that a value is, or the one that drives it, or None."""
    if is_machine(value):
        return value
    trigger: Any = getattr(value, "trigger", None)  # the library gives it to what a machine drives
    owner = getattr(getattr(trigger, "func", None), "__self__", None)
    return owner if is_machine(owner) else None
