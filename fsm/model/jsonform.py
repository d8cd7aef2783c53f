"""Models as plain JSON values, and back. `fsm/schemas/model.schema.json` is the published schema."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

from fsm.errors import ModelError, ModelFileError
from fsm.model.elements import (
    Action,
    Duration,
    Event,
    Fact,
    Parts,
    Setting,
    State,
    Term,
    Transition,
)
from fsm.model.schema import check_model

_M = TypeVar("_M", bound=Parts)
FORMAT = "fsm-model-1"
_PARTS: dict[str, type] = {
    "events": Event,
    "facts": Fact,
    "states": State,
    "transitions": Transition,
    "durations": Duration,
    "settings": Setting,
}
TEXTS = frozenset({"rule", "doc", "label", "about", "says", "denies"})
"""The fields of parts that only people read: citations, documentation, labels and plain words."""
_WRITE: dict[str, Callable[[Any], object]] = {
    "guard": lambda terms: [str(term) for term in terms],
    "actions": lambda actions: [str(action) for action in actions],
    "test": list,
    "tells": list,
}
_READ: dict[str, Callable[[Any], object]] = {
    "guard": lambda terms: tuple(map(Term.parse, terms)),
    "actions": lambda actions: tuple(map(Action.parse, actions)),
    "test": tuple,
    "tells": tuple,
}


def dump(model: Parts) -> dict[str, object]:
    """Return the model as plain JSON values. Fields of its parts that have their default are left
    out.
    """
    data: dict[str, object] = {
        "format": FORMAT,
        "name": model.name,
        "title": model.title,
        "edition": model.edition,
        "options": dict(model.options),
        "initial": model.initial,
    }
    if model.rulebook:
        data["rulebook"] = model.rulebook
    for key in _PARTS:
        data[key] = [_part(part) for part in getattr(model, key)]
    data["window"] = dump(model.window) if model.window else None
    return data


def load(data: object, make: type[_M], place: str = "model") -> _M:
    """Return the model that plain JSON values describe.

    Parameters
    ----------
    data
        What `dump` returned.
    make
        The class of the model.
    place
        What messages call the data.

    Raises
    ------
    ModelFileError
        If the data does not describe a model. The message names the wrong place.
    """
    _check_shape(data, place)
    assert isinstance(data, Mapping)
    window = data.get("window")
    try:
        parts = {
            key: tuple(kind(**_read(part)) for part in data.get(key, ()))
            for key, kind in _PARTS.items()
        }
        return make(
            name=data["name"],
            initial=data["initial"],
            title=data.get("title", ""),
            edition=data.get("edition", ""),
            rulebook=data.get("rulebook", ""),
            options=tuple(data.get("options", {}).items()),
            window=load(window, make, f"{place}.window") if window else None,
            **parts,
        )
    except ModelFileError:
        raise
    except ModelError as error:
        raise ModelFileError(f"{place}: {error}") from None
    except (
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
    ) as error:  # where there is no schema to check against
        raise ModelFileError(f"{place}: not a model file: {error!r}") from error


def fingerprints(model: Parts) -> Mapping[str, str]:
    """Return a short fingerprint of each kind of part, and of the window. They show in what two
    models differ.
    """
    parts = {key: value for key, value in dump(model).items() if key in (*_PARTS, "window")}
    return {key: _hash(value)[:4] for key, value in parts.items()}


def fingerprint(model: Parts) -> str:
    """Return sixteen hex digits over everything in the model: the SHA-256 hash of its JSON,
    shortened.
    """
    return _hash(dump(model))[:16]


def behaviour_fingerprint(model: Parts) -> str:
    """Return sixteen hex digits over all but citations, texts, and what the model and its edition
    are called.
    """
    return _hash(_behaviour(model))[:16]


def _behaviour(model: Parts) -> dict[str, object]:
    data: dict[str, object] = {"initial": model.initial}
    for key in _PARTS:
        written = map(_part, getattr(model, key))
        data[key] = [
            {name: value for name, value in part.items() if name not in TEXTS} for part in written
        ]
    data["window"] = _behaviour(model.window) if model.window else None
    return data


def _hash(value: object) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _part(part: Any) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, default, write in _written(part.__class__):
        value = getattr(part, name)
        if value != default:
            found[name] = value if write is None else write(value)
    return found


@cache
def _written(kind: Any) -> tuple[tuple[str, object, Callable[[Any], object] | None], ...]:
    """Return the fields of a kind of part, with their defaults and with what writes them."""
    return tuple((field.name, field.default, _WRITE.get(field.name)) for field in fields(kind))


def _read(part: Mapping[str, object]) -> dict[str, Any]:
    return {key: _READ[key](value) if key in _READ else value for key, value in part.items()}


def _check_shape(data: object, place: str) -> None:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
        raise ModelFileError(
            f'{place}: not a model file of this version: "format" must be {FORMAT!r}, not {found!r}'
        )
    check_model(data, place)
