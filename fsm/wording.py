"""How states, guards, transitions and citations are said in words: once, for everything that shows them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from fsm.model import Model, State, Term, Transition

_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")
LONGEST = 160


@lru_cache(maxsize=4096)
def plain(text: str, longest: int = LONGEST) -> str:
    """A text as one line without control characters, cut off at a sane length: it comes from outside.

    Marks that turn the direction of what follows go, too: letters have their own, and no name may turn its neighbours.
    """
    text = " ".join(_UNPRINTABLE.sub(" ", _TURNING.sub("", text[: 4 * longest])).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def blanks(name: str) -> str:
    """A name as people read it: blanks for underscores."""
    return plain(name.replace("_", " "))


def label_of(state: State) -> str:
    """What a state is called in a picture."""
    return plain(state.label) or blanks(state.name or state.id)


def term_words(term: Term) -> str:
    """One literal of a guard."""
    return blanks(term.fact) if term.value else f"not {blanks(term.fact)}"


def guard_words(terms: Iterable[Term]) -> str:
    """A guard without brackets: "first turn, not draw missed"."""
    return ", ".join(map(term_words, terms))


def lower_first(text: str) -> str:
    """The text with a small first letter, unless the first word is an abbreviation."""
    return text if text[1:2].isupper() else text[:1].lower() + text[1:]


def upper_first(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def rules_of(rows: Iterable[Transition]) -> str:
    """The citations of these rows, each once, in order."""
    return ", ".join(dict.fromkeys(plain(r.rule) for r in rows if r.rule))


def cite(model: Model, rule: str) -> str:
    """A citation for a tooltip: "CR 2026-01, 510.4"."""
    return ", ".join(part for part in (plain(model.edition), plain(rule)) if part)


def is_else(model: Model, row: Transition, *, drawn: bool = False) -> bool:
    """Does this unguarded row stand below guarded ones for the same event? `drawn`: below some that lead elsewhere?"""
    if row.guard:
        return False
    known = model.rows(row.source, row.event) or model.transitions
    same = [t for t in known if t.source == row.source and t.event == row.event]
    return any(t.guard and not t.generic and (t.target or not drawn) for t in same[: same.index(row)] if t is not row)


def guard_label(model: Model, row: Transition) -> str:
    """What a line says of its guard: "[first turn]", "else", or nothing."""
    if row.guard:
        return f"[{guard_words(row.guard)}]"
    return "else" if is_else(model, row, drawn=True) else ""


def event_words(model: Model, row: Transition) -> str:
    """The event, unless it is only that the state is finished."""
    event = next((e for e in model.events if e.name == row.event), None)
    return "" if event is None or event.completion else blanks(row.event)


def row_tip(model: Model, row: Transition) -> str:
    """One transition in one line of a tooltip: event [guard] to target / actions (rule)."""
    target = "nothing happens" if row.target is None else f"to {label_of(model.state(row.target))}"
    guard = f"[{guard_words(row.guard)}]" if row.guard else ("else" if is_else(model, row) else "")
    doing = "/ " + ", ".join(plain(str(a)) for a in row.actions) if row.actions else ""
    parts = [
        label_of(model.state(row.source)) + ":",
        event_words(model, row),
        guard,
        target,
        doing,
        f"({plain(row.rule)})" if row.rule else "",
    ]
    return " ".join(part for part in parts if part)


def fact_tips(model: Model, rows: Sequence[Transition]) -> list[str]:
    """The documentation of every fact that these rows read, one line each."""
    names = dict.fromkeys(term.fact for row in rows for term in row.guard)
    facts = [model.fact(name) for name in names]
    return [f"{blanks(f.name)}: {plain(f.doc)}" + (f" ({plain(f.rule)})" if f.rule else "") for f in facts]


def tooltip(
    model: Model, name: str, rows: Sequence[Transition], *, rule: str = "", doc: str = "", parts: Sequence[str] = ()
) -> str:
    """A tooltip: the name, what is documented, its parts, the facts read, the transitions, the citation last."""
    docs = [*([plain(doc)] if doc else []), *parts]
    special = [r for r in rows if not r.generic]
    docs += dict.fromkeys(plain(r.doc) for r in special if r.doc)
    lines = [name, *docs, *fact_tips(model, special), *(row_tip(model, r) for r in rows), cite(model, rule)]
    return "\n".join(line for line in lines if line)


def either(texts: Sequence[str]) -> str:
    """ "[a]" and "[b]" as "[a or b]": one line with both labels."""
    if len(texts) > 1 and all(t.startswith("[") and t.endswith("]") for t in texts):
        return "[" + "\nor ".join(t[1:-1] for t in texts) + "]"
    return "\nor ".join(texts)
