"""The schema of the wire format, made from the classes of requests, answers and snapshots."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from fsm import Result
from fsm.engine.requests import ANSWER_PARTS
from fsm.engine.snapshot import FORMAT, LEFT_OUT, NAMES, PARTS
from fsm.hosts import Position
from fsm.hosts.wire import REQUESTS
from fsm.schemas import IDS

ERROR = {
    "type": "object",
    "description": "What was sent was refused; the request stands as it was.",
    "properties": {"is": {"const": "error"}, "error": {"type": "string"}, "message": {"type": "string"}},
    "required": ["is", "error", "message"],
    "additionalProperties": False,
}
SNAPSHOT = {
    "type": "object",
    "description": (
        "A game at a point where it waits. What is as at the start of a game is left out. The model's name is compared "
        "with that of the model at hand; nothing is loaded by it."
    ),
    "properties": {
        "format": {"const": FORMAT},
        **{name: {"type": "string"} for name in (*NAMES, "checksum")},
        "head": {"$ref": "#/$defs/GameHeader"},
        "run": {"$ref": "#/$defs/Run"},
    },
    "required": ["format", *(name for name in NAMES if name != "behaviour"), "checksum", "head", "run"],
    "additionalProperties": False,
}


def wire_schema() -> dict[str, object]:
    """Return the JSON Schema (2020-12) of requests, answers, results, errors and snapshots."""
    known = dict.fromkeys((*REQUESTS, Position, *ANSWER_PARTS, Result, *PARTS))
    said = ["Answer", *(kind.__name__ for kind in REQUESTS), "Result", "error", "snapshot"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDS["wire"],
        "title": "What a turn controller and its players say to one another",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in said],
        "$defs": {**{kind.__name__: _class(kind) for kind in known}, "error": ERROR, "snapshot": SNAPSHOT},
    }


def _class(kind: type) -> dict[str, object]:
    hints, (about, meanings) = get_type_hints(kind), _explained(kind)
    told: dict[str, object] = {"is": {"const": kind.__name__}}
    written = [field for field in fields(kind) if field.compare and field.name not in LEFT_OUT.get(kind, ())]
    told |= {field.name: _field(field, hints[field.name], meanings.get(field.name, "")) for field in written}
    needed = ["is", *(f.name for f in written if f.default is MISSING and f.default_factory is MISSING)]
    shape = {"type": "object", "description": about, "properties": told, "required": needed}
    return {**shape, "additionalProperties": False}


def _explained(kind: type) -> tuple[str, dict[str, str]]:
    """Return what the docstring of a class says of it, and what it and those of its bases say of
    each field.
    """
    about, meanings = "", dict[str, str]()
    for each in reversed(kind.__mro__):
        about, *sections = re.split(r"\n\n(?:Parameters|Attributes)\n", inspect.cleandoc(each.__doc__ or ""))
        fields_of = "\n".join(sections)
        found = re.findall(r"^(\w+)\n((?: {4}.*\n?)+)", fields_of, re.M)
        meanings |= {name: " ".join(text.split()) for name, text in found}
    return " ".join(about.split()), meanings


def _field(field: Field[Any], hint: Any, meaning: str) -> dict[str, object]:
    plain = isinstance(field.default, (str, int, bool))
    default = {"default": field.default} if plain and field.default is not MISSING else {}
    return {**_type(hint), **({"description": meaning} if meaning else {}), **default}


def _type(hint: Any) -> dict[str, object]:
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return {"anyOf": [_type(one) for one in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin in (tuple, frozenset):
        return {"type": "array", "items": _type(args[0])}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _type(args[1])}
    simple = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
    return {"type": simple[hint]} if hint in simple else {"$ref": f"#/$defs/{hint.__name__}"}
