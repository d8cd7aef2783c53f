"""Describes parts of a model in sentences: guards, targets of transitions, and stages."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.model import Model, State, Transition
from fsm.wording import condition_of, label_of, window_words


def condition(model: Model, row: Transition) -> str:
    """Return when a transition fires: its guard in words, or that it needs none."""
    return str(condition_of(model, row.guard)) or "in any other case"


def arrow(model: Model, row: Transition) -> str:
    """Describe a transition: "here -> there on this event, if that", and its layer unless that is
    core.
    """
    when = condition_of(model, row.guard)
    return ends(model, row) + (f", {when}" if when else "") + cited(row.rule)


def ends(model: Model, row: Transition) -> str:
    """Describe its ends: "here -> there on this event"."""
    signal = f" on {row.event}" if row.event in model.signals else ""
    return f"{row.source} -> {row.target or 'nothing happens'}{signal}{layer(row)}"


def start(model: Model, row: Transition) -> str:
    """Describe its start: "here on this event"."""
    signal = f" on {row.event}" if row.event in model.signals else ""
    return f"{row.source}{signal}{layer(row)}"


def layer(row: Transition) -> str:
    """Return " (skip)" or another layer, or "" for core."""
    return "" if row.layer == "core" else f" ({row.layer})"


def cited(rule: str) -> str:
    """Return a citation to put after a sentence."""
    return f"  [{rule}]" if rule else ""


def stage(state: State) -> str:
    """Describe a stage in one line: what happens, and its rule."""
    what = window_words(state.opens) if state.kind == "window" else state.doc
    return label_of(state) + (f": {what}" if what else "") + cited(state.rule)


def contents(stages: Sequence[State]) -> str:
    """Describe what happens in a step, or which steps are in a phase, in order."""
    shown_stages = [s for s in stages if s.role in ("action", "window") or s.composite]
    texts = [window_words(s.opens) if s.kind == "window" else label_of(s) for s in shown_stages]
    return ", ".join(texts) or "nothing happens"


def shown(value: object) -> str:
    """Return the value of a field for people."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "nothing"
    if value is None or value == "":
        return "nothing"
    return (
        {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
    )
