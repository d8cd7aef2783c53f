"""Reads NAME.check.toml, the file beside a model with the rules of its rulebook and the intended
findings.

`docs/checking.md` describes the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from fsm.checks.allowing import Allowance
from fsm.checks.finding import SEVERITY
from fsm.errors import FsmError, suggest
from fsm.files import read_toml
from fsm.model import Model
from fsm.model.model import per_model

ENDING = ".check.toml"
_KEYS = ("edition", "sections", "rules", "beyond", "allow")
_OF_RULE = ("says", "why", "by", "only", "when")
_OF_ALLOW = ("finding", "at", "why", "when")


class CheckError(FsmError):
    """The file with the rulebook or the allowances of a model is wrong or missing. The message
    names the place.
    """


@dataclass(frozen=True, slots=True)
class Rule:
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


@dataclass(frozen=True, slots=True)
class RulebookNotes:
    """The contents of the file.

    `sections` are those that are modelled: "117", or "500 to 514" for several, or the name of a
    page. `beyond` has the citations that name no rule of the edition, each with its meaning.
    """

    edition: str = ""
    sections: tuple[Rule, ...] = ()
    rules: tuple[Rule, ...] = ()
    beyond: tuple[Rule, ...] = ()
    allow: tuple[tuple[Allowance, str], ...] = ()

    def allowances(self, model: Model) -> tuple[Allowance, ...]:
        """Return the allowances that apply to a model with these options."""
        return tuple(one for one, when in self.allow if holds(when, model))


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
    return _NotesReader(str(path)).notes(read_toml(path, CheckError))


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


@dataclass(frozen=True, slots=True)
class _NotesReader:
    """Reads the parsed file. Anything that does not fit raises CheckError with its place."""

    path: str

    def notes(self, data: Mapping[str, Any]) -> RulebookNotes:
        self._known("", data, _KEYS)
        return RulebookNotes(
            self._word("edition", data.get("edition", "")),
            tuple(self._rules(data, "sections")),
            tuple(self._rules(data, "rules")),
            tuple(self._rules(data, "beyond")),
            tuple(self._allowances(data.get("allow", []))),
        )

    def _rules(self, data: Mapping[str, Any], table: str) -> Iterator[Rule]:
        for number, entry in self._table(table, data.get(table, {})).items():
            where = f"{table}.{number!r}"
            entry = self._table(where, {"says": entry} if isinstance(entry, str) else entry)
            self._known(where, entry, _OF_RULE)
            words = {key: self._word(f"{where}.{key}", value) for key, value in entry.items()}
            if "says" not in words:
                self._fail(where, "does not say the rule; add 'says' with a few words")
            for when in (words.get("only"), words.get("when")):
                if when and "=" not in when:
                    how = "is no option with its values; write 'name=value, value'"
                    self._fail(where, f"{when!r} {how}")
            yield Rule(number, **words)

    def _allowances(self, data: object) -> Iterator[tuple[Allowance, str]]:
        if not isinstance(data, list):
            self._fail("allow", "must be a list of tables; begin each with [[allow]]")
        for number, given in enumerate(data):
            where = f"allow[{number}]"
            entry = self._table(where, given)
            self._known(where, entry, _OF_ALLOW)
            words = {key: self._word(f"{where}.{key}", entry.get(key, "")) for key in _OF_ALLOW}
            kind = words["finding"]
            if kind not in SEVERITY:
                self._fail(where, f"finding {kind!r} is unknown{suggest(kind, SEVERITY)}")
            if not words["why"]:
                self._fail(where, "says no why; write a sentence that tells why it is meant")
            yield Allowance(kind, words["at"], words["why"]), words["when"]

    def _table(self, where: str, value: object) -> Mapping[str, Any]:
        if not isinstance(value, dict):
            self._fail(where, 'must be a table, such as {says = "..."}')
        return value

    def _word(self, where: str, value: object) -> str:
        if not isinstance(value, str):
            self._fail(where, f"must be text, not {value!r}")
        return value

    def _known(self, where: str, data: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        for key in data:
            if key not in keys:
                self._fail(where or "the file", f"has no key {key!r}{suggest(key, keys)}")

    def _fail(self, where: str, words: str) -> NoReturn:
        raise CheckError(f"{self.path}: {where} {words}")
