"""The options of a ruleset: the keywords of its function `table`, or the fields of its class
`Options` if any.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType, ModuleType
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from fsm.errors import RulesetError

if TYPE_CHECKING:
    from fsm.rulesets.frame.table import Table

BOOLEAN_WORDS: dict[str, object] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}


def table_of(ruleset: ModuleType, options: Mapping[str, object]) -> Table:
    """Return the table of a ruleset's module with these options, which have been checked."""
    made: Table = (
        ruleset.table(ruleset.Options(**options))
        if hasattr(ruleset, "Options")
        else ruleset.table(**options)
    )
    return made


@dataclass(frozen=True, slots=True)
class RulesetOption:
    """An option of a ruleset.

    Attributes
    ----------
    default
        Its value if it is not given.
    values
        The values that it can have, the default first. If the default is a number, any number from
        1 on is allowed.
    doc
        What it means.
    """

    default: object
    values: tuple[object, ...]
    doc: str = ""


@cache
def options_of(ruleset: ModuleType) -> Mapping[str, RulesetOption]:
    """Return the options of a ruleset's module, by name.

    The docstring of `table` or `Options` says what each means, as "name: meaning" or "name, name:
    meaning".
    """
    own = {
        p.name: p.default for p in inspect.signature(_options_callable(ruleset)).parameters.values()
    }
    hints = get_type_hints(_options_callable(ruleset))
    docs = _docs_of(ruleset)
    found = {
        name: RulesetOption(
            default, tuple(dict.fromkeys((default, *_all(hints[name])))), docs.get(name, "")
        )
        for name, default in own.items()
    }
    return MappingProxyType(found)


def _docs_of(ruleset: ModuleType) -> Mapping[str, str]:
    text = inspect.getdoc(_options_callable(ruleset)) or ""
    found = re.findall(r"^(\w+(?:, \w+)*): (.*(?:\n[ ]+.*)*)", text, flags=re.M)
    return {
        name: " ".join(meaning.split()) for names, meaning in found for name in names.split(", ")
    }


def without_settled(
    name: str, ruleset: ModuleType, options: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the options without those that a ruleset no longer has, because their question is
    settled.

    A DeprecationWarning names each that is left out.

    Raises
    ------
    RulesetError
        If such an option has a value other than the one that turned out right.
    """
    settled: Mapping[str, tuple[object, str]] = getattr(ruleset, "SETTLED", {})
    for option in (one for one in options if one in settled):
        right, why = settled[option]
        if options[option] != right:
            text = f"option {option!r} of {name} is gone, for its question is settled: {why}; leave it out"
            raise RulesetError(text, option=option, kind="wrong-option", found=options[option])
        text = f"option {option!r} of {name} is gone, for its question is settled: leave it out; it goes with version 1.0"
        warnings.warn(text, DeprecationWarning, stacklevel=4)
    return {option: value for option, value in options.items() if option not in settled}


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
                option=option,
                kind="unknown-option",
                found=option,
                known=known,
            )
        if not _fits(value, known[option].values):
            text = f"option {option!r} of {name} is {value!r}, but must be {_either(known[option].values)}"
            raise RulesetError(text, option=option, kind="wrong-option", found=value)


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
        found[option] = (
            int(value)
            if value.isascii() and value.isdigit()
            else BOOLEAN_WORDS.get(value.lower(), value)
        )
    return found


def _options_callable(ruleset: ModuleType) -> Callable[..., Any]:
    taker: Callable[..., Any] = getattr(ruleset, "Options", ruleset.table)
    return taker


def _all(hint: object) -> tuple[object, ...]:
    return (True, False) if hint is bool else get_args(hint)


def _fits(value: object, values: tuple[object, ...]) -> bool:
    if type(values[0]) is int:
        return type(value) is int and value > 0
    return any(type(value) is type(right) and value == right for right in values)


def _either(values: tuple[object, ...]) -> str:
    if type(values[0]) is int:
        return f"a number from 1 on, such as {values[0]}"
    if type(values[0]) is bool:
        return "true or false"
    return " or ".join(
        str(value).lower() if type(value) is bool else repr(value) for value in values
    )
