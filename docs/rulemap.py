"""The page `rules-to-model.md`: where the clauses of rulebooks are in the models. The data is
`rules-to-model.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, get_args

from msgspec.structs import fields

import fsm
from fsm import load
from fsm.checks.rulebook import split
from fsm.model import Model
from fsm.rulesets import options
from fsm.rulesets.properties import properties_of
from marks import anchor, codes

DATA = Path(__file__).parent / "rules-to-model.toml"

INTRODUCTION = """\
# From the rules to the model

You hold a rulebook and look for the part of the model that carries a rule. This page lists five documents, clause by
clause: the rule, what it says in our words, and what carries it. (Written by `python docs/generate.py` from
`docs/rules-to-model.toml`.)

A name alone is a state, and `a -> b` a transition. `*` stands for any text. Where a document has no numbers, "cites" are those in the model. "The game's" means that your program does it. "Not yet" says what is missing.
"""


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a document. `rules-to-model.toml` describes the fields."""

    rule: str
    says: str
    by: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    ruleset: str = ""
    host: str = ""
    lacks: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document. `clauses` has them by the title of their section."""

    title: str
    about: str
    ruleset: str
    sections: tuple[str, ...]
    elsewhere: dict[str, str]
    clauses: dict[str, tuple[Clause, ...]]

    def holds(self, rule: str) -> bool:
        """Return whether this rule of the model is in the document's sections."""
        return any(re.match(rf"{re.escape(section)}(?!\d)", rule) for section in self.sections)

    def every(self) -> Iterator[Clause]:
        """Yield all clauses, in order."""
        for clauses in self.clauses.values():
            yield from clauses


def documents() -> tuple[Document, ...]:
    """Return the documents of the data file."""
    return tuple(map(_document, tomllib.loads(DATA.read_text("utf-8"))["document"]))


def _document(data: dict[str, Any]) -> Document:
    clauses = {}
    for section in data.pop("section"):
        clauses[section["title"]] = tuple(_clause(entry, data["ruleset"]) for entry in section["clauses"])
    return Document(**{"elsewhere": {}, **data, "sections": tuple(data["sections"]), "clauses": clauses})


def _clause(data: dict[str, Any], ruleset: str) -> Clause:
    filled = {"cites": [data["rule"]], "ruleset": ruleset, **data}
    given: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in filled.items()}
    return Clause(**given)


@cache
def parts(ruleset: str) -> dict[str, frozenset[str]]:
    """Return all that can carry a clause in a ruleset, as "KIND NAME", with the rules that it
    cites.
    """
    model = load(ruleset)
    found: dict[str, frozenset[str]] = {}
    for part, citation in (*_of_model(model), *_beside(ruleset, model)):
        found[part] = found.get(part, frozenset()).union(split(citation))
    return found


def _of_model(model: Model) -> Iterator[tuple[str, str]]:
    for machine in model.machines.values():
        yield from ((f"state {state.id}", state.rule) for state in machine.states)
        yield from ((f"action {state.action}", state.rule) for state in machine.states if state.action)
        yield from ((f"transition {row.id}", row.rule) for row in machine.transitions)
        yield from ((f"fact {fact.name}", fact.rule) for fact in machine.facts)
        yield from ((f"duration {duration.name}", duration.rule) for duration in machine.durations)
        yield from ((f"setting {setting.name}", setting.rule) for setting in machine.settings)
        yield from ((f"event {event.name}", "") for event in machine.events)


def _beside(ruleset: str, model: Model) -> Iterator[tuple[str, str]]:
    """What a Model does not hold: properties, options and orders."""
    yield from ((f"property {one.name}", one.rule) for one in properties_of(model.name, model.edition))
    yield from ((f"option {name}", "") for name in options(ruleset.partition("?")[0]))
    for order in get_args(fsm.Order):
        yield f"order {order.__name__}", ""
        yield from ((f"order {order.__name__}.{field.name}", "") for field in fields(order))


def matching(entry: str, ruleset: str) -> dict[str, frozenset[str]]:
    """Return the parts that an entry of `by` names, with the rules that they cite."""
    pattern = re.compile(".*".join(map(re.escape, entry.split("*"))))
    return {part: rules for part, rules in parts(ruleset).items() if pattern.fullmatch(part)}


def page() -> str:
    """Return the text of `rules-to-model.md`."""
    clauses, contents, lines = list[Clause](), list[str](), list[str]()
    for document in documents():
        clauses += document.every()
        contents.append(f"- [{document.title}](#{anchor(document.title)}): `{document.ruleset}`")
        lines += _lines(document)
    count = (
        f"{len(clauses)} clauses: {sum(bool(one.by) for one in clauses)} are in the model, "
        f"{sum(bool(one.lacks) for one in clauses)} of them not wholly, and "
        f"{sum(bool(one.host) for one in clauses)} are the game's."
    )
    return "\n".join((INTRODUCTION, count, "", *contents, "", *lines))


def _lines(document: Document) -> Iterator[str]:
    yield from (f"## {document.title}", "", document.about, "")
    for title, clauses in document.clauses.items():
        yield from (f"### {title}", "")
        for rule, same in groupby(clauses, key=lambda one: one.rule):
            first, *others = (f"*{one.says}* {_where(one, document)}" for one in same)
            yield f"- **{rule}** {first}"
            yield from (f"  - {other}" for other in others)
        yield ""
    if document.elsewhere:
        yield from ("Rules of these sections that the model cites and this document does not have:", "")
        yield from (f"- {rule}: {why}" for rule, why in document.elsewhere.items())
        yield ""


def _where(clause: Clause, document: Document) -> str:
    said = [_named(clause.by)] if clause.by else []
    if not clause.rule[0].isdigit() and clause.by:
        said += [f"cites {', '.join(clause.cites)}"]
    said += [f"with `{clause.ruleset}`"] if clause.ruleset != document.ruleset else []
    said += [clause.note] if clause.note else []
    said += [f"**the game's**: {clause.host}"] if clause.host else []
    said += [f"**not yet**: {clause.lacks}"] if clause.lacks else []
    return "; ".join(said)


def _named(by: Iterable[str]) -> str:
    """Return the names, each kind once: "`a`, `b -> c`, order `D`". States and transitions need no word."""
    kinds: dict[str, list[str]] = {}
    for entry in by:
        kind, _, name = entry.partition(" ")
        kinds.setdefault("" if kind in ("state", "transition") else f"{kind} ", []).append(name)
    return ", ".join(f"{kind}{codes(names)}" for kind, names in kinds.items())
