"""The schemas of models, and of the wire format: of requests, answers and snapshots."""

from __future__ import annotations

import inspect
import re
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec.structs import fields

from fsm import Answer, Over, Request, Result
from fsm.engine.snapshot import Saved
from fsm.model import Model
from fsm.scenarios.reading import SAID

REQUESTS: tuple[Any, ...] = (*get_args(Request), Over)
ERROR = {
    "type": "object",
    "description": "What was sent was refused; the request stands as it was.",
    "properties": {"is": {"type": "string", "pattern": "Error$"}, "text": {"type": "string"}},
    "required": ["is", "text"],
}


def model_schema() -> dict[str, Any]:
    """Return the JSON Schema of model files."""
    made = msgspec.json.schema(Model, schema_hook=lambda kind: {"type": "string"})
    for part in made["$defs"].values():
        part["description"] = " ".join(part["description"].partition("\n\n")[0].split())
    model = made["$defs"]["Model"]
    model["properties"] = {"$schema": SAID, **model["properties"]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:turn-fsm:model-1", **made}


def wire_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of requests, answers, results, errors and snapshots."""
    kinds = [*map(_asked, REQUESTS), _answered(), Result, Saved]
    _, parts = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    for shape in parts.values():
        _explain(shape)
    parts["Saved"]["properties"]["checksum"] = {"type": "string"}
    parts["Saved"]["required"].append("checksum")
    said = [*(kind.__name__ for kind in kinds), "error"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:turn-fsm:wire-1",
        "title": "What a turn controller and its players say to one another",
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in said],
        "$defs": {**parts, "error": ERROR},
    }


def _asked(kind: Any) -> Any:
    """Return a request as it is written: every field, and the facts by name."""
    hints = get_type_hints(kind)
    told = [(field.name, hints[field.name]) for field in fields(kind) if field.name != "quietly"]
    return _written(kind, [*told, ("facts", tuple[str, ...])])


def _answered() -> Any:
    """Return an answer as it is written: what is as usual is left out."""
    hints = get_type_hints(Answer)
    usual: dict[str, Any] = {"facts": msgspec.field(default_factory=dict)}
    told = [
        (field.name, hints[field.name], usual.get(field.name, field.default))
        for field in fields(Answer)
    ]
    return _written(Answer, told)


def _written(kind: Any, told: list[Any]) -> Any:
    namespace = {"__doc__": kind.__doc__}
    return msgspec.defstruct(
        kind.__name__, told, namespace=namespace, tag_field="is", forbid_unknown_fields=True
    )


def _explain(shape: dict[str, Any]) -> None:
    """Write what the docstring of a class says of each field at that field."""
    text = inspect.cleandoc(shape.get("description", ""))
    about, *sections = re.split(r"\n\n(?:Parameters|Attributes)\n", text)
    shape["description"] = " ".join(about.split())
    for name, text in re.findall(r"^(\w+)\n((?: {4}.*\n?)+)", "\n".join(sections), re.M):
        if name in shape["properties"]:
            shape["properties"][name]["description"] = " ".join(text.split())
