"""Writes a difference as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass

from msgspec import Struct

from fsm.model import Action, Event, Model, Term
from fsm.views.diff.difference import Change, Difference, name_of

PLURALS = {
    "turn": "turns",
    "phase": "phases",
    "step": "steps",
    "stage": "stages",
    "procedure": "procedures",
}


def as_json(difference: Difference) -> dict[str, object]:
    """Return a difference as plain JSON values. Each kind of part has its own key."""
    d = difference
    states = {
        plural: changes(c for c in d.states if c.what == what) for what, plural in PLURALS.items()
    }
    parts = {
        f"{what}s": changes(c for c in d.parts if c.what == what)
        for what in ("event", "duration", "setting")
    }
    return {
        "a": _model(d.a),
        "b": _model(d.b),
        "same": d.empty,
        "head": {f.name: {"a": value(f.a), "b": value(f.b)} for f in d.head if f.name != "options"},
        "renames": [{"what": r.a.kind, "a": r.a.id, "b": r.b.id} for r in d.renames],
        **states,
        "transitions": changes(d.transitions),
        "orders": [{f.name: value(getattr(o, f.name)) for f in fields(o)} for o in d.orders],
        "facts": changes(d.facts),
        **parts,
        "texts": changes(d.texts),
        "windows": changes(c for c in d.parts if c.what == "window"),
        "window": as_json(d.window) if d.window else None,
    }


def changes(found: Iterable[Change]) -> dict[str, object]:
    """Return changes of one kind as added, removed and changed parts."""
    by_sign: dict[str, list[object]] = {"added": [], "removed": [], "changed": []}
    for change in found:
        if change.sign == "~":
            by_sign["changed"].append(_changed(change))
        else:
            by_sign["added" if change.sign == "+" else "removed"].append(_whole(change))
    return {**by_sign}


def _changed(change: Change) -> dict[str, object]:
    assert change.a is not None
    names = (
        {"id": change.id, "was": name_of(change.a)}
        if name_of(change.a) != change.id
        else {"id": change.id}
    )
    return {
        **names,
        "what": change.what,
        "fields": {f.name: {"a": value(f.a), "b": value(f.b)} for f in change.fields},
    }


def _whole(change: Change) -> object:
    if isinstance(change.part, Model):
        return _model(change.part)
    found = {name: value(getattr(change.part, name)) for name in change.part.__struct_fields__}
    if isinstance(change.part, Event) and change.part.leaving is None:
        del found["leaving"]  # the name of the event says it
    return {"id": change.id, **found}


def _model(model: Model) -> dict[str, object]:
    return {
        "name": model.name,
        "edition": model.edition,
        "options": {name: value(given) for name, given in model.options.items()},
        "states": len(model.states),
        "transitions": len(model.transitions),
        "fingerprint": model.fingerprint,
        "behaviour_fingerprint": model.behaviour_fingerprint,
    }


def value(found: object) -> object:
    """Return the value of a field as plain JSON."""
    if isinstance(found, Term | Action):
        return str(found)
    if isinstance(found, tuple | list):
        return [value(one) for one in found]
    if isinstance(found, Struct):
        return {name: value(getattr(found, name)) for name in found.__struct_fields__}
    if is_dataclass(found) and not isinstance(found, type):
        return {f.name: value(getattr(found, f.name)) for f in fields(found)}
    return found
