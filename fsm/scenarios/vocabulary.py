"""The words of scenarios for documents and editors: the JSON Schema of scenario files, and what a
Model refuses. `fsm/schemas/scenario.schema.json` is a copy of the schema.
"""

from __future__ import annotations

from typing import Any

import msgspec

from fsm.model import Model
from fsm.scenarios.expect import CHECKS, Entry
from fsm.scenarios.game import VERBS
from fsm.scenarios.reading import Header
from fsm.scenarios.verbs import VerbRow
from fsm.scenarios.words import words_of
from fsm.schemas import IDS, SAID
from fsm.wording import lower_first


def meaning_of(row: VerbRow) -> str:
    """Return what a verb does, as a clause: the beginning of the documentation of its class."""
    text = (row.kind.__doc__ or "").partition("\n\n")[0]
    return lower_first(" ".join(text.split())).removesuffix(".")


def refused(model: Model) -> dict[str, str]:
    """Return the verbs and expectations that a Model does not know, with the reasons."""
    words = words_of(model)
    found = {name: words.lacks(row.need) for name, row in VERBS.items()}
    found |= {name: words.lacks(check.needs) for name, check in CHECKS.items()}
    return {name: why for name, why in found.items() if why}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of scenario files as plain JSON values."""
    shapes = [*(row.shape for row in VERBS.values()), Entry, Header]
    _, parts = msgspec.json.schema_components(shapes, ref_template="#/$defs/{name}")
    for part in parts.values():
        if "then" in part.get("properties", {}):
            part["properties"]["then"]["items"] = {"$ref": "#/$defs/given"}
    parts["expect"]["dependentRequired"] = {
        name: list(check.beside) for name, check in CHECKS.items() if check.beside
    }
    scenario = parts["scenario"] = parts.pop("Header")
    parts["given"] = {"anyOf": [{"$ref": f"#/$defs/{name}"} for name in VERBS]}
    for name in ("given", "expect"):
        scenario["properties"][name]["items"] = {"$ref": f"#/$defs/{name}"}
    scenario["properties"]["$schema"] = SAID
    one = {"$ref": "#/$defs/scenario"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDS["scenario"],
        "title": "A scenario of a game's turn flow, or a list of scenarios",
        "if": {"type": "array"},
        "then": {"type": "array", "items": one},
        "else": one,
        "$defs": parts,
    }
