"""Writes what was found of rulebooks as text for people and as plain values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fsm.analysis.rulebook.book import Rulebook
from fsm.analysis.rulebook.comparing import RuleChange
from fsm.analysis.rulebook.watching import (
    RulebookComparison,
    RulebookReport,
    RuleConcerned,
    RuleUse,
)

Span = tuple[str, str]
Lines = Iterator[Sequence[Span]]
NAMED = 3
"""So many parts that cite a rule are named, and so many places where its words differ."""
WIDE = 70
_TRANSITION = "transition "
_TITLES = {
    "renumbered": "The same words under a new number",
    "renumbered and changed": "Other words under a new number",
    "changed": "Other words under the same number",
    "went": "Went",
    "came": "Came",
}
_ONLY = {"": "", "examples": "only its examples", "references": "only the rules that it refers to"}


def report_lines(ruleset: str, found: RulebookReport) -> Lines:
    """Yield what was found of one rulebook, in lines of (text, style)."""
    yield [(f"{ruleset}{_edition(found.edition)} and {_book(found.book)}", "head")]
    if found.absent:
        yield from _heading("Cited, but not in the file")
        for use in found.absent:
            yield from _use(use)
    if found.sections:
        yield from _heading(
            "Sections that are not in the file, and how many of their rules are cited"
        )
        yield [
            (
                f"  {', '.join(f'{section} ({len(uses)})' for section, uses in found.sections.items())}",
                "",
            )
        ]
    if found.uncited:
        yield from _heading("In the modelled sections, and neither cited nor explained")
        for rule in found.uncited:
            yield [(f"  {rule.number}  ", "bad"), (_cut(rule.text), "")]
    if found.below:
        yield from _heading("Likewise, but a rule above is cited or explained")
        yield [(f"  {', '.join(rule.number for rule in found.below)}", "")]
    yield from _twice(found.book)
    yield []
    if not _there(found):
        yield [
            (
                f"No cited rule is in the file: it may be of another edition than {found.edition}",
                "extra",
            )
        ]
    yield [(report_summary(found), "head")]


def report_summary(found: RulebookReport) -> str:
    """Return the totals in one line."""
    away = sum(map(len, found.sections.values()))
    parts = [f"{_there(found)} in the file"]
    parts += [f"{len(found.absent)} not"] if found.absent or not away else []
    parts += [f"{away} in sections that are not in the file"] if away else []
    return (
        f"{_count(found.cited, 'cited rule')}: {', '.join(parts)}; {_count(len(found.uncited), 'rule')} of the "
        f"modelled sections neither cited nor explained"
    )


def _there(found: RulebookReport) -> int:
    """Return how many of the cited rules are in the file."""
    return found.cited - len(found.absent) - sum(map(len, found.sections.values()))


def comparison_lines(ruleset: str, found: RulebookComparison) -> Lines:
    """Yield what changed between two rulebooks, in lines of (text, style)."""
    yield [(f"{ruleset}{_edition(found.edition)}", "head")]
    yield [(f"  from {_book(found.old)}", "")]
    yield [(f"  to   {_book(found.new)}", "")]
    for kind, title in _TITLES.items():
        entries = [one for one in found.concerned if one.change.kind == kind]
        if entries:
            yield from _heading(title)
        for one in entries:
            yield from _concerned(one)
    yield from _twice(found.old)
    yield from _twice(found.new)
    yield []
    if found.others:
        yield [(f"elsewhere: {_by_kind(found.others)} (--json names them)", "muted")]
    yield [(comparison_summary(found), "head")]


def comparison_summary(found: RulebookComparison) -> str:
    """Return the totals in one line."""
    cited = sum(bool(one.use.by) for one in found.concerned)
    said = (
        f"{_by_kind(one.change for one in found.concerned)}; {cited} of these cited"
        if found.concerned
        else "nothing"
    )
    return f"concerns the ruleset: {said}; {_count(found.kept, 'rule')} as before"


def _by_kind(changes: Iterable[RuleChange]) -> str:
    kinds = [change.kind for change in changes]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in _TITLES if kind in kinds)


def _concerned(one: RuleConcerned) -> Lines:
    change, use = one.change, one.use
    number = (
        f"{change.old} -> {change.new}"
        if change.old and change.new != change.old and change.new
        else use.number
    )
    why = f" ({_ONLY[change.only]})" if change.only else ""
    yield [
        (f"  {number}", "extra" if use.by else ""),
        (f"{why}{f'  {use.says}' if use.says else ''}", ""),
    ]
    for was, now in one.words[:NAMED]:
        yield [("          ", ""), *_instead(was, now)]
    if len(one.words) > NAMED:
        yield [(f"          and {len(one.words) - NAMED} more places", "muted")]
    yield from _cited_by(use)


def _instead(was: str, now: str) -> list[Span]:
    spans = [(f'- "{_cut(was)}"', "bad")] if was else []
    spans += [("  ", "")] if was and now else []
    return [*spans, *([(f'+ "{_cut(now)}"', "good")] if now else [])]


def _use(use: RuleUse) -> Lines:
    yield [(f"  {use.number}", "bad"), (f"  {use.says}" if use.says else "", "")]
    yield from _cited_by(use)


def _cited_by(use: RuleUse) -> Lines:
    """Say which parts cite a rule, transitions first."""
    if use.by:
        by = sorted(use.by, key=lambda part: not part.startswith(_TRANSITION))
        more = f" and {len(by) - NAMED} more" if len(by) > NAMED else ""
        yield [(f"          cited by {'; '.join(by[:NAMED])}{more}", "muted")]


def _twice(book: Rulebook) -> Lines:
    if book.twice:
        named = ", ".join(book.twice[:8]) + (
            f" and {len(book.twice) - 8} more" if len(book.twice) > 8 else ""
        )
        yield []
        yield [
            (
                f"{book.name} has some numbers twice with different words; the longer text counts: {named}",
                "extra",
            )
        ]


def _heading(words: str) -> Lines:
    yield []
    yield [(words, "head")]


def _book(book: Rulebook) -> str:
    since = f", effective {book.effective}" if book.effective else ""
    return f"{book.name} ({_count(len(book.rules), 'numbered entry', 'numbered entries')}{since})"


def _edition(edition: str) -> str:
    return f" ({edition})" if edition else ""


def _count(number: int, one: str, several: str = "") -> str:
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def _cut(text: str) -> str:
    return text if len(text) <= WIDE else f"{text[: WIDE - 3]}..."


def report_as_json(found: RulebookReport) -> dict[str, Any]:
    """Return what was found of one rulebook as plain JSON values."""
    return {
        "edition": found.edition,
        "file": _book_as_json(found.book),
        "cited": found.cited,
        "missing": list(map(_use_as_json, found.absent)),
        "missing_sections": {
            section: list(map(_use_as_json, uses)) for section, uses in found.sections.items()
        },
        "uncited": [
            {"rule": rule.number, "line": rule.line, "text": rule.text} for rule in found.uncited
        ],
        "below_cited": [rule.number for rule in found.below],
        "good": found.good,
    }


def comparison_as_json(found: RulebookComparison) -> dict[str, Any]:
    """Return what changed between two rulebooks as plain JSON values."""
    return {
        "edition": found.edition,
        "from": _book_as_json(found.old),
        "to": _book_as_json(found.new),
        "kept": found.kept,
        "concerned": [
            {
                **_change_as_json(one.change),
                **_use_as_json(one.use),
                "modelled": one.modelled,
                "words": [{"was": was, "is": now} for was, now in one.words],
            }
            for one in found.concerned
        ],
        "elsewhere": list(map(_change_as_json, found.others)),
        "good": found.good,
    }


def _book_as_json(book: Rulebook) -> dict[str, Any]:
    return {
        "name": book.name,
        "effective": book.effective,
        "rules": len(book.rules),
        "twice": list(book.twice),
    }


def _change_as_json(change: RuleChange) -> dict[str, Any]:
    return {"is": change.kind, "old": change.old, "new": change.new, "only": change.only}


def _use_as_json(use: RuleUse) -> dict[str, Any]:
    transitions = [
        part.removeprefix(_TRANSITION) for part in use.by if part.startswith(_TRANSITION)
    ]
    return {"rule": use.number, "says": use.says, "by": list(use.by), "transitions": transitions}
