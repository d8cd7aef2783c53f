"""Builds the JSON Schema of scenario files from the vocabulary. `fsm/schemas/scenario.schema.json` is a copy of it."""

from __future__ import annotations

from typing import Any

from fsm.scenarios.checklist import CHECKS
from fsm.scenarios.vocabulary import DESIGNATIONS, PERSISTS, SCOPES, VERBS, Verb, VerbField
from fsm.schemas import IDS, SAID

Schema = dict[str, Any]
MOST = 1000

_WORD: Schema = {"type": "string", "minLength": 1}
_COUNT: Schema = {"type": "integer", "minimum": 1, "maximum": MOST}
_FIRST: Schema = {"type": "integer", "minimum": 1}
_NUMBER: Schema = {"type": "integer", "minimum": 0}
_FLAG: Schema = {"type": "boolean"}


def _list(of: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": of, **more}


def _object(required: tuple[str, ...], **properties: Schema) -> Schema:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


KINDS: dict[str, Schema] = {
    "player": _WORD,
    "step": _WORD,
    "phase": _WORD,
    "added_step": _WORD,
    "added_phases": _list(_WORD, minItems=1, maxItems=MOST),
    "skipped_step": _WORD,
    "skipped_phase": _WORD,
    "fact": _WORD,
    "event": _WORD,
    "side": {"enum": ["attacker", "blocker"]},
    "phase_anchor": {
        "type": ["string", "object"],
        "properties": {"phase": _WORD, "nth": _FIRST},
        "required": ["phase"],
        "additionalProperties": False,
    },
    "step_anchor": _WORD,
    "step_or_change": _WORD,
    "count": _COUNT,
    "number": _NUMBER,
    "turn": _FIRST,
    "power": {"type": "integer"},
    "flag": _FLAG,
    "yes": {"const": True},
    "id": _WORD,
    "ids": _list(_WORD),
    "scope": {"enum": list(SCOPES)},
    "on": {"enum": ["next", "your_next_turn"]},
    "whose": _WORD,
    "limit": {"enum": ["first_each_turn"]},
    "until": _WORD,
    "designation": {"enum": list(DESIGNATIONS)},
    "persists": {"enum": list(PERSISTS)},
    "then": _list({"$ref": "#/$defs/then"}),
}

_WHERE = {"turn": _FIRST, "step": _WORD, "iteration": _FIRST}
_EVENT = _object(("turn", "step"), **_WHERE)
CHECKED: dict[str, Schema] = {
    "turn_order": _list(_WORD, minItems=1),
    "active": _WORD,
    "extra": _FLAG,
    "controller": _WORD,
    "steps": _list(_WORD),
    "contains": _list(_WORD, minItems=1),
    "visits": {"type": "object", "additionalProperties": _NUMBER, "minProperties": 1},
    "phases": _list(_WORD),
    "priority": _object(("step", "given"), step=_WORD, iteration=_FIRST, given=_FLAG),
    "discards": _object(("count",), iteration=_FIRST, count=_NUMBER),
    "active_at": _list(_object(("turn", "step", "value"), **_WHERE, value=_FLAG), minItems=1),
    "fires": _list(_EVENT),
    "put_on_stack": _list(_EVENT),
    "designation": {"enum": list(DESIGNATIONS)},
    "on_turns": _list(_FIRST),
    "mana_at": _object(("turn", "step", "player", "amount"), **_WHERE, player=_WORD, amount=_NUMBER),
    "tba_order": _list(_WORD),
    "priority_order": _list(_WORD),
    "over": _FLAG,
    "stages": _list(_WORD, minItems=1),
    "windows": _NUMBER,
    "passes": _NUMBER,
    "resolves": _list(_WORD),
    "assigns": _list(_WORD),
    "dealt": _list(_WORD),
    "burn": _object(
        ("turn", "phase", "player", "amount"), turn=_FIRST, phase=_WORD, iteration=_FIRST, player=_WORD, amount=_NUMBER
    ),
}
_CONTEXT: dict[str, Schema] = {**_WHERE, "effect": _WORD, "trigger": _WORD, "lore": _WORD}


def build() -> Schema:
    """Return the whole schema as plain JSON values."""
    one = {"$ref": "#/$defs/scenario"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": IDS["scenario"],
        "title": "A scenario of a game's turn flow, or a list of scenarios",
        "if": {"type": "array"},
        "then": _list(one),
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
    players = _list(_WORD, minItems=1, uniqueItems=True)
    return _object(
        (),
        id=_WORD,
        ruleset=_WORD | {"description": "A built-in ruleset, or the path of a model file in or below this folder."},
        players={"type": "integer", "minimum": 1, "maximum": MOST},
        turn_order=players,
        options={"type": "object", "additionalProperties": {"type": ["boolean", "string", "number"]}},
        teams=_list(players),
        settings={"type": "object", "additionalProperties": _FLAG},
        first_draw_skipped=_FLAG,
        through_turn=_FIRST,
        given=_list({"$ref": "#/$defs/given"}),
        expect=_list({"$ref": "#/$defs/expect"}),
        needs={},
        source={},
        rule={},
        note={},
        **{"$schema": SAID},
    )


def _when() -> Schema:
    return _object(("turn", "step"), **_WHERE, at=_WORD)


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
        common |= {"when": {"$ref": "#/$defs/when"}, "id": _WORD}
    required = [f.name for f in verb.fields if f.required]
    if not (nested or verb.opening):
        required.append("when")
    schema: Schema = {
        "properties": {**common, **{f.name: _field(f) for f in verb.fields}},
        "additionalProperties": False,
    }
    return {**schema, "required": required} if required else schema


def _field(field: VerbField) -> Schema:
    kind = dict(KINDS[field.kind])
    if isinstance(field.default, bool | int) or (
        isinstance(field.default, str) and field.default in kind.get("enum", ())
    ):
        kind["default"] = field.default
    return kind


def _expect() -> Schema:
    return {
        "type": "object",
        "properties": {**_CONTEXT, **CHECKED, "note": {}},
        "additionalProperties": False,
        "dependentRequired": {c.name: list(c.beside) for c in CHECKS.values() if c.beside},
    }
