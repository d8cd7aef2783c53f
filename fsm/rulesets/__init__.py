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

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from os import PathLike, fspath
from os.path import realpath
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, get_args, get_type_hints

from fsm.adapters import is_machine, machine_behind, model_of, named
from fsm.errors import ModelError, ModelFileError, RulesetError, shown, suggest
from fsm.files import read_data
from fsm.model import Duration, Model, Role
from fsm.model.model import ModelLike
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
    return _loaded(str(spec), {**(options or {}), **named}, None, machines)


def load_without_code(spec: str, options: Mapping[str, object], folder: Path) -> Model:
    """Return the Model that a data file names: a built-in ruleset, or a model file.

    Nothing is imported except built-in rulesets. A model file must be in the `folder` of the data
    file, or below it. Otherwise like `load`.
    """
    return _loaded(spec, options, folder, False)


def _loaded(spec: str, options: Mapping[str, object], folder: Path | None, machines: bool) -> Model:
    name, _, query = spec.partition("?")
    wanted = {**parse_options(spec, query), **options}
    model = built_in(name, wanted)
    if model is not None:
        return model
    if ":" not in name and not _is_file(name):
        code = "" if folder else "module:attribute, FILE.py:TABLE, or "
        raise RulesetError(
            f"ruleset {name!r} is unknown",
            kind="unknown-ruleset",
            found=name,
            remedy=f"{suggest(name, BUILT_IN)[2:]} (or name {code}a model's .json file)",
            known=BUILT_IN,
        )
    if folder is not None and not _is_file(name):
        raise RulesetError(f"ruleset {name!r}: a file cannot name code; {_by_hand(spec)}")
    if wanted:
        raise RulesetError(
            f"ruleset {name!r} has no options; leave out {', '.join(map(repr, wanted))}"
        )
    if _is_file(name):
        return _from_file(name, Path(name) if folder is None else _inside(name, folder))
    found = named(name, "ruleset", RulesetError)
    return _model_of(machine_behind(found) or found, f"ruleset {name!r}", machines=machines)


def built_in(name: str, given: Mapping[str, object]) -> Model | None:
    """Return the Model of a built-in ruleset, or None if there is no ruleset of this name.

    Raises
    ------
    RulesetError
        If there is no such option, or if a value is not allowed.
    """
    if name not in BUILT_IN:
        return None
    known = options(name)
    for option, value in given.items():
        place = f"options.{option}"
        RulesetError.known_name("option", option, known, name, place)
        values = known[option].values
        if type(value) is not type(values[0]) or value not in values:
            right = " or ".join(map(repr, values)) if True not in values else "true or false"
            raise RulesetError(
                f"option {option!r} of {name} is {value!r}, but must be {right}",
                place=place,
                kind="wrong-option",
                found=value,
            )
    return _build(name, tuple(sorted(given.items())))


@lru_cache(maxsize=64)
def _build(name: str, options: tuple[tuple[str, object], ...]) -> Model:
    """Return the Model with these options."""
    made: Table = _module(name).table(**dict(options))
    return made.build()


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
    return _model_of(what, shown(what), machines=True)


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
    is_code = ":" in name and not _is_file(name)
    return machine_behind(named(name, "ruleset", RulesetError)) if is_code else None


def _module(name: str) -> ModuleType:
    return import_module(BUILT_IN[name])


def _is_file(name: str) -> bool:
    return name.endswith(".json")


def _inside(name: str, folder: Path) -> Path:
    """Return the path of a model file that a file in this folder names. Raises RulesetError if it
    leads out of the folder.
    """
    path = folder / name
    if "\0" in name or not Path(realpath(path)).is_relative_to(realpath(folder)):
        raise RulesetError(
            f"model file {name!r}: a file can name only a model file in or below its own folder; "
            f"{_by_hand(name)}"
        )
    return path


def _by_hand(spec: str) -> str:
    """Return what to do with a specification that a data file may not name."""
    import shlex  # quoted, so that a data file cannot put a command into the user's shell

    return f"name it on the command line: fsm run --ruleset {shlex.quote(spec)} FILE"


def _from_file(name: str, path: Path) -> Model:
    data = read_data(path, ModelFileError)
    try:
        return Model.from_json(data)
    except ModelError as error:
        raise type(error)(f"model file {name!r}: {error}") from None


def _model_of(found: object, what: str, *, machines: bool) -> Model:
    if isinstance(found, Model):
        return found
    if isinstance(found, Table):
        return found.build()
    if is_machine(found) and (machines or isinstance(getattr(found, "definition", None), Model)):
        return model_of(found)
    raise RulesetError(
        f"{what} is a {type(found).__name__}, but must be a Model or a Table; "
        f"draw, check, paths and conform also take machines of the transitions library"
    )


# options ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RulesetOption:
    """An option of a ruleset: a keyword of its function `table`.

    Attributes
    ----------
    default
        Its value if it is not given.
    values
        The values that it can have, the default first.
    doc
        What it means.
    """

    default: object
    values: tuple[object, ...]
    doc: str


@cache
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
    RulesetError.known_name("ruleset", name, BUILT_IN, "the built-in ones")
    table = _module(name).table
    hints, text = get_type_hints(table), inspect.getdoc(table) or ""
    docs = dict(re.findall(r"^(\w+): (.*(?:\n[ ]+.*)*)", text, flags=re.M))
    found = {}
    for option, default in table.__kwdefaults__.items():
        values = dict.fromkeys((default, *(get_args(hints[option]) or (not default,))))
        found[option] = RulesetOption(default, tuple(values), " ".join(docs[option].split()))
    return found


def parse_options(spec: str, query: str) -> dict[str, object]:
    """Return the options that are written behind a name, for instance "a=true&b=2006-10".

    Raises
    ------
    RulesetError
        If a part is not name=value.
    """
    found: dict[str, object] = {}
    for part in filter(None, query.split("&")):
        option, equals, value = part.partition("=")
        if not equals:
            raise RulesetError(f"ruleset {spec!r}: write each option as name=value, not {part!r}")
        found[option] = {"true": True, "false": False}.get(value.lower(), value)
    return found
