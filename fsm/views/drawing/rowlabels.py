"""What a line of a picture says of its transition: its event and its guard."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.wording import blanks, guard_in_brackets, guard_words, plain


def is_else(model: Model, row: Transition, *, drawn: bool = False) -> bool:
    """Say whether this row has no guard and stands below rows for the same event that have one.

    If `drawn`, only rows that lead elsewhere count.
    """
    if row.guard:
        return False
    known = model.rows(row.source, row.event) or model.transitions
    same = [t for t in known if t.source == row.source and t.event == row.event]
    return any(
        t.guard and not t.generic and (t.target or not drawn)
        for t in same[: same.index(row)]
        if t is not row
    )


def guard_label(model: Model, row: Transition, *, drawn: bool = True) -> str:
    """Return what is said of a guard: "[first turn]", "else", or nothing. `drawn` is that of
    `is_else`.
    """
    said = (
        guard_in_brackets(row.guard)
        if model.played or not row.guard
        else f"[{plain(guard_text(row.guard))}]"
    )
    return said or ("else" if is_else(model, row, drawn=drawn) else "")


def instead(rows: Sequence[Transition]) -> str:
    """Return what is so when none of these guards holds, for an "else" beside which they are not
    drawn.
    """
    guards = list(dict.fromkeys(row.guard for row in rows if row.guard))
    if all(len(guard) == 1 for guard in guards):
        return guard_in_brackets(Term(term.fact, not term.value) for (term,) in guards)
    return f"[unless {' or '.join(map(guard_words, guards))}]"


def event_words(model: Model, row: Transition) -> str:
    """Return the event, or "" if it only means that the state is finished."""
    return called(model, row.event) if row.event in model.signals else ""


def called(model: Model, name: str) -> str:
    """Return the name of an event or fact as people read it; as it was written if it is a plain
    machine's.
    """
    return blanks(name) if model.played else plain(name)


def either(texts: Sequence[str]) -> str:
    """Combine "[a]" and "[b]" as "[a or b]", for one line with both labels."""
    if len(texts) > 1 and all(t.startswith("[") and t.endswith("]") for t in texts):
        return "[" + "\nor ".join(t[1:-1] for t in texts) + "]"
    return "\nor ".join(texts)
