"""What values are refused for: wrong types, unknown names, and names that a file could not hold.

A wrong value is refused before it is played, saved or written, since it could not be read back.
msgspec checks what comes from files. It does not look at what is made in Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, cycle
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from fsm.errors import shown, suggest

if TYPE_CHECKING:
    from fsm.model.model import Model

KINDS = ("states", "facts", "events", "transitions", "durations", "settings", "roles")
"""The parts of a Model, which have unique names."""
Wrong: TypeAlias = tuple[str, object, Any]
"""A place, the value there, and the type that it is not of."""
_SURROGATE = re.compile("[\ud800-\udfff]")
"""What no file can hold."""
_PACKAGES = re.compile(r"(\w+\.)+(?=\w)")
_hints = cache(get_type_hints)


def misfit(value: object) -> str:
    """Return what is wrong with the first field whose value is not of its type, or "" if all values
    fit.

    Fields of types other than strings, numbers, literals, unions, tuples, dictionaries and classes
    may have any value.

    Parameters
    ----------
    value
        An instance of a dataclass or Struct.
    """
    kind: Any = type(value)
    for name, hint in _hints(kind).items():
        given = getattr(value, name)
        if hint is str and isinstance(given, str) and given.isascii():
            continue  # as most are in a large model
        place, held, right = _wrong(f"{kind.__name__}.{name}", given, hint) or ("", "", "")
        if place:
            broken = isinstance(held, str) and _SURROGATE.search(held)
            words = "text without lone surrogates" if broken else _words(right)
            return f"{place} must be {words}, not {shown(held)}"
    return ""


def _words(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return " or ".join(map(repr, get_args(hint)))
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint))).replace("NoneType", "None")
    return hint.__name__ if isinstance(hint, type) else _PACKAGES.sub("", repr(hint))


def _wrong(place: str, value: Any, hint: Any) -> Wrong | None:
    """Return the first value that is not of its type, if there is one."""
    kind, args = _parts(hint)
    if kind in (Union, UnionType):
        wrong = [_wrong(place, value, arg) for arg in args]
        deeper = [found for found in wrong if found is not None and found[0] != place]
        return None if None in wrong else [*deeper, (place, value, hint)][0]
    if not _fits(value, kind, args):
        return place, value, hint
    inside = value if kind is tuple else chain(*value.items()) if kind is dict else ()
    for number, (part, of) in enumerate(zip(inside, cycle(args), strict=False)):
        found = _wrong(f"{place}[{number}]", part, of)
        if found is not None:
            return found
    return None


@cache  # a large model has half a million values
def _parts(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(hint) or hint, tuple(arg for arg in get_args(hint) if arg is not Ellipsis)


def _fits(value: Any, kind: Any, words: tuple[Any, ...]) -> bool:
    if kind is Literal:
        return value in words
    if isinstance(value, str) and _SURROGATE.search(value):
        return False
    return not isinstance(kind, type) or (
        isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    )


def problems_of(model: Model) -> Iterator[str]:
    """Yield what is wrong with a model: with a part before what needs the part."""
    if wrong := misfit(model):
        yield wrong
    for kind in KINDS:
        yield from _wrong_parts(kind.removesuffix("s"), getattr(model, kind))
    yield from _unknown_names(model)
    yield from _circles(model)


def _wrong_parts(what: str, parts: Iterable[Any]) -> Iterator[str]:
    """Yield parts with wrong values, and with names that are there twice, or could not be read back
    from a file.
    """
    known = set[str]()
    for part in parts:
        if wrong := misfit(part):
            yield f"{shown(part, limit=120)}: {wrong}"
        name = part.id if hasattr(part, "id") else part.name
        if not name:
            yield f"one {what} has no name"
        elif name != name.strip():
            yield f"{what} {name!r} has spaces or line ends around its name; leave them out"
        elif name in known:
            yield f"{what} {name!r} is there twice; names are unique"
        elif what == "fact" and name.startswith("not "):
            yield f"fact {name!r} reads like a negation; choose another name"
        known.add(name)


def _unknown_names(model: Model) -> Iterator[str]:
    """Yield the names that a model, a state or a transition says and that are not there."""
    leaves = {state.id for state in model.leaves}
    states = {state.id for state in model.states}
    known = {
        "state": states,
        "stage": leaves,
        "turn, phase or step": {"", *states - leaves},
        "state of the window": {"", *(state.id for state in getattr(model.window, "states", ()))},
        "fact": {fact.name for fact in model.facts},
        "event": {event.name for event in model.events},
    }
    said = [("initial", "state", model.initial)]
    for state in model.states:
        where = f"state {state.id!r}"
        said += [(where, "fact", fact) for fact in state.tells]
        said += [(where, "turn, phase or step", state.parent)]
        said += [(where, "state of the window", state.enters)]
    for row in model.transitions:
        where = f"transition {row.id!r}"
        said += [(where, "fact", term.fact) for term in row.guard]
        said += [(where, "state", row.source), (where, "event", row.event)]
        said += [(where, "stage", row.target)] if row.target is not None else ()
    for where, kind, name in said:
        if name not in known[kind]:
            yield f"{where}: {kind} {shown(name)} is unknown{suggest(name, known[kind])}"


def _circles(model: Model) -> Iterator[str]:
    """Yield states that contain themselves."""
    parents = {state.id: state.parent for state in model.states if state.composite}
    for id, above in parents.items():
        for _ in parents:
            above = parents.get(above, "")
        if above:
            yield f"state {id!r} contains itself; parents must form a tree"
