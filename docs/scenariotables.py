"""The tables of `scenarios.md`, made from the words of scenarios and a Model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from msgspec.structs import FieldInfo

from fsm.model import Model, State
from fsm.runs.visits import turn_based
from fsm.scenarios.expect import CHECKS, Check
from fsm.scenarios.game import VERBS
from fsm.scenarios.verbs import RESOLVING, VerbRow
from fsm.scenarios.vocabulary import meaning_of
from fsm.scenarios.words import words_of

_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def tables(model: Model) -> dict[str, str]:
    """Return the tables by name, in Markdown."""
    return {
        "verbs": _table(("verb", "fields", "meaning"), map(_verb, VERBS, VERBS.values())),
        "expectations": _table(
            ("key", "beside it", "holds when"), map(_check, CHECKS, CHECKS.values())
        ),
        "durations": _table(
            ("until", "rule", "meaning"), ((f"`{d.name}`", d.rule, d.doc) for d in model.durations)
        ),
        "steps": _table(("step", "phase", "turn-based actions", "priority", "rule"), _steps(model)),
        "stages": _table(("step", "stages, in the model's order"), _stages(model)),
    }


def filled(text: str, model: Model) -> str:
    """Return the document with its tables up to date."""
    made = tables(model)
    return _TABLE.sub(lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}", text)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def _verb(name: str, row: VerbRow) -> tuple[str, str, str]:
    notes = []
    if row.home:
        notes.append(f"with the action `{row.home}`")
    if row.at == RESOLVING:
        notes.append(f"always at `{row.at}`")
    if row.at or row.home:
        notes.append("not without `when`")
    if not row.nested:
        notes.append("not in `then`")
    doc = f"{meaning_of(row)} ({'; '.join(notes)})" if notes else meaning_of(row)
    return f"`{name}`", ", ".join(map(_field, row.own_fields)), doc


def _field(field: FieldInfo) -> str:
    if field.required:
        return f"`{field.encode_name}`"
    default = {(): "none", "": "none", None: "as it was"}.get(field.default, field.default)
    return (
        f"`{field.encode_name}` = {str(default).lower() if isinstance(default, bool) else default}"
    )


def _check(name: str, check: Check) -> tuple[str, str, str]:
    beside = [f"`{name}`" for name in check.beside] + [
        f"`{name}` (default 1)" for name in check.may
    ]
    return f"`{name}`", ", ".join(beside), check.doc


def _steps(model: Model) -> Iterable[Sequence[str]]:
    words = words_of(model)
    own = set(turn_based(model))
    for step in model.of_kind("step"):
        phase = model.enclosing(step.id, "phase")
        actions = [f"`{s.action}`" for s in model.children(step.id) if s.id in own]
        opens = next((s.opens for s in model.children(step.id) if s.opens), "")
        gets = (
            "yes"
            if words.usually_at(step.name) == "priority"
            else "if something happened"
            if opens
            else "no"
        )
        yield (
            f"`{step.name}`",
            f"`{phase.name}`" if phase else "",
            ", ".join(actions),
            gets,
            step.rule,
        )


def _stages(model: Model) -> Iterable[Sequence[str]]:
    for step in model.of_kind("step"):
        yield f"`{step.name}`", ", ".join(map(_stage, model.children(step.id)))


def _stage(state: State) -> str:
    return f"`{state.id}`"
