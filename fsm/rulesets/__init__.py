"""The rulesets, by name: `names()` lists them, `load()` makes a Model of a specification.

A specification is a name ("magic"), a name with options ("magic?extra_draw_on_first_turn=false"),
`module:attribute`, or the path of a model's JSON file.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

from fsm.errors import ModelError, ModelFileError, RulesetError, suggest
from fsm.model import Model
from fsm.rulesets.table import Table

BUILT_IN: dict[str, str] = {"magic": "fsm.rulesets.magic"}
_WORDS: dict[str, object] = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def names() -> tuple[str, ...]:
    """The built-in rulesets."""
    return tuple(BUILT_IN)


def load(spec: str, options: Mapping[str, object] | None = None) -> Model:
    """The Model of a specification; `options` are added to those written in it.

    Raises RulesetError when there is no such ruleset or option, ModelError when the model is wrong.
    """
    name, _, query = spec.partition("?")
    wanted = {**_query(spec, query), **(options or {})}
    if name in BUILT_IN:
        _check_options(name, wanted)
        return _build(name, tuple(sorted(wanted.items())))
    model = _from_file(name) if _looks_like_file(name) else _from_module(name)
    if wanted:
        raise RulesetError(f"ruleset {name!r} has no options; leave out {', '.join(map(repr, wanted))}")
    return model


def option_names(name: str) -> Mapping[str, object]:
    """The options of a built-in ruleset, with their defaults."""
    parameters = inspect.signature(_table(name)).parameters.values()
    return {p.name: p.default for p in parameters}


def option_values(name: str) -> Mapping[str, tuple[object, ...]]:
    """What each option of a built-in ruleset may be, the default first: true and false, or words."""
    defaults = option_names(name)
    hints = get_type_hints(_table(name))
    values = {option: get_args(hints[option]) or (True, False) for option in defaults}
    return {option: (defaults[option], *(v for v in values[option] if v != defaults[option])) for option in defaults}


def _check_options(name: str, options: Mapping[str, object]) -> None:
    known = option_values(name)
    for option, value in options.items():
        if option not in known:
            raise RulesetError(f"option {option!r} is not in {name}{suggest(option, known)}")
        if not any(value is right or (isinstance(value, str) and value == right) for right in known[option]):
            raise RulesetError(f"option {option!r} of {name} is {value!r}, but must be {_either(known[option])}")


@lru_cache(maxsize=64)
def _build(name: str, options: tuple[tuple[str, object], ...]) -> Model:
    return _table(name)(**dict(options)).build()


def _call(name: str, factory: Callable[..., object]) -> object:
    try:
        inspect.signature(factory).bind()
    except (TypeError, ValueError):
        raise RulesetError(f"ruleset {name!r} cannot be called without arguments") from None
    return factory()


def _either(values: tuple[object, ...]) -> str:
    return "true or false" if True in values else " or ".join(map(repr, values))


def _table(name: str) -> Callable[..., Table]:
    factory: Callable[..., Table] = import_module(BUILT_IN[name]).table
    return factory


def _query(spec: str, query: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for part in query.split("&") if query else []:
        option, equals, value = part.partition("=")
        if not equals:
            raise RulesetError(f"ruleset {spec!r}: write each option as name=value, not {part!r}")
        found[option] = _WORDS.get(value.lower(), value)
    return found


def _looks_like_file(name: str) -> bool:
    return name.endswith(".json") or "/" in name


def _from_file(name: str) -> Model:
    try:
        data = json.loads(Path(name).read_text(encoding="utf-8"))
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


def _from_module(name: str) -> Model:
    module, colon, attribute = name.partition(":")
    if not colon:
        raise RulesetError(
            f"ruleset {name!r} is unknown{suggest(name, BUILT_IN)} (or name module:attribute, or a model's .json file)"
        )
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, ValueError, TypeError) as error:
        raise RulesetError(f"ruleset {name!r}: cannot import {module!r}: {error}") from None
    except AttributeError:
        raise RulesetError(f"ruleset {name!r}: {module!r} has no {attribute!r}") from None
    found = _call(name, found) if callable(found) else found
    found = found.build() if isinstance(found, Table) else found
    if not isinstance(found, Model):
        raise RulesetError(f"ruleset {name!r} is a {type(found).__name__}, but must be a Model or a Table")
    return found
