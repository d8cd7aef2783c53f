"""Find machines of the `transitions` library, and read them as Models, which can be drawn,
tabulated, checked and measured.

    from fsm.adapters import model_of
    model = model_of(machine)

Flat, nested, asynchronous, locked and graph machines are all supported. Reading calls no callback
of the machine and changes nothing in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from fsm.errors import FsmError
from fsm.model import Model

if TYPE_CHECKING:
    import transitions

__all__ = ["is_machine", "model_of"]


def is_machine(value: object) -> TypeGuard[transitions.Machine]:
    """Say whether a value is a machine of the `transitions` library.

    Parameters
    ----------
    value
        Any object. The library is not imported to answer the question.

    Returns
    -------
    bool
        True for every machine class of the library and for classes derived from one.
    """
    library: Any = sys.modules.get("transitions")
    return library is not None and isinstance(value, library.Machine)


def model_of(machine: transitions.Machine) -> Model:
    """Return the Model of a machine of the `transitions` library.

    Nested states become boxes, conditions become guards, and callbacks become words. Transitions
    keep the order in which the machine tries them. A wildcard or a list of sources becomes one
    transition for each source; pictures and tables show once, as "from any state", what all states
    have in common. Transitions from or to a deleted state are left out, because they can never
    fire.

    Parameters
    ----------
    machine
        A machine of any class of the library.

    Returns
    -------
    Model
        The Model that was read. For a machine made by `fsm.engine.Machine.from_model`, this is the
        Model that it was made from.

    Raises
    ------
    ModelError
        If the machine cannot be a Model, for instance because it has no states.
    """
    from fsm.adapters.reading import read

    return read(machine).model


def machine_behind(value: object) -> Any:
    """Return the machine that a value is, or the one that drives it, or None."""
    if is_machine(value):
        return value
    trigger: Any = getattr(value, "trigger", None)  # the library gives it to what a machine drives
    owner = getattr(getattr(trigger, "func", None), "__self__", None)
    return owner if is_machine(owner) else None


# what module:attribute names ----------------------------------------------------------------------


def named(spec: str, what: str, error: type[FsmError]) -> object:
    """Return what `module:attribute` names, or what it returns if it is a function or a class.

    The user's code runs then. `what` is the word for it in messages. Raises `error` if there is no
    such attribute, or if the user's code raises.
    """
    module, _, attribute = importable(spec, what, error).partition(":")
    with _users_code(f"{what} {spec!r}: cannot import {module!r}", error):
        home = import_module(module)
    with _users_code(f"{what} {spec!r}: cannot read {attribute!r}", error):
        found: object = getattr(home, attribute, None)
    if found is None:
        known = [word for word, value in vars(home).items() if _may_be_meant(value)]
        text = f"{what} {spec!r}: {module!r} has no {attribute!r}"
        raise error(text, kind="unknown-attribute", found=attribute, known=known)
    if not callable(found) or is_machine(found):
        return found
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
    """Say whether this is a Model, a machine or a Table."""
    is_table = hasattr(value, "build") and not isinstance(value, type)
    return is_table or isinstance(value, Model) or is_machine(value)


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
