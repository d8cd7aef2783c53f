"""The file NAME.check.toml beside a model: the rules of its rulebook, and the findings that are
meant. And the rules that the model cites: beside this list, and beside the text of a rulebook.

A rule counts as cited if a state, transition, fact, duration or setting cites its number.
`docs/checking.md` describes the file.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct, to_builtins
from msgspec.structs import replace

from fsm.checks.finding import Allowance, Finding
from fsm.errors import FsmError, suggest
from fsm.files import Shapes, read_bytes, read_data
from fsm.model import Model
from fsm.rulesets.editions import cites
from fsm.wording import many

ENDING = ".check.toml"
TABLES = ("sections", "rules", "beyond")
Status = Literal["cited", "within", "explained", "missing"]
SECTION = re.compile(r"\d+")
NOT_READ = "modelled within a rule of a section that has not been read in this edition"
NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4})*[a-z]{0,2}")
_BEGINS = re.compile(rf"[ \t#*>]*({NUMBER.pattern})(\.?)\**(?:\s|\Z)")

# the file -----------------------------------------------------------------------------------------


class CheckError(FsmError):
    """The file with the rulebook or the allowances of a model is wrong or missing. The message
    names the place.
    """


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule of the rulebook: a summary, and, if nothing cites it, the reason.

    `by` is the rule under whose number it is modelled. `only` has the options with which this
    edition has the rule, and `when` the options with which `why` and `by` count. Both are written
    "name=value, value"; "" means always.
    """

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


def holds(when: str, model: Model) -> bool:
    """Say whether the model has one of these values of an option, "name=value, value". "" always
    holds.
    """
    name, _, values = when.partition("=")
    value = str(model.options.get(name.strip(), "")).lower()
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


def read_notes(path: Path) -> RulebookNotes:
    """Read a file of notes. Raises CheckError, with the place, if it is wrong."""
    data = read_data(path, CheckError)
    for table in TABLES:
        rules: Any = data.get(table) if isinstance(data, dict) else None
        for number, rule in rules.items() if isinstance(rules, dict) else ():
            rules[number] = {"says": rule} if isinstance(rule, str) else rule
    shapes = Shapes(str(path), CheckError)
    notes: RulebookNotes = shapes.value(data, RulebookNotes)
    for table in TABLES:
        for number, rule in getattr(notes, table).items():
            for option in (rule.only, rule.when):
                if option and "=" not in option:
                    how = "is no option with its values; write 'name=value, value'"
                    raise shapes.problem(f"{table}.{number}", f"{option!r} {how}")
    return notes


# what is cited ------------------------------------------------------------------------------------


def split(citation: str) -> tuple[str, ...]:
    """Return the rules of a citation: "500.4, 500.6" names two."""
    return tuple(filter(None, map(str.strip, citation.split(","))))


def cited(model: Model) -> dict[str, tuple[str, ...]]:
    """Return every rule that the model and its window cite, each with the parts that cite it.

    A part is written like "state upkeep_step" or "fact first_turn".
    """
    found: dict[str, dict[str, None]] = {}
    for machine in model.machines.values():
        citing: tuple[Any, ...] = (*machine.states, *machine.transitions, *machine.facts)
        for part in (*citing, *machine.durations, *machine.settings):
            name = part.id if hasattr(part, "id") else part.name
            for rule in split(part.rule):
                found.setdefault(rule, {})[f"{type(part).__name__.lower()} {name}"] = None
    return {rule: tuple(by) for rule, by in found.items()}


# beside the list of rules -------------------------------------------------------------------------


class RuleStatus(Struct, frozen=True):
    """The number of a rule, its summary, and its status: cited by the parts `by`, modelled within a
    rule that is cited, explained, or missing.
    """

    rule: str
    says: str
    status: Status
    by: tuple[str, ...] = ()
    why: str = ""


class RuleCoverage(Struct, frozen=True):
    """All rules of an edition in the rulebook's order, and the findings about them."""

    edition: str
    rules: tuple[RuleStatus, ...]
    findings: tuple[Finding, ...]

    def lines(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield the table of rules: number, status, summary, and what cites the rule or why nothing
        does.
        """
        for entry in self.rules:
            because = entry.why if entry.status == "explained" else "".join(entry.by[:1])
            if entry.status == "within":
                because = f"as {because}"
            more = f" and {len(entry.by) - 1} more" if len(entry.by) > 1 else ""
            yield entry.rule, entry.status, entry.says, because + more

    def summary(self) -> str:
        """Return the totals in one line: how many rules there are, by status."""
        counts = Counter(entry.status for entry in self.rules)
        also = f" and {counts['within']} within one that is" if counts["within"] else ""
        every = f"{many(len(self.rules), 'rule')} of {self.edition or 'the rulebook'}"
        left_out = f"{counts['explained']} left out on purpose, {counts['missing']} missing"
        return f"{every}: {counts['cited']} cited{also}, {left_out}"

    def as_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {**to_builtins(self), "findings": [finding.as_dict() for finding in self.findings]}


def rule_coverage(model: Model, notes: RulebookNotes) -> RuleCoverage:
    """Return the status of each rule in this model."""
    found = cited(model)
    notes = in_edition(notes, model)
    entries = list[RuleStatus]()
    findings = list[Finding]()
    for number, rule in notes.rules.items():
        by = found.get(number, (rule.by,) if rule.by else ())
        status: Status = "explained" if rule.why and not by else "missing"
        if number in found:
            status = "cited"
        elif rule.by in found:
            status = "within"
        entries.append(RuleStatus(number, rule.says, status, by, rule.why))
        if status == "missing":
            words = f"nothing cites rule {number} ({rule.says}), and nobody says why"
            if by:
                within = f"rule {number} is said to be modelled within {rule.by!r}"
                words = f"{within}, which nothing cites"
            findings.append(Finding("rule missing", number, words))
    findings += _of_citations(notes, found)
    edition = model.edition or notes.edition
    return RuleCoverage(edition, tuple(entries), tuple(findings))


def in_edition(notes: RulebookNotes, model: Model) -> RulebookNotes:
    """Return notes with what holds in the model's edition and for its options, by its numbers."""
    cite = cites(model.name, model.edition)
    rules = dict[str, Rule]()
    for listed, rule in _only(notes.rules, model):
        if number := cite(listed):
            rule = _explained(rule, cite(rule.by), model)
            if number in rules:  # two rules share a number in this edition
                rule = replace(rule, says=f"{rules[number].says}; {rule.says}")
            rules[number] = rule
    sections = dict[str, Rule]()
    for listed, section in _only(notes.sections, model):
        if all(map(cite, SECTION.findall(listed))):
            sections[SECTION.sub(lambda match: cite(match[0]), listed)] = section
    return replace(notes, rules=rules, sections=sections, beyond=dict(_only(notes.beyond, model)))


def _only(rules: Mapping[str, Rule], model: Model) -> Iterator[tuple[str, Rule]]:
    return ((number, rule) for number, rule in rules.items() if holds(rule.only, model))


def _explained(rule: Rule, by: str, model: Model) -> Rule:
    """Return a rule with why nothing cites it, if that counts for this model."""
    if not holds(rule.when, model):
        return replace(rule, why="", by="")
    return replace(rule, why=rule.why or (NOT_READ if rule.by and not by else ""), by=by)


def _of_citations(notes: RulebookNotes, found: Mapping[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Find citations of no rule, and citations beyond the rules that are not there."""
    for number, by in found.items():
        if number not in notes.rules and number not in notes.beyond:
            meant = suggest(number, notes.rules, limit=0)
            words = f"{by[0]} cites {number!r}, which is not on the list of rules{meant}"
            yield Finding("no such rule", number, words)
    for number in notes.beyond:
        if number not in found:
            words = f"{number!r} is listed as a citation beyond the rules, and nothing cites it"
            yield Finding("idle allowance", number, words)


# beside a text ------------------------------------------------------------------------------------


class RuleNumbers(Struct, frozen=True):
    """The difference between the cited numbers and those of a file.

    `cited` is how many numbers are cited. `missing` has those that are not in the file. `uncited`
    has the numbers of the modelled sections that are neither cited nor on the ruleset's list of
    rules.
    """

    cited: int
    missing: tuple[str, ...]
    uncited: tuple[str, ...]


def compare_numbers(model: Model, notes: RulebookNotes, path: Path) -> RuleNumbers:
    """Compare the numbers that a model cites with those of a file.

    Raises CheckError if the model cites no numbers, or if the file has none of them or is too
    large, and OSError.
    """
    notes = in_edition(notes, model)
    numbers = {number for number in cited(model) if NUMBER.fullmatch(number)}
    numbers.difference_update(notes.beyond)
    if not numbers:
        raise CheckError(
            f"{model.name} cites no rule by a number, so it cannot be compared with a rulebook; "
            "name a ruleset that cites numbers"
        )
    found = numbers_of(_text(path))
    if numbers.isdisjoint(found):
        raise CheckError(
            f"{path}: it has none of the {len(numbers)} rule numbers that {model.name} cites, such "
            f"as {min(numbers)}; name the rulebook as plain text"
        )
    listed = numbers.union(notes.rules)
    uncited = (n for n in found if n not in listed and _is_inside(n, notes.sections))
    missing = sorted(numbers - found.keys())
    return RuleNumbers(len(numbers), tuple(missing), tuple(uncited))


def numbers_of(text: str) -> dict[str, None]:
    """Return the numbers with which lines begin, such as "514.3a" or "514.", in order."""
    matches = filter(None, map(_BEGINS.match, text.splitlines()))
    return {match[1]: None for match in matches if "." in match[1] or match[2]}


def _is_inside(number: str, sections: Iterable[str]) -> bool:
    """Say whether a rule is in one of these sections, such as "117" or "500 to 514"."""
    section, dot, _ = number.partition(".")
    for named in sections:
        first, _, last = named.partition(" to ")
        if first.isdigit() and int(first) <= int(section) <= int(last or first):
            return bool(dot)
    return False


def _text(path: Path) -> str:
    data = read_bytes(path, CheckError)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
