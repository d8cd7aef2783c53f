"""The words of scenarios for documents and editors: the JSON Schema of scenario files, and what a
Model refuses. `fsm/schemas/scenario.schema.json` is a copy of the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT

from fsm.errors import OrderError
from fsm.model import Model
from fsm.scenarios.expect import CHECKS, CONTEXT
from fsm.scenarios.game import VERBS
from fsm.scenarios.reading import Common, Header
from fsm.scenarios.scenario import When
from fsm.scenarios.verbs import Field, Verb, VerbRow, fields_of
from fsm.scenarios.words import words_of
from fsm.schemas import IDS, SAID
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import Appoint
from fsm.state.scheduling import Scheduler, names_of
from fsm.state.setup import first_run
from fsm.wording import lower_first

Schema = dict[str, Any]
_CONTEXT = {name: Field(name, kind, None) for name, kind in CONTEXT.items()}
_CHECKS = {name: Field(name, check.kind, None) for name, check in CHECKS.items()}
_REF = "#/$defs/{name}"


def meaning_of(row: VerbRow) -> str:
    """Return what a verb does, as a clause: the beginning of the documentation of its class."""
    text = (row.kind.__doc__ or "").partition("\n\n")[0]
    return lower_first(" ".join(text.split())).removesuffix(".")


def refused(model: Model) -> dict[str, str]:
    """Return the verbs and expectations that a Model does not know, with the reasons."""
    words, found = words_of(model), dict[str, str]()
    for name, row in VERBS.items():
        found[name] = words.lacks(row.needs.get("", "")) or _tried(model, row)
    for name, check in CHECKS.items():
        found[name] = found.get(name, "") or words.lacks(check.needs)
    return {name: why for name, why in found.items() if why}


def _tried(model: Model, row: VerbRow) -> str:
    """Return why the Model refuses an order with words that it knows, or "" if it does not."""
    if issubclass(row.kind, Verb) or row.kind is Appoint:
        return ""
    names, players = names_of(model), ("A", "B")
    events = [event for event in model.signals if event != model.leaving]
    right: dict[str, list[Any]] = {
        "step": [*names.steps],
        "phase": [*names.families],
        "until": [*names.durations],
    }
    right |= {"event": events}
    right["phases"], right["players"] = [(name,) for name in names.families], [("A",)]
    fields = msgspec.structs.fields(row.kind)
    values = {field.name: right.get(field.name, ["A"]) for field in fields if field.required}
    if not all(values.values()):
        return f"it has no {' or '.join(name for name, known in values.items() if not known)}"
    order = row.kind(**{name: known[0] for name, known in values.items()})
    if "player" in order.__struct_fields__ and not order.player:
        order = msgspec.structs.replace(order, player="A")
    run = first_run(model, players, (), {})
    try:
        Scheduler(model, run, NO_ENTRIES, players).give((order,))
    except OrderError as error:
        return str(error)
    return ""


# the schema ---------------------------------------------------------------------------------------


def schema() -> Schema:
    """Return the JSON Schema of scenario files as plain JSON values."""
    one = {"$ref": "#/$defs/scenario"}
    header, common = fields_of(Header), fields_of(Common)
    tables = [header, common, _CONTEXT, _CHECKS, *(row.fields for row in VERBS.values())]
    kinds = [field.kind for table in tables for field in table.values()]
    _, parts = msgspec.json.schema_components(kinds, ref_template=_REF)
    scenario = _object(header)
    scenario["properties"] |= {
        "given": {"type": "array", "items": {"$ref": "#/$defs/given"}},
        "expect": {"type": "array", "items": {"$ref": "#/$defs/expect"}},
        "$schema": SAID,
    }
    expect = _object({**_CONTEXT, **_CHECKS, "note": common["note"]})
    expect["dependentRequired"] = {c.name: list(c.beside) for c in CHECKS.values() if c.beside}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDS["scenario"],
        "title": "A scenario of a game's turn flow, or a list of scenarios",
        "if": {"type": "array"},
        "then": {"type": "array", "items": one},
        "else": one,
        "$defs": {
            **parts,
            "scenario": scenario,
            "given": _item(common, nested=False),
            "then": _item(common, nested=True),
            "expect": expect,
        },
    }


def _object(rows: Mapping[str, Field]) -> Schema:
    """Return the schema of an object with these fields and no others."""
    kinds = [field.kind for field in rows.values()]
    shapes, _ = msgspec.json.schema_components(kinds, ref_template=_REF)
    properties = dict[str, Schema]()
    for (name, field), shape in zip(rows.items(), shapes, strict=True):
        plain = isinstance(field.default, bool | int | str) and field.default != ""
        properties[name] = {**shape, "default": field.default} if plain else shape
    required = [name for name, field in rows.items() if field.default is NODEFAULT]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _item(common: Mapping[str, Field], *, nested: bool) -> Schema:
    """Return the schema of an item of `given`, or of a `then` list."""
    known = {name: row for name, row in VERBS.items() if row.nested or not nested}
    return {
        "type": "object",
        "properties": {"do": {"enum": list(known)}},
        "required": ["do"],
        "allOf": [
            {
                "if": {"required": ["do"], "properties": {"do": {"const": name}}},
                "then": _verb(row, common, nested=nested),
            }
            for name, row in known.items()
        ],
    }


def _verb(row: VerbRow, common: Mapping[str, Field], *, nested: bool) -> Schema:
    rows = {**common, **row.fields}
    if nested:
        del rows["when"]
    elif not row.opening:
        rows["when"] = Field("when", When, NODEFAULT)
    made = _object(rows)
    if "then" in rows:
        made["properties"]["then"] = {"type": "array", "items": {"$ref": "#/$defs/then"}}
    return made
