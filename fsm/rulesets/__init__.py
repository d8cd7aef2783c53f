"""The rulesets, by name: `names()` lists them, `load()` makes a Model of a specification.

A specification is a name ("magic"), a name with options ("magic?extra_draw_on_first_turn=false"),
`module:attribute` (a Model, a Table, or a function that returns one), or the path of a model's JSON file.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from fsm.errors import ModelError, ModelFileError, RulesetError, suggest
from fsm.foreign import is_machine, model_of
from fsm.model import Model
from fsm.rulesets.options import check_options, docs_of, names_of, parse_options, table_of, values_of

if TYPE_CHECKING:
    import transitions

BUILT_IN: dict[str, str] = {
    "magic": "fsm.rulesets.magic",
    "magic-2010": "fsm.rulesets.magic_2010",
    "magic-classic": "fsm.rulesets.magic_classic",
    "grand-archive": "fsm.rulesets.grand_archive",
}


def names() -> tuple[str, ...]:
    """The built-in rulesets."""
    return tuple(BUILT_IN)


def load(spec: str, options: Mapping[str, object] | None = None, *, machines: bool = False) -> Model:
    """The Model of a specification; `options` are added to those written in it.

    With `machines`, module:attribute may also be a plain machine of the `transitions` library, whose Model can
    be drawn, but not played. Raises RulesetError when there is no such ruleset or option, or when it is such a
    machine and must not be, ModelError when the model is wrong.
    """
    name, _, query = spec.partition("?")
    wanted = {**parse_options(spec, query), **(options or {})}
    if name in BUILT_IN:
        check_options(name, _module(name), wanted)
        return _build(name, tuple(sorted(wanted.items())))
    model = _from_file(name) if _looks_like_file(name) else _from_module(name, machines)
    if wanted:
        raise RulesetError(f"ruleset {name!r} has no options; leave out {', '.join(map(repr, wanted))}")
    return model


def option_names(name: str) -> Mapping[str, object]:
    """The options of a built-in ruleset, with their defaults."""
    return names_of(_module(name))


def option_values(name: str) -> Mapping[str, tuple[object, ...]]:
    """What each option of a built-in ruleset may be, the default first. A number may be any from 1 on."""
    return values_of(_module(name))


def option_docs(name: str) -> Mapping[str, str]:
    """What each option of a built-in ruleset means."""
    return docs_of(_module(name))


@lru_cache(maxsize=64)
def _build(name: str, options: tuple[tuple[str, object], ...]) -> Model:
    return table_of(_module(name), dict(options)).build()


def _call(name: str, factory: Callable[..., object]) -> object:
    try:
        inspect.signature(factory).bind()
    except (TypeError, ValueError):
        raise RulesetError(f"ruleset {name!r} cannot be called without arguments") from None
    return factory()


def _module(name: str) -> ModuleType:
    return import_module(BUILT_IN[name])


def _looks_like_file(name: str) -> bool:
    return name.endswith(".json") or "/" in name


def _from_file(name: str) -> Model:
    import json  # here, like the table below: a name of our own needs neither

    from fsm.files import read_text

    try:
        data = json.loads(read_text(name))
    except FileNotFoundError:
        raise RulesetError(f"model file {name!r} does not exist") from None
    except OSError as error:
        raise RulesetError(f"model file {name!r} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"model file {name!r} is not JSON: {error}") from None
    try:
        return Model.from_json(data)
    except ModelError as error:
        raise type(error)(f"model file {name!r}: {error}") from None


def _from_module(name: str, machines: bool) -> Model:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise RulesetError(
            f"ruleset {name!r} is unknown{suggest(name, BUILT_IN)} (or name module:attribute, or a model's .json file)"
        )
    try:
        home = import_module(module)
    except (Exception, SystemExit) as error:  # the module is the user's, and may raise anything
        kind = "" if isinstance(error, ImportError) else f"{type(error).__name__}: "
        raise RulesetError(f"ruleset {name!r}: cannot import {module!r}: {kind}{error}") from error
    try:
        found = getattr(home, attribute)
    except AttributeError:
        raise RulesetError(f"ruleset {name!r}: {module!r} has no {attribute!r}") from None
    found = _call(name, found) if callable(found) and not is_machine(found) else found
    if is_machine(found):
        return _from_machine(name, found, machines)
    from fsm.rulesets.table import Table

    found = found.build() if isinstance(found, Table) else found
    if not isinstance(found, Model):
        wanted = "a Model, a Table or a machine of the transitions library" if machines else "a Model or a Table"
        raise RulesetError(f"ruleset {name!r} is a {type(found).__name__}, but must be {wanted}")
    return found


def _from_machine(name: str, machine: transitions.Machine, machines: bool) -> Model:
    if not machines and not isinstance(getattr(machine, "definition", None), Model):
        raise RulesetError(
            f"ruleset {name!r} is a machine of the transitions library: it can be drawn, but this needs a Model or a "
            f"Table"
        )
    return model_of(machine)
