"""How a Model travels to another process: a built-in one by its name and options, any other by its
JSON form.

A process that gets the same Model several times makes it once. The names of the two functions that
make one are in pickles, so they stay.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from fsm.errors import ModelError, RulesetError
from fsm.model.elements import Parts
from fsm.model.jsonform import dump, fingerprint, load

_M = TypeVar("_M", bound=Parts)
_travelled: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""The Models that came or went by their JSON form, by fingerprint."""
_made = deque[Any](maxlen=8)
"""The last ones that were made here. They are kept, because a pool sends the same one with each
piece of work.
"""


def reduced(model: Any) -> tuple[Callable[..., Any], tuple[object, ...]]:
    """Return what `Model.__reduce__` does."""
    options = _built_in_options(model)
    if options is not None:
        return by_name, (model.name, options, model.fingerprint)
    _travelled.setdefault(model.fingerprint, model)
    return by_value, (type(model), dump(model), model.fingerprint)


def _built_in_options(model: Any) -> dict[str, object] | None:
    """Return the options with which a built-in ruleset makes the same Model, or None if none does."""
    from fsm.rulesets import built_in  # who pickles no Model does without rulesets

    try:
        found = built_in(model.name, dict(model.options))
    except RulesetError:  # a Model of one's own, named as a built-in one
        return None
    return (
        dict(found[1]) if found is not None and found[0].fingerprint == model.fingerprint else None
    )


def by_name(name: str, options: Mapping[str, object], expected: str) -> object:
    """Return the built-in Model that was pickled.

    Raises
    ------
    ModelError
        If it is another one here.
    """
    from fsm.rulesets import built_in

    found: Any = built_in(name, options)
    return _same(found and found[0], name, found[0].fingerprint if found else "", expected)


def by_value(kind: type[_M], data: Mapping[str, object], expected: str) -> _M:
    """Return the Model of one's own that was pickled.

    Raises
    ------
    ModelError
        If it cannot be made here, or is another one.
    """
    found = _travelled.get(expected)
    if found is None:
        made = load(data, kind)
        found = _travelled.setdefault(expected, _same(made, made.name, fingerprint(made), expected))
        _made.append(found)
    return found  # type: ignore[no-any-return]


def _same(model: _M, name: str, found: str, expected: str) -> _M:
    if found == expected:
        return model
    here = f"here it is {found}" if found else "here there is none of this name"
    raise ModelError(
        f"the pickled model {name!r} has the fingerprint {expected}, and {here}: let both processes use the same "
        f"version of turn-fsm",
        kind="other-fingerprint",
        found=found,
    )
