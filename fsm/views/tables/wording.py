"""The words of a table: conditions from the documentation of facts, names from labels, and whole
sentences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from fsm.model import Model, State, Term, Transition
from fsm.views.tables.stateorder import outgoing
from fsm.wording import (
    Condition,
    blanks,
    clause,
    condition_of,
    doc_of,
    fact_words,
    label_of,
    line,
    lower_first,
    upper_first,
)


def event_words(model: Model, name: str) -> str:
    """Return what happens on this event."""
    doc = next((event.doc for event in model.events if event.name == name), "")
    return clause(doc) or blanks(name)


def no_transition(_: Transition) -> bool:
    """No transition."""
    return False


def condition(
    model: Model,
    row: Transition,
    harmless: Callable[[Transition], bool] = no_transition,
    described: Callable[[Transition], bool] = no_transition,
) -> Condition:
    """Return when this transition fires: its guard holds, and no guard above it.

    A transition above does not count if it has the same target or is `harmless`. If those above
    have just been `described` and are not simple facts, "otherwise" stands for them.
    """
    above = [r for r in _above(model, row) if r.target != row.target and not harmless(r)]
    hard = [r for r in above if len(r.guard) > 1]
    otherwise = any(map(described, hard))
    above = [r for r in above if not (otherwise and described(r))]
    denied = [Term(r.guard[0].fact, not r.guard[0].value) for r in above if len(r.guard) == 1]
    found = condition_of(model, (*row.guard, *denied))
    more = [_all(model, r.guard) for r in above if len(r.guard) > 1]
    return Condition(found.holds, tuple(dict.fromkeys((*found.fails, *more))), otherwise)


def _above(model: Model, row: Transition) -> list[Transition]:
    same = [t for t in outgoing(model)[row.source] if t.event == row.event]
    return [t for t in same[: same.index(row)] if t.guard and not t.generic]


def _all(model: Model, terms: Iterable[Term]) -> str:
    return " and ".join(
        fact_words(model, t.fact) if t.value else f"not so: {fact_words(model, t.fact)}"
        for t in terms
    )


def either(conditions: Iterable[Condition]) -> Condition:
    """Combine alternative conditions. The result is empty if one of them is always true."""
    ways = list(dict.fromkeys(conditions))
    if len(ways) < 2 or not all(ways):
        return Condition() if not all(ways) or not ways else ways[0]
    otherwise = all(way.otherwise for way in ways)
    bare = [replace(way, otherwise=way.otherwise and not otherwise) for way in ways]
    if not all(bare):
        return Condition(otherwise=otherwise)
    simple = all(len(way.holds) == 1 and not way.fails and not way.otherwise for way in bare)
    words = " or ".join(way.holds[0] if simple else str(way) for way in bare)
    return Condition((words if simple else words.removeprefix("if "),), otherwise=otherwise)


def capital(text: str) -> str:
    """Return the text with a capital first letter, also after a quotation mark."""
    return text[:1] + upper_first(text[1:]) if text[:1] in "“‘\"'" else upper_first(text)


def sentence(when: Condition | str, what: str) -> str:
    """Return a sentence: "If it rains: the step ends." or "The step ends."."""
    text = capital(f"{when}: {what}" if when else what)
    return text if text.endswith(("?", "!", "…")) else text + "."


def action_sentence(state: State, when: Condition | str = "") -> str:
    """Return what an action does, as a sentence."""
    label, more = label_of(state), line(doc_of(state)) or blanks(state.manner)
    if when:
        return sentence(when, lower_first(label) + (f" ({more})" if more else ""))
    return sentence(label, more) if more else sentence("", label)


def ending_sentence(state: State, when: Condition | str = "") -> str:
    """Return what the end of a step or phase does. Its label only says that it ends."""
    what = line(doc_of(state)) or blanks(state.action) or label_of(state)
    return sentence(when, lower_first(what))


def state_words(model: Model, id: str) -> str:
    """Return the name of a state for readers."""
    state = model.state(id)
    home = model.state(state.parent) if state.parent else state
    if home.kind in ("turn", state.kind):
        return label_of(state)
    if state.role in ("before", "begin"):
        return label_of(home)
    if state.role in ("end", "after"):
        return f"the end of {label_of(home)}"
    return f"{label_of(home)}, at: {label_of(state)}"
