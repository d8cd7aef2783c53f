"""Small JSON Schemas of which those of verbs and checks are made."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
MOST = 1000

WORD: Schema = {"type": "string", "minLength": 1}
COUNT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST}
FIRST: Schema = {"type": "integer", "minimum": 1}
NUMBER: Schema = {"type": "integer", "minimum": 0}
FLAG: Schema = {"type": "boolean"}


def list_of(of: Schema, **more: Any) -> Schema:
    """Return the schema of a list of these."""
    return {"type": "array", "items": of, **more}


def object_of(required: tuple[str, ...], **properties: Schema) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


WHERE = {"turn": FIRST, "step": WORD, "iteration": FIRST}
EVENT = object_of(("turn", "step"), **WHERE)
