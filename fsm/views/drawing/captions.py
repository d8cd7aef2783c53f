"""What the diagrams of all views say in words: captions, notes, and rules in brackets."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.model import LAYERS, Layer, Model, State, Transition
from fsm.views.drawing.holes import is_hole
from fsm.views.drawing.rowlabels import event_words, guard_label, is_else
from fsm.wording import NOTHING_HAPPENS, citation, label_of, plain


def caption_of(lines: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """The lines of a caption, each of its sentences; what is empty is left out."""
    return tuple(said for line in lines if (said := " ".join(part for part in line if part)))


def headline(model: Model, *, cited: bool = True) -> list[str]:
    """How a caption begins: the edition, and what small numbers are if something is cited."""
    edition = plain(model.edition)
    return [f"{edition}." if edition else "", "Small numbers cite the rule." if cited else ""]


def holes_said(model: Model, states: Iterable[State]) -> str:
    """The sentence about the holes among these states, or ""."""
    holes = [label_of(state) for state in states if state.kind != "final" and is_hole(model, state)]
    return f"NO WAY ON from: {', '.join(holes)}." if holes else ""


def nothing_changes(
    model: Model, row: Transition, *, at: str = "", rule: str = "", otherwise: bool = False
) -> str:
    """A transition without a target, which is said instead of drawn: "attack [first turn]: nothing
    happens (1.1)".

    `at` is said of the places, `rule` is cited instead of its own, and `otherwise` is said if it
    has no guard.
    """
    guard = (guard_label(model, row) if row.guard else "") or (
        "otherwise" if otherwise or is_else(model, row) else ""
    )
    said = " ".join(part for part in (event_words(model, row) or "done", guard, at) if part)
    return f"{said}: {plain(row.doc) or NOTHING_HAPPENS}{citation(rule or plain(row.rule))}"


def box_rule(model: Model, state: State) -> str:
    """The rule that a box cites; none if its title, or that of a box around it, says as much or all
    but the number.
    """
    rule = plain(state.rule)
    said = {rule.casefold(), rule.casefold().rpartition(" ")[0]}
    titles = {(label_of(box).casefold(), box.kind) for box in model.path(state.id)}
    return (
        ""
        if said & {name for label, kind in titles for name in (label, f"{label} {kind}")}
        else rule
    )


def special(rows: Iterable[Transition]) -> Layer:
    """The most special layer among these transitions."""
    return max((row.layer for row in rows), key=LAYERS.index, default="core")
