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

from fsm.checks.finding import Allowance
from fsm.errors import FsmError
from fsm.files import Shapes, read_data
from fsm.model import Model
from fsm.model.model import per_model

ENDING = ".check.toml"
TABLES = ("sections", "rules", "beyond")


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


class RulebookNotes(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of the file. Each rule stands under its number.

    `sections` are those that are modelled: "117", or "500 to 514" for several, or the name of a
    page. `beyond` has the citations that name no rule of the edition, each with its meaning.
    """

    edition: str = ""
    sections: Mapping[str, Rule] = {}
    rules: Mapping[str, Rule] = {}
    beyond: Mapping[str, Rule] = {}
    allow: tuple[Allowance, ...] = ()

    def allowances(self, model: Model) -> tuple[Allowance, ...]:
        """Return the allowances that apply to a model with these options."""
        return tuple(one for one in self.allow if holds(one.when, model))


def holds(when: str, model: Model) -> bool:
    """Say whether the model has one of these values of an option, "name=value, value". "" always
    holds. A built-in ruleset need not name the options that are not given.
    """
    from fsm.rulesets import BUILT_IN, options

    name, _, values = when.partition("=")
    name = name.strip()
    chosen = dict[str, object](model.options)
    if when and name not in chosen and model.name in BUILT_IN and name in options(model.name):
        chosen[name] = options(model.name)[name].default
    value = str(chosen.get(name, "")).lower()
    return not when or value in [one.strip().lower() for one in values.split(",")]


def notes_of(spec: str) -> RulebookNotes:
    """Return the notes of a ruleset by its specification. Without a file, they are empty. Raises
    CheckError.
    """
    from fsm.rulesets import BUILT_IN

    name = spec.partition("?")[0]
    if name.endswith(".json") or "/" in name:
        path = Path(name)
    else:
        try:
            found = find_spec(BUILT_IN.get(name, name.partition(":")[0]))
        except (ImportError, ValueError):
            found = None
        path = Path(found.origin) if found is not None and found.origin else Path()
    beside = path.with_suffix(ENDING) if path.name else path
    return read_notes(beside) if beside.is_file() else RulebookNotes()


@per_model
def shipped_notes(model: Model) -> RulebookNotes:
    """Return the notes of a built-in ruleset, or of a model derived from one with its name.

    For any other model they are empty.
    """
    from fsm.rulesets import BUILT_IN

    return notes_of(model.name) if model.name in BUILT_IN else RulebookNotes()


def read_notes(path: Path) -> RulebookNotes:
    """Read a file of notes. Raises CheckError, with the place, if it is wrong."""
    data = read_data(path, CheckError)
    for table in TABLES:
        rules: Any = data.get(table) if isinstance(data, dict) else None
        for number, rule in [*rules.items()] if isinstance(rules, dict) else ():
            if isinstance(rule, str):
                rules[number] = {"says": rule, "number": number}
            elif isinstance(rule, dict):
                rule["number"] = number
    shapes = Shapes(str(path), CheckError)
    notes: RulebookNotes = shapes.value(data, RulebookNotes)
    for table in TABLES:
        for number, rule in getattr(notes, table).items():
            for option in (rule.only, rule.when):
                if option and "=" not in option:
                    how = "is no option with its values; write 'name=value, value'"
                    raise shapes.problem(f"{table}.{number}", f"{option!r} {how}")
    return notes
