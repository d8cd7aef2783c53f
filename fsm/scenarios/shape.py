"""Checks the shape of a scenario with the schema, and explains the first error in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from fsm.errors import ScenarioError, suggest

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError

_TYPES = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
}


def check_shape(data: object, place: str) -> None:
    """Raise ScenarioError for the first thing in one scenario that the schema refuses."""
    try:
        errors = sorted(
            _validator().iter_errors(data), key=lambda e: [str(p).zfill(6) for p in e.absolute_path]
        )
    except RecursionError:
        raise ScenarioError(f"{place}: the values are nested too deeply to be a scenario") from None
    if errors:
        raise ScenarioError(
            f"{place}: {sentence(errors[0])}", place=pointer(errors[0].absolute_path)
        )


def forget_words() -> None:
    """Read the words anew, because one was added."""
    _validator.cache_clear()


@cache
def _validator() -> Draft202012Validator:
    from jsonschema import Draft202012Validator

    from fsm.scenarios.schema import build

    schema = build()
    return Draft202012Validator({"$ref": "#/$defs/scenario", "$defs": schema["$defs"]})


def pointer(path: Iterable[str | int]) -> str:
    """Return the path in the scenario, like "given[2].when.step", or "" for the scenario itself."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.lstrip(".")


def show(value: object) -> str:
    """Return a value as an error shows it, shortened."""
    text = (
        {True: "true", False: "false", None: "null"}.get(value)
        if isinstance(value, bool | None)
        else repr(value)
    )
    text = text or "null"
    return text if len(text) <= 60 else f"{text[:57]}..."


def sentence(error: ValidationError) -> str:
    """Explain an error: what is wrong, where, and the remedy."""
    where = pointer(error.absolute_path)
    say = _SAY.get(str(error.validator))
    text = say(error) if say else error.message
    return f"{where}: {text}" if where else text


def _type(error: ValidationError) -> str:
    wanted: Any = error.validator_value
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    return f"{show(error.instance)} is not {' or '.join(_TYPES[name] for name in names)}"


def _enum(error: ValidationError) -> str:
    words: Any = error.validator_value
    what = "verb " if error.absolute_path and error.absolute_path[-1] == "do" else ""
    return f"{what}{show(error.instance)} is unknown{suggest(error.instance, words, limit=40)}"


def _required(error: ValidationError) -> str:
    instance: Any = error.instance
    wanted: Any = error.validator_value
    missing = [name for name in wanted if name not in instance]
    return f"{_owner(instance)} needs {_and(missing)}"


def _additional(error: ValidationError) -> str:
    instance: Any = error.instance
    schema: Any = error.schema
    known = list(schema["properties"])
    wrong = next(name for name in instance if name not in known)
    of = f"of {_owner(instance)}" if "do" in instance else "known here"
    return f"{show(wrong)} is not {'a field ' if 'do' in instance else ''}{of}{suggest(wrong, known, limit=30)}"


def _dependent(error: ValidationError) -> str:
    instance: Any = error.instance
    wanted: Any = error.validator_value
    name, needs = next(
        (n, [k for k in ks if k not in instance])
        for n, ks in wanted.items()
        if n in instance and set(ks) - set(instance)
    )
    return f"{show(name)} needs {_and(needs)} beside it"


def _owner(instance: Any) -> str:
    return (
        str(instance["do"])
        if isinstance(instance, dict) and isinstance(instance.get("do"), str)
        else "this"
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(repr(name) for name in names)


_SAY: dict[str, Callable[[ValidationError], str]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda e: f"{show(e.instance)} should be {show(e.validator_value)}",
    "required": _required,
    "additionalProperties": _additional,
    "dependentRequired": _dependent,
    "minimum": lambda e: f"{show(e.instance)} is too small; at least {e.validator_value}",
    "maximum": lambda e: f"{show(e.instance)} is too large; at most {e.validator_value}",
    "minItems": lambda e: "the list is empty; name at least one",
    "maxItems": lambda e: f"the list is too long; at most {e.validator_value}",
    "minLength": lambda e: "the text is empty",
    "minProperties": lambda e: "the object is empty; name at least one",
    "uniqueItems": lambda e: f"a name is there twice in {show(e.instance)}; names are unique",
}
