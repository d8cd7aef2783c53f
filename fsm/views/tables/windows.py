"""Describes windows in a table: two rows for each, and two footnotes, all from the window's Model."""

from __future__ import annotations

from collections.abc import Iterator, Set

from fsm.model import Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.views.tables.stateorder import outgoing, reached
from fsm.views.tables.turntable import Footnote, Row
from fsm.views.tables.wording import condition, event_words, sentence
from fsm.wording import Condition, blanks, clause, condition_of, label_of, line, lower_first

A, B = "A", "B"


def asking(window: Model | None, asks: str) -> tuple[State, ...]:
    """Return the reachable states of a window Model that make this kind of request."""
    return (
        tuple(s for s in window.leaves if s.asks == asks and s.id in reached(window))
        if window
        else ()
    )


def window_rows(
    model: Model, state: State, when: Condition | str, *, first: bool, acted: bool
) -> Iterator[Row]:
    """Yield the two rows of a window: what is put on the stack as it opens, and who may act."""
    placing = bool(asking(model.window, "place"))
    rule = state.rule or (model.state(state.parent).rule if state.parent else "")
    if state.doc or placing:
        text = f"put on the stack: {line(state.doc) or _waiting(model, state, first=first, acted=acted)}"
        yield Row("triggers", sentence(when, text), rule, A if placing else "", state.id)
    may_act = asking(model.window, "priority")
    yield Row("window", _acting(model, state, when), rule, B if may_act else "", state.id)


def _waiting(model: Model, state: State, *, first: bool, acted: bool) -> str:
    home = label_of(model.state(state.parent)) if state.parent else "it"
    if not first:
        return "abilities that triggered since then"
    others = "since then" if acted else "are still waiting"
    return f"abilities that triggered as {home} began, or {others}"


def _acting(model: Model, state: State, when: Condition | str) -> str:
    holder = next(iter(asking(model.window, "priority")), None)
    who = clause(holder.doc) if holder and holder.doc else "players may act"
    closing = [] if model.window is None else list(_closings(model.window, state))
    conditions = [_denied(c) for c in closing[:1]] or (
        [_NEEDED] if state.opens not in ("", "natural") else []
    )
    prefix = ", ".join(part for part in (str(when), *conditions) if part)
    return sentence(
        prefix,
        f"{label_of(state)}: {who}" if not prefix else f"{lower_first(label_of(state))}, {who}",
    )


_NEEDED = "only if there is a reason"


def _closings(window: Model, state: State) -> Iterator[Condition]:
    """Yield when a window of this kind closes before anybody could act."""
    before = _before_anybody(window)
    for row in window.transitions:
        own = [t for t in row.guard if _is_kind(window, t.fact, state.opens)]
        if own and all(t.value for t in own) and row.source in before and _closes(window, row):
            yield condition_of(window, [t for t in row.guard if t not in own])


def _denied(closing: Condition) -> str:
    """Return when a window opens that closes at once under a condition."""
    if closing.holds:
        return f"not {closing}"
    return f"only if {' or '.join(closing.fails)}" if closing.fails else "never"


def _is_kind(window: Model, fact: str, opens: str) -> bool:
    return window.fact(fact).test == ("window_opens", opens)


def _closes(window: Model, row: Transition) -> bool:
    return row.target is not None and window.state(row.target).kind == "final"


def _before_anybody(window: Model) -> Set[str]:
    """Return the states that come before anybody may act."""

    def onward(here: str) -> list[str]:
        asking = window.state(here).asks == "priority"
        return [] if asking else [row.target for row in outgoing(window)[here] if row.target]

    return reachable_from([window.initial], onward)


def footnotes(model: Model, used: set[str]) -> Iterator[Footnote]:
    """Yield the footnotes whose marks the table uses."""
    if model.window is not None:
        made = {
            A: tuple(_placing(model.window)),
            B: (*_checking(model.window), *_priority_order(model.window)),
        }
        yield from (Footnote(mark, rows) for mark, rows in made.items() if mark in used)


def _placing(window: Model) -> Iterator[Row]:
    for state in asking(window, "place"):
        manner = clause(state.doc) or blanks(state.manner or state.action)
        after = [clause(row.doc) for row in outgoing(window)[state.id] if row.doc]
        words = "; ".join([f"{label_of(state)}: {manner}" if manner else label_of(state), *after])
        yield Row("triggers", sentence("", words), state.rule, state=state.id)


def _checking(window: Model) -> Iterator[Row]:
    for state in asking(window, "check"):
        home = window.state(state.parent) if state.parent else None
        until = [
            clause(row.doc)
            for row in window.transitions
            if row.target == state.id and _returns(window, row)
        ]
        parts = [line(state.doc), *until]
        when = clause(home.doc) if home else ""
        words = ", ".join(part for part in (label_of(state), when) if part)
        more = "; ".join(part for part in dict.fromkeys(parts) if part)
        yield Row(
            "action",
            sentence("", f"{words}: {more}" if more else words),
            state.rule,
            state=state.id,
        )


def _returns(window: Model, row: Transition) -> bool:
    """Say whether the transition leads back to a check directly after its result."""
    state = window.state(row.source)
    return (
        bool(row.doc and row.guard)
        and state.kind == "choice"
        and any(
            t.target == row.source and window.state(t.source).asks == "check"
            for t in window.transitions
        )
    )


def _priority_order(window: Model) -> Iterator[Row]:
    """Describe the order of priority, from when a player has it until the window closes."""
    early = _before_anybody(window)
    for row in window.transitions:
        source, goal = window.state(row.source), window.state(row.target) if row.target else None
        described = source.asks == "priority" or (
            row.source not in early and source.asks != "resolve"
        )
        if row.event in source.words and (
            described or (goal is not None and goal.asks == "resolve")
        ):
            yield from _round(window, row, goal)


def _round(window: Model, row: Transition, goal: State | None) -> Iterator[Row]:
    when = condition(window, row, described=lambda _: True)
    when = when.when(event_words(window, row.event)) if row.event in window.signals else when
    if goal is not None and goal.asks == "resolve":
        after = [r.doc for r in outgoing(window)[goal.id]]
        words = "; ".join(clause(part) for part in (label_of(goal), goal.doc, *after) if part)
    elif goal is not None and goal.kind == "final":
        words = f"{clause(label_of(goal))}, and the turn goes on"
    else:
        words = clause(row.doc)
    if words:
        yield Row("window", sentence(when, words), row.rule, state=row.source)
