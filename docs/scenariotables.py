"""The tables of `scenarios.md`, made from the words of scenarios."""

from __future__ import annotations

from msgspec.structs import FieldInfo

from fsm.scenarios.expect import CHECKS, Check
from fsm.scenarios.game import VERBS
from fsm.scenarios.verbs import RESOLVING, VerbRow
from fsm.scenarios.vocabulary import meaning_of
from marks import table


def tables() -> dict[str, str]:
    """Return the tables of the page on scenarios, by their names."""
    return {
        "verbs": table(("verb", "fields", "meaning"), map(_verb, VERBS, VERBS.values())),
        "expectations": table(("key", "beside it", "holds when"), map(_check, CHECKS, CHECKS.values())),
    }


def _verb(name: str, row: VerbRow) -> tuple[str, str, str]:
    notes = []
    if row.home:
        notes.append(f"with the action `{row.home}`")
    if row.at == RESOLVING:
        notes.append(f"always at `{row.at}`")
    if not row.nested:
        notes.append("not in `then`")
    doc = f"{meaning_of(row)} ({'; '.join(notes)})" if notes else meaning_of(row)
    when = " *" if row.at or row.home else ""
    return f"`{name}`{when}", ", ".join(map(_field, row.own_fields)), doc


def _field(field: FieldInfo) -> str:
    if field.required:
        return f"`{field.encode_name}`"
    if field.default in ((), "", None):
        return f"`{field.encode_name}`?"
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f"`{field.encode_name}`={default}"


def _check(name: str, check: Check) -> tuple[str, str, str]:
    beside = [f"`{name}`" for name in check.beside] + [
        f"`{name}` (default 1)" for name in check.may
    ]
    return f"`{name}`", ", ".join(beside), check.doc
