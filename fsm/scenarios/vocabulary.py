"""The words of scenarios for documents and editors: the JSON Schema of scenario files, and what a
Model refuses. `fsm/schemas/scenario.schema.json` is a copy of the schema.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import NODEFAULT, Struct, defstruct

from fsm.engine.semantics import semantics_of
from fsm.errors import OrderError
from fsm.model import Model
from fsm.scenarios.expect import CHECKS
from fsm.scenarios.game import VERBS
from fsm.scenarios.reading import ENTRY, Common, Header
from fsm.scenarios.verbs import Verb, VerbRow, fields_of
from fsm.scenarios.words import words_of
from fsm.schemas import IDS, SAID
from fsm.shapes import Field
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import Appoint
from fsm.state.scheduling import ACTIVE, Scheduler
from fsm.state.setup import first_run
from fsm.wording import lower_first


def meaning_of(row: VerbRow) -> str:
    """Return what a verb does, as a clause: the beginning of the documentation of its class."""
    text = (row.kind.__doc__ or "").partition("\n\n")[0]
    return lower_first(" ".join(text.split())).removesuffix(".")


def refused(model: Model) -> dict[str, str]:
    """Return the verbs and expectations that a Model does not know, with the reasons."""
    words, found = words_of(model), dict[str, str]()
    for name, row in VERBS.items():
        found[name] = words.lacks(row.needs) or _tried(model, row)
    for name, check in CHECKS.items():
        found[name] = words.lacks(check.needs)
    return {name: why for name, why in found.items() if why}


def _tried(model: Model, row: VerbRow) -> str:
    """Return why the Model refuses an order with words that it knows, or "" if it does not."""
    roles = words_of(model).phase_roles
    if issubclass(row.kind, Verb) or (row.kind is Appoint and roles):
        return ""
    names, players = semantics_of(model).names, ("A", "B")
    events = [event for event in model.signals if event != model.leaving]
    right: dict[str, list[Any]] = {
        "step": [*names.steps],
        "phase": [*names.families],
        "until": [*names.durations],
    }
    right |= {"event": events}
    right["role"] = [*(role.name for role in model.roles), ACTIVE]
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
        Scheduler(names, run, NO_ENTRIES, players).give((order,))
    except OrderError as error:
        return str(error)
    return ""


# the schema ---------------------------------------------------------------------------------------


def schema() -> dict[str, Any]:
    """Return the JSON Schema of scenario files as plain JSON values."""
    given = [_shape(name, row) for name, row in VERBS.items()]
    entry = defstruct("expect", _fields(ENTRY), forbid_unknown_fields=True)
    parts = msgspec.json.schema_components([*given, entry, Header], ref_template="#/$defs/{name}")[
        1
    ]
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


def _shape(name: str, row: VerbRow) -> type[Struct]:
    """Return the class of a verb's items. Those of a `then` list have no `when`."""
    rows = {**fields_of(Common), **row.fields}
    del rows["do"]
    if not (row.opening or row.nested):
        rows["when"] = rows["when"]._replace(default=NODEFAULT)
    fields = _fields(rows)
    return defstruct(
        name, fields, tag=name, tag_field="do", forbid_unknown_fields=True, kw_only=True
    )


def _fields(rows: Mapping[str, Field]) -> list[Any]:
    return [(name, field.kind, field.default) for name, field in rows.items()]
