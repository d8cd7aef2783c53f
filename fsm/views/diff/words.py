"""Describes parts of a model in sentences: guards, targets of transitions, and stages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsm.model import Model, State, Term, Transition

OPENS = {
    "natural": "players may act",
    "conditional": "players may act if something happened",
    "conditional_round": "players may act if something is there",
    "": "nobody may act",
}


def label(state: State) -> str:
    """Return the name of a state for people."""
    return state.label or (state.name or state.id).replace("_", " ")


def guard(model: Model, terms: Iterable[Term]) -> str:
    """Return a guard in words: "if this, unless that or that", or "" if it always holds."""
    terms = list(terms)
    needed = [meaning(model, t.fact) for t in terms if t.value]
    barred = [meaning(model, t.fact) for t in terms if not t.value]
    parts = [f"if {' and '.join(needed)}" if needed else "", f"unless {' or '.join(barred)}" if barred else ""]
    return ", ".join(part for part in parts if part)


def meaning(model: Model, fact: str) -> str:
    """Return the documentation of a fact, or its name if it has none."""
    return model.fact(fact).doc or fact.replace("_", " ")


def condition(model: Model, row: Transition) -> str:
    """Return when a transition fires: its guard in words, or that it needs none."""
    return guard(model, row.guard) or "in any other case"


def arrow(model: Model, row: Transition) -> str:
    """Describe a transition: "here -> there on this event, if that", and its layer unless that is core."""
    when = guard(model, row.guard)
    return ends(model, row) + (f", {when}" if when else "") + cited(row.rule)


def ends(model: Model, row: Transition) -> str:
    """Describe its ends: "here -> there on this event"."""
    signal = "" if is_done(model, row) else f" on {row.event}"
    return f"{row.source} -> {row.target or 'nothing happens'}{signal}{layer(row)}"


def start(model: Model, row: Transition) -> str:
    """Describe its start: "here on this event"."""
    signal = "" if is_done(model, row) else f" on {row.event}"
    return f"{row.source}{signal}{layer(row)}"


def layer(row: Transition) -> str:
    """Return " (skip)" or another layer, or "" for core."""
    return "" if row.layer == "core" else f" ({row.layer})"


def is_done(model: Model, row: Transition) -> bool:
    """Say whether the event only means that the source is finished."""
    return any(e.name == row.event and e.completion for e in model.events)


def cited(rule: str) -> str:
    """Return a citation to put after a sentence."""
    return f"  [{rule}]" if rule else ""


def stage(state: State) -> str:
    """Describe a stage in one line: what happens, and its rule."""
    what = OPENS.get(state.opens, state.opens) if state.kind == "window" else state.doc
    return label(state) + (f": {what}" if what else "") + cited(state.rule)


def contents(stages: Sequence[State]) -> str:
    """Describe what happens in a step, or which steps are in a phase, in order."""
    shown_stages = [s for s in stages if s.role in ("action", "window") or s.composite]
    texts = [OPENS.get(s.opens, s.opens) if s.kind == "window" else label(s) for s in shown_stages]
    return ", ".join(texts) or "nothing happens"


def shown(value: object) -> str:
    """Return the value of a field for people."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    if value is None or value == "":
        return "nothing"
    return {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
