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


def words_of(**more: Any) -> Schema:
    """Return the schema of a list of words. One word stands for a list of it."""
    return {"type": ["array", "string"], "items": WORD, "minLength": 1, **more}


def listed(schema: Schema, value: Any) -> Any:
    """Return the list that one word stands for, if the schema is that of a list. Another value is
    returned as it is.
    """
    return [value] if isinstance(value, str) and "array" in schema.get("type", ()) else value


def object_of(required: tuple[str, ...], **properties: Schema) -> Schema:
    """Return the schema of an object that has these properties and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


WHERE = {"turn": FIRST, "step": WORD, "iteration": FIRST}
EVENT = object_of(("turn", "step"), **WHERE)
