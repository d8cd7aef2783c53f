"""Compares the rule numbers that a model cites with those in the plain text of a rulebook."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from fsm.checks.citing import cited
from fsm.checks.notes import CheckError, RulebookNotes
from fsm.checks.rulebook import in_edition
from fsm.errors import near_to
from fsm.files import SIZE_LIMIT, regular
from fsm.model import Model

NUMBER = re.compile(r"\d{1,4}(?:\.\d{1,4})*[a-z]{0,2}")
_BEGINS = re.compile(rf"[ \t#*>]*({NUMBER.pattern})(\.?)\**(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class RuleNumbers:
    """The difference between the cited numbers and those of a file.

    `cited` is how many numbers are cited. `missing` has those that are not in the file, each with
    the number of its section that is most like it, or "". `uncited` has the numbers of the modelled
    sections that are neither cited nor on the ruleset's list of rules.
    """

    cited: int
    missing: dict[str, str]
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
    missing = {n: _nearest(n, found) for n in sorted(numbers - found.keys())}
    return RuleNumbers(len(numbers), missing, tuple(uncited))


def numbers_of(text: str) -> dict[str, None]:
    """Return the numbers with which lines begin, such as "514.3a" or "514.", in order."""
    matches = filter(None, map(_BEGINS.match, text.splitlines()))
    return {match[1]: None for match in matches if "." in match[1] or match[2]}


def _nearest(number: str, found: Iterable[str]) -> str:
    section = number.partition(".")[0]
    return near_to(number, [other for other in found if other.partition(".")[0] == section])


def _is_inside(number: str, sections: Iterable[str]) -> bool:
    """Say whether a rule is in one of these sections, such as "117" or "500 to 514"."""
    section, dot, _ = number.partition(".")
    for named in sections:
        first, _, last = named.partition(" to ")
        if first.isdigit() and int(first) <= int(section) <= int(last or first):
            return bool(dot)
    return False


def _text(path: Path) -> str:
    with open(path, "rb", opener=regular) as file:
        data = file.read(SIZE_LIMIT + 1)
    if len(data) > SIZE_LIMIT:
        raise CheckError(f"{path}: it is larger than {SIZE_LIMIT:,} bytes; name one rulebook")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8-sig", "replace")
