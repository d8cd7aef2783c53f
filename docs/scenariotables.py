"""The tables of `scenarios.md`, made from the words of scenarios."""

from __future__ import annotations

from msgspec.structs import FieldInfo

from fsm.rulesets import Act, Cut, Phase, Role, Step, Table, Window
from fsm.scenarios.expect import CHECKS, Check
from fsm.scenarios.reading import refused
from fsm.scenarios.rulebooks import VERBS
from fsm.scenarios.scenario import VerbRow
from marks import codes

PLAIN = Table(
    "plain",
    Phase("day", Step("work", Act("toil"), Window(passing="for_good")), cut=Cut("end_phase")),
    roles=Role("helper", "opponents"),
    cut=Cut("end_turn"),
    window="alternating",
    stack="top",
)
"""A game without cards. The page describes the words that it knows, and names the others."""


def tables() -> dict[str, str]:
    """Return what is generated of the page on scenarios."""
    unknown = refused(PLAIN.build())
    verbs = {name: row for name, row in VERBS.items() if name not in unknown}
    checks = {name: check for name, check in CHECKS.items() if name not in unknown}
    return {
        "verbs": "\n".join(map(_verb, verbs, verbs.values())),
        "expectations": "\n".join(map(_check, checks, checks.values())),
        "others": codes(name for name in (*VERBS, *CHECKS) if name in unknown),
    }


def _verb(name: str, row: VerbRow) -> str:
    notes = [f"with the action `{row.home}`"] if row.home else []
    if not row.nested:
        notes.append("not in `then`")
    doc = f"{row.meaning} ({'; '.join(notes)})" if notes else row.meaning
    when = " *" if row.at or row.home else ""
    fields = ", ".join(map(_field, row.own_fields))
    return f"- **`{name}`**{when} {fields}: {doc}" if fields else f"- **`{name}`**{when}: {doc}"


def _field(field: FieldInfo) -> str:
    if field.required:
        return f"`{field.encode_name}`"
    if field.default in ((), "", None):
        return f"`{field.encode_name}`?"
    default = str(field.default).lower() if isinstance(field.default, bool) else field.default
    return f"`{field.encode_name}`={default}"


def _check(name: str, check: Check) -> str:
    beside = [f"`{other}`" for other in check.beside] + ["`iteration` (default 1)"] * ("step" in check.beside)
    keys = f"**`{name}`** with {', '.join(beside)}" if beside else f"**`{name}`**"
    return f"- {keys}: {check.doc}"
