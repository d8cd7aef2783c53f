"""What the tooltips of pictures say of states and transitions."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Model, Transition
from fsm.views.drawing.rowlabels import called
from fsm.wording import citation, cited_rule, plain


def cite(model: Model, rule: str) -> str:
    """Return a citation with its edition: "CR 2026-01, 510.4"."""
    return ", ".join(part for part in (plain(model.edition), cited_rule(rule)) if part)


def tip(model: Model, name: str, *said: str, doc: str = "", rule: str = "") -> str:
    """Return a short tooltip, for pictures that everybody reads: the name, what is said of it, and
    the citation.
    """
    return "\n".join(filter(None, (name, plain(doc), *said, cite(model, rule) if rule else "")))


def fact_tips(model: Model, rows: Sequence[Transition]) -> list[str]:
    """Return the documentation of every fact that these rows read, one line each."""
    names = dict.fromkeys(term.fact for row in rows for term in row.guard)
    facts = [fact for name in names if (fact := model.fact(name)).doc or model.played]
    return [f"{called(model, f.name)}: {plain(f.doc)}{citation(cited_rule(f.rule))}" for f in facts]


def tooltip(
    model: Model,
    name: str,
    rows: Sequence[Transition],
    *,
    rule: str = "",
    doc: str = "",
    parts: Sequence[str] = (),
) -> str:
    """Return a tooltip: the name, its documentation, its parts, what the facts mean, and the
    citation.
    """
    docs = [*([plain(doc)] if doc else []), *parts]
    special = [r for r in rows if not r.generic]
    docs += dict.fromkeys(plain(r.doc) for r in special if r.doc)
    lines = [name, *docs, *fact_tips(model, special), cite(model, rule)]
    return "\n".join(line for line in lines if line)
