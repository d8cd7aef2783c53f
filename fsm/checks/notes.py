"""Reads NAME.check.toml, the file beside a model with the rules of its rulebook and the intended
findings.

`docs/checking.md` describes the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec import Struct

from fsm.checks.allowing import Allowance
from fsm.errors import FsmError
from fsm.files import read_toml
from fsm.model import Model
from fsm.model.model import per_model
from fsm.shapes import Shapes, all_of

ENDING = ".check.toml"


class CheckError(FsmError):
    """The file with the rulebook or the allowances of a model is wrong or missing. The message
    names the place.
    """


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the rulebook: its number, a summary, and, if nothing cites it, the reason.

    `by` is the rule under whose number it is modelled. `only` has the options with which this
    edition has the rule, and `when` the options with which `why` and `by` count. Both are written
    "name=value, value"; "" means always.
    """

    number: str
    says: str
    why: str = ""
    by: str = ""
    only: str = ""
    when: str = ""


class RulebookNotes(Struct, frozen=True):
    """The contents of the file.

    `sections` are those that are modelled: "117", or "500 to 514" for several, or the name of a
    page. `beyond` has the citations that name no rule of the edition, each with its meaning.
    """

    edition: str = ""
    sections: tuple[Rule, ...] = ()
    rules: tuple[Rule, ...] = ()
    beyond: tuple[Rule, ...] = ()
    allow: tuple[Allowance, ...] = ()

    def allowances(self, model: Model) -> tuple[Allowance, ...]:
        """Return the allowances that apply to a model with these options."""
        return tuple(one for one in self.allow if holds(one.when, model))


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    """The file as it is written: the rules by their numbers."""

    edition: str = ""
    sections: Mapping[str, Rule] = {}
    rules: Mapping[str, Rule] = {}
    beyond: Mapping[str, Rule] = {}
    allow: tuple[Allowance, ...] = ()


def holds(when: str, model: Model) -> bool:
    """Say whether the model has one of these values of an option, "name=value, value". "" always
    holds.
    """
    name, _, values = when.partition("=")
    chosen = str(_chosen(name.strip(), model)).lower()
    return not when or chosen in [value.strip().lower() for value in values.split(",")]


def _chosen(name: str, model: Model) -> object:
    """Return the value of an option. A built-in ruleset need not name those that are not given."""
    from fsm.rulesets import BUILT_IN, options

    chosen = dict(model.options)
    if name in chosen or model.name not in BUILT_IN:
        return chosen.get(name, "")
    known = options(model.name)
    return known[name].default if name in known else ""


def notes_of(spec: str) -> RulebookNotes:
    """Return the notes of a ruleset by its specification. Without a file, they are empty. Raises
    CheckError.
    """
    path = _beside(spec.partition("?")[0])
    return read_notes(path) if path is not None and path.exists() else RulebookNotes()


@per_model
def shipped_notes(model: Model) -> RulebookNotes:
    """Return the notes of a built-in ruleset, or of a model derived from one with its name.

    For any other model they are empty.
    """
    from fsm.rulesets import BUILT_IN

    return notes_of(model.name) if model.name in BUILT_IN else RulebookNotes()


def read_notes(path: Path) -> RulebookNotes:
    """Read a file of notes. Raises CheckError, with the place, if it is wrong."""
    data = read_toml(path, CheckError)
    for table in ("sections", "rules", "beyond"):
        if isinstance(data.get(table), dict):
            data[table] = {number: _entry(number, entry) for number, entry in data[table].items()}
    shapes = Shapes(str(path), CheckError)
    file: _File = shapes.value(data, _File, "")
    if not shapes.problems:
        _look_at_options(file, shapes)
    if shapes.problems:
        raise all_of(shapes.problems)
    sections, rules, beyond = (
        tuple(table.values()) for table in (file.sections, file.rules, file.beyond)
    )
    return RulebookNotes(file.edition, sections, rules, beyond, file.allow)


def _entry(number: str, entry: Any) -> Any:
    """Return a rule with its number. Text alone is what it says."""
    if isinstance(entry, str):
        entry = {"says": entry}
    return {**entry, "number": number} if isinstance(entry, dict) else entry


def _look_at_options(file: _File, shapes: Shapes) -> None:
    for table in ("sections", "rules", "beyond"):
        for number, rule in getattr(file, table).items():
            for option in (rule.only, rule.when):
                if option and "=" not in option:
                    how = "is no option with its values; write 'name=value, value'"
                    shapes.wrong(f"{table}.{number}", f"{option!r} {how}")


def _beside(name: str) -> Path | None:
    """Return the path of the notes of a ruleset, which is beside its module or its file."""
    from fsm.rulesets import BUILT_IN

    if name.endswith(".json") or "/" in name:
        return Path(name).with_suffix(ENDING)
    try:
        found = find_spec(BUILT_IN.get(name, name.partition(":")[0]))
    except (ImportError, ValueError):
        return None
    return Path(found.origin).with_suffix(ENDING) if found is not None and found.origin else None
