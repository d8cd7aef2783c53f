"""The rulesets by name. `names()` lists the built-in ones. `load()` returns the Model of a
specification.

A specification is one of these:

- a name: "magic"
- a name with options: "magic?extra_draw_on_first_turn=false"
- `module:attribute`, which is a Model, a Table, or a function that returns one
- the path of a model's JSON file

Data files can name no code. `load_without_code()` takes only names and model files beside the data
file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from os import PathLike, fspath
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fsm.adapters import is_machine, machine_behind, model_of, named
from fsm.errors import ModelError, ModelFileError, RulesetError, shown, suggest
from fsm.model import Duration, Model, Role
from fsm.model.model import ModelLike
from fsm.rulesets.choices import (
    RulesetOption,
    check_options,
    options_of,
    parse_options,
)
from fsm.rulesets.parts import (
    Absent,
    Act,
    Again,
    Back,
    Cut,
    During,
    Either,
    Fact,
    FrameRules,
    Phase,
    Step,
    Swap,
    Then,
    Window,
)
from fsm.rulesets.rows import row
from fsm.rulesets.table import Table
from fsm.rulesets.windows import PriorityRules

if TYPE_CHECKING:
    from pathlib import Path

    import transitions

__all__ = [
    "Absent",
    "Act",
    "Again",
    "Back",
    "Cut",
    "Duration",
    "During",
    "Either",
    "Fact",
    "FrameRules",
    "Phase",
    "PriorityRules",
    "Role",
    "RulesetOption",
    "Step",
    "Swap",
    "Table",
    "Then",
    "Window",
    "names",
    "options",
    "row",
]

BUILT_IN: dict[str, str] = {
    "magic": "fsm.rulesets.magic",
    "magic-2010": "fsm.rulesets.magic_2010",
    "magic-classic": "fsm.rulesets.magic_classic",
    "grand-archive": "fsm.rulesets.grand_archive",
}


def names() -> tuple[str, ...]:
    """Return the names of the built-in rulesets."""
    return tuple(BUILT_IN)


def load(
    spec: str,
    options: Mapping[str, object] | None = None,
    *,
    machines: bool = False,
    **named: object,
) -> Model:
    """Return the Model of a specification.

    `load` imports the module of `module:attribute` and calls the attribute if it is a function. Use
    it for specifications from the command line or from Python code, and `load_without_code` for
    specifications from data files.

    Parameters
    ----------
    spec
        A name, perhaps with options, `module:attribute`, or the path of a model's JSON file.
    options
        Options that are added to those in the specification.
    machines
        Whether `module:attribute` may also be a plain machine of the `transitions` library. The
        Model of such a machine can be drawn, but not played.
    **named
        Options by name, as in `load("magic", edition="2025-04")`.

    Returns
    -------
    Model
        The model. A built-in ruleset is built once for the same options.

    Raises
    ------
    RulesetError
        If there is no such ruleset or option, if `module:attribute` is something else, or if the
        user's code raises.
    ModelError
        If the model is wrong.
    """
    if not isinstance(spec, str):
        raise RulesetError(
            f"{shown(spec)} is no specification of a ruleset; write a name such as 'magic'"
        )
    name, wanted = _parsed(spec, {**(options or {}), **named})
    model = built_in(name, wanted)
    if model is None:
        model = _from_file(name, name) if _is_file(name) else _from_module(name, machines)
        _refuse_options(name, wanted)
    return model


def load_without_code(spec: str, options: Mapping[str, object], folder: Path) -> Model:
    """Return the Model that a data file names: a built-in ruleset, or a model file.

    Nothing is imported except built-in rulesets. A model file must be in the `folder` of the data
    file, or below it. Otherwise like `load`.
    """
    name, wanted = _parsed(spec, options)
    model = built_in(name, wanted)
    if model is None:
        if not _is_file(name):
            if ":" not in name:
                raise _unknown(name, "")
            raise RulesetError(f"ruleset {name!r}: a file cannot name code; {_by_hand(spec)}")
        model = _from_file(name, _inside(name, folder))
        _refuse_options(name, wanted)
    return model


def built_in(name: str, options: Mapping[str, object]) -> Model | None:
    """Return the Model of a built-in ruleset, or None if there is no ruleset of this name.

    Raises
    ------
    RulesetError
        If there is no such option.
    """
    if name not in BUILT_IN:
        return None
    ruleset = _module(name)
    check_options(name, ruleset, options)
    given = {option: known.default for option, known in options_of(ruleset).items()}
    return _build(name, tuple(sorted((given | dict(options)).items())))


def model_of_any(what: ModelLike) -> Model:
    """Return the Model that something is, or names: a Model, a Table, a machine, a specification,
    or the path of a model file.

    Raises
    ------
    RulesetError
        If there is no such ruleset, or if a table cannot be built.
    ModelError
        If the model is wrong.
    """
    if isinstance(what, str | PathLike):
        return load(fspath(what), machines=True)
    if isinstance(what, Model):
        return what
    if is_machine(what):
        return model_of(what)
    if hasattr(what, "build"):
        return what.build()
    raise RulesetError(
        f"{shown(what)} is no ruleset; give a Model, a Table, or a name such as 'magic'"
    )


def machine_of(spec: str) -> transitions.Machine | None:
    """Return the machine of the `transitions` library that `module:attribute` names.

    Returns
    -------
    Machine or None
        The machine, or None if the specification names something else.

    Raises
    ------
    RulesetError
        If there is no such attribute, or if the user's code raises.
    """
    name = spec.partition("?")[0]
    found = None if name in BUILT_IN or _is_file(name) else _object(name)
    return found if is_machine(found) else None


def options(name: str) -> Mapping[str, RulesetOption]:
    """Return the options of a built-in ruleset.

    Parameters
    ----------
    name
        The name of the ruleset.

    Returns
    -------
    Mapping of str to RulesetOption
        Each option by name: its default, its values and what it means.

    Raises
    ------
    RulesetError
        If there is no such ruleset.
    """
    if name not in BUILT_IN:
        text = f"ruleset {shown(name)} is none of the built-in ones"
        raise RulesetError(text, kind="unknown-ruleset", found=name, known=BUILT_IN)
    return options_of(_module(name))


@lru_cache(maxsize=64)
def _build(name: str, options: tuple[tuple[str, object], ...]) -> Model:
    """Return the Model with these options, each of which has a value."""
    made: Table = _module(name).table(**dict(options))
    return made.build()


def _parsed(spec: str, options: Mapping[str, object]) -> tuple[str, dict[str, object]]:
    """Return the name in a specification, and all options: those in it and those beside it."""
    name, _, query = spec.partition("?")
    return name, {**parse_options(spec, query), **options}


def _refuse_options(name: str, options: Mapping[str, object]) -> None:
    if options:
        given = ", ".join(map(repr, options))
        raise RulesetError(f"ruleset {name!r} has no options; leave out {given}")


def _module(name: str) -> ModuleType:
    return import_module(BUILT_IN[name])


def _is_file(name: str) -> bool:
    return name.endswith(".json") or ("/" in name and ".py" not in name)


def _inside(name: str, folder: Path) -> Path:
    """Return the path of a model file that a file in this folder names.

    Raises
    ------
    RulesetError
        If the path leads out of the folder, or if there is no such file.
    """
    path = folder / name
    try:
        if ".." in name or not path.resolve().is_relative_to(folder.resolve()):
            wrong = "a file can name only a model file in or below its own folder"
            raise RulesetError(f"model file {name!r}: {wrong}; {_by_hand(name)}")
        if not path.exists():
            raise RulesetError(
                f"model file {name!r} is not beside the file that names it; {_by_hand(name)}"
            )
    except (OSError, RuntimeError, ValueError) as error:  # a cycle of links, or a null byte
        raise RulesetError(f"model file {name!r} cannot be read: {error}") from None
    return path


def _by_hand(spec: str) -> str:
    """Return what to do with a specification that a data file may not name."""
    import shlex  # quoted, so that a data file cannot put a command into the user's shell

    return f"name it on the command line: fsm run --ruleset {shlex.quote(spec)} FILE"


def _from_file(name: str, path: str | Path) -> Model:
    from fsm.files import read_data  # imported late: a built-in ruleset needs no file

    data = read_data(path, ModelFileError)
    try:
        return Model.from_json(data)
    except ModelError as error:
        raise type(error)(f"model file {name!r}: {error}") from None


def _unknown(name: str, others: str) -> RulesetError:
    text, kind = f"ruleset {name!r} is unknown", "unknown-ruleset"
    remedy = f"{suggest(name, BUILT_IN)[2:]} (or name {others}a model's .json file)"
    if name.endswith(".py"):
        remedy = f"name what is in the file, such as {name}:TABLE"
    return RulesetError(text, kind=kind, found=name, remedy=remedy, known=BUILT_IN)


def _from_module(name: str, machines: bool) -> Model:
    found = _object(name)
    if isinstance(found, Model):
        return found
    if isinstance(found, Table):
        return found.build()
    right = "a Model or a Table"
    if is_machine(found):
        if machines or isinstance(getattr(found, "definition", None), Model):
            return model_of(found)
        raise RulesetError(
            f"ruleset {name!r} is a machine of the transitions library: draw, check and paths "
            f"take it, but this needs {right}"
        )
    if machines:
        right = "a Model, a Table or a machine of the transitions library"
    raise RulesetError(f"ruleset {name!r} is a {type(found).__name__}, but must be {right}")


def _object(name: str) -> Any:
    """Return what `module:attribute` names or makes; of an object that a machine drives, the
    machine.
    """
    if ":" not in name:
        raise _unknown(name, "module:attribute, or ")
    found = named(name, "ruleset", RulesetError)
    return machine_behind(found) or found
