"""Builds the JSON Schema of scenario files from the vocabulary. `fsm/schemas/scenario.schema.json`
is a copy of it.
"""

from __future__ import annotations

from fsm.scenarios.expectations import CHECKS, MAKERS
from fsm.scenarios.jsonshapes import FIRST, FLAG, MOST, WHERE, WORD, Schema, list_of, object_of
from fsm.scenarios.verbparts import Verb, VerbField
from fsm.scenarios.verbs import VERBS
from fsm.schemas import IDS, SAID

_CONTEXT: dict[str, Schema] = {**WHERE, **dict.fromkeys(MAKERS, WORD)}


def build() -> Schema:
    """Return the whole schema as plain JSON values."""
    one = {"$ref": "#/$defs/scenario"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDS["scenario"],
        "title": "A scenario of a game's turn flow, or a list of scenarios",
        "if": {"type": "array"},
        "then": list_of(one),
        "else": one,
        "$defs": {
            "scenario": _scenario(),
            "when": _when(),
            "given": _item(nested=False),
            "then": _item(nested=True),
            "expect": _expect(),
        },
    }


def _scenario() -> Schema:
    players = list_of(WORD, minItems=1, uniqueItems=True)
    return object_of(
        (),
        id=WORD,
        ruleset=WORD
        | {
            "description": "A built-in ruleset, or the path of a model file in or below this folder."
        },
        players={"type": "integer", "minimum": 1, "maximum": MOST},
        turn_order=players,
        options={
            "type": "object",
            "additionalProperties": {"type": ["boolean", "string", "number"]},
        },
        teams=list_of(players),
        settings={"type": "object", "additionalProperties": FLAG},
        first_draw_skipped=FLAG,
        through_turn=FIRST,
        start=object_of(
            (),
            turn=FIRST,
            player=WORD,
            step=WORD,
            facts={"type": "object", "additionalProperties": FLAG},
        ),
        given=list_of({"$ref": "#/$defs/given"}),
        expect=list_of({"$ref": "#/$defs/expect"}),
        needs={},
        source={},
        rule={},
        note={},
        **{"$schema": SAID},
    )


def _when() -> Schema:
    return object_of(("turn", "step"), **WHERE, at=WORD)


def _item(*, nested: bool) -> Schema:
    verbs = [v for v in VERBS.values() if v.nested or not nested]
    return {
        "type": "object",
        "properties": {"do": {"enum": [v.name for v in verbs]}},
        "required": ["do"],
        "allOf": [{"if": _is(verb), "then": _fields(verb, nested=nested)} for verb in verbs],
    }


def _is(verb: Verb) -> Schema:
    return {"type": "object", "required": ["do"], "properties": {"do": {"const": verb.name}}}


def _fields(verb: Verb, *, nested: bool) -> Schema:
    common: Schema = {"do": {}, "note": {}}
    if not nested:
        common |= {"when": {"$ref": "#/$defs/when"}, "id": WORD}
    required = [f.name for f in verb.fields if f.required]
    if not (nested or verb.opening):
        required.append("when")
    schema: Schema = {
        "properties": {**common, **{f.name: _field(f) for f in verb.fields}},
        "additionalProperties": False,
    }
    return {**schema, "required": required} if required else schema


def _field(field: VerbField) -> Schema:
    kind = dict(field.kind.schema)
    if isinstance(field.default, bool | int) or (
        isinstance(field.default, str) and field.default in kind.get("enum", ())
    ):
        kind["default"] = field.default
    return kind


def _expect() -> Schema:
    return {
        "type": "object",
        "properties": {
            **_CONTEXT,
            **{check.name: check.schema for check in CHECKS.values()},
            "note": {},
        },
        "additionalProperties": False,
        "dependentRequired": {c.name: list(c.beside) for c in CHECKS.values() if c.beside},
    }
