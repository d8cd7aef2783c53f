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
    hints, text = get_type_hints(ruleset.table), inspect.getdoc(ruleset.table) or ""
    docs = dict(re.findall(r"^(\w+): (.*(?:\n[ ]+.*)*)", text, flags=re.M))
    found = {}
    for name, parameter in inspect.signature(ruleset.table).parameters.items():
        default = parameter.default
        values = dict.fromkeys((default, *(get_args(hints[name]) or (not default,))))
        found[name] = RulesetOption(default, tuple(values), " ".join(docs[name].split()))
    return MappingProxyType(found)


def check_options(name: str, ruleset: ModuleType, options: Mapping[str, object]) -> None:
    """Check the options for a ruleset.

    Raises
    ------
    RulesetError
        If the ruleset called `name` does not have an option, or if a value is not allowed.
    """
    known = options_of(ruleset)
    for option, value in options.items():
        place = f"options.{option}"
        if option not in known:
            text = f"option {option!r} is not in {name}"
            raise RulesetError(text, place=place, kind="unknown-option", found=option, known=known)
        values = known[option].values
        if not isinstance(value, type(values[0])) or value not in values:
            right = " or ".join(map(repr, values)) if True not in values else "true or false"
            text = f"option {option!r} of {name} is {value!r}, but must be {right}"
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
