"""The options of a ruleset: the keywords of its function `table`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, ModuleType
from typing import get_args, get_type_hints

from fsm.errors import RulesetError

BOOLEAN_WORDS: dict[str, object] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}


@dataclass(frozen=True, slots=True)
class RulesetOption:
    """An option of a ruleset.

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
def options_of(ruleset: ModuleType) -> Mapping[str, RulesetOption]:
    """Return the options of a ruleset's module, by name.

    The docstring of `table` says what each means, as "name: meaning".
    """
    hints, docs = get_type_hints(ruleset.table), _docs_of(ruleset)
    found = {}
    for name, parameter in inspect.signature(ruleset.table).parameters.items():
        default = parameter.default
        values = (True, False) if hints[name] is bool else get_args(hints[name])
        found[name] = RulesetOption(default, tuple(dict.fromkeys((default, *values))), docs[name])
    return MappingProxyType(found)


def _docs_of(ruleset: ModuleType) -> Mapping[str, str]:
    text = inspect.getdoc(ruleset.table) or ""
    found = re.findall(r"^(\w+): (.*(?:\n[ ]+.*)*)", text, flags=re.M)
    return {name: " ".join(meaning.split()) for name, meaning in found}


def check_options(name: str, ruleset: ModuleType, options: Mapping[str, object]) -> None:
    """Check the options for a ruleset.

    Raises
    ------
    RulesetError
        If the ruleset called `name` does not have an option, or if a value is not allowed.
    """
    known = options_of(ruleset)
    for option, value in options.items():
        if option not in known:
            raise RulesetError(
                f"option {option!r} is not in {name}",
                place=f"options.{option}",
                kind="unknown-option",
                found=option,
                known=known,
            )
        if not _fits(value, known[option].values):
            right = _either(known[option].values)
            text = f"option {option!r} of {name} is {value!r}, but must be {right}"
            place = f"options.{option}"
            raise RulesetError(text, place=place, kind="wrong-option", found=value)


def parse_options(spec: str, query: str) -> dict[str, object]:
    """Return the options that are written behind a name, for instance "a=true&b=2006-10".

    Raises
    ------
    RulesetError
        If a part is not name=value, or if an option is given twice.
    """
    found: dict[str, object] = {}
    for part in query.split("&") if query else []:
        option, equals, value = part.partition("=")
        if not equals:
            raise RulesetError(f"ruleset {spec!r}: write each option as name=value, not {part!r}")
        if option in found:
            raise RulesetError(f"ruleset {spec!r}: option {option!r} is given twice; give it once")
        found[option] = BOOLEAN_WORDS.get(value.lower(), value)
    return found


def _fits(value: object, values: tuple[object, ...]) -> bool:
    return any(type(value) is type(right) and value == right for right in values)


def _either(values: tuple[object, ...]) -> str:
    if type(values[0]) is bool:
        return "true or false"
    return " or ".join(map(repr, values))
