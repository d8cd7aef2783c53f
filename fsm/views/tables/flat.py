"""The table of a model without phases and steps, such as a window: its states, and what follows
each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby

from fsm.model import Model, State, Transition
from fsm.views.drawing.everywhere import folded
from fsm.views.tables.stateorder import outgoing, state_order, stops
from fsm.views.tables.tidying import tidy_phase
from fsm.views.tables.turntable import PhaseRows, Row, StepRows, TurnTable
from fsm.views.tables.wording import event_words, sentence
from fsm.wording import condition_of, label_of, line, plain

HEADS = ("Part", "State", "What follows", "Rule")


def flat(model: Model) -> TurnTable:
    """Return the table of a model's states in the order in which they run, with transitions in the
    order tried.

    What is the same for every state is described once.
    """
    model = folded(model).model
    states = [model.state(id) for id in state_order(model, model.leaves).order]
    parts = (
        _part(model, home, list(found)) for home, found in groupby(states, key=lambda s: s.parent)
    )
    phases = tuple(map(tidy_phase, parts))
    options = tuple(
        (plain(name), plain(str(value).lower())) for name, value in model.options.items()
    )
    return TurnTable(
        line(model.title or model.name), line(model.edition), HEADS, phases, options=options
    )


def _part(model: Model, home: str, states: list[State]) -> PhaseRows:
    steps = [StepRows(s.id, label_of(s), s.rule, tuple(_rows(model, s))) for s in states]
    if not home:
        return PhaseRows("", "", "", tuple(steps))
    outer = model.state(home)
    if outgoing(model)[home]:
        everywhere = f"anywhere in {label_of(outer)}"
        steps.append(StepRows(home, everywhere, outer.rule, tuple(_ways(model, outer))))
    return PhaseRows(home, label_of(outer), outer.rule, tuple(steps), line(outer.doc))


def _rows(model: Model, state: State) -> Iterator[Row]:
    if state.doc:
        yield Row("action", sentence("", line(state.doc)), state.rule, state=state.id)
    if state.kind == "final":
        yield Row("end", "Ends here.", state.rule, state=state.id)
    yield from _ways(model, state)
    if stops(model, state):
        yield Row("hole", "No way on from here.", state.rule, state=state.id)


def _ways(model: Model, state: State) -> Iterator[Row]:
    rows = outgoing(model)[state.id]
    for row in rows:
        above = any(t.guard for t in rows[: rows.index(row)] if t.event == row.event)
        yield Row("then", _way(model, row, above), row.rule or state.rule, state=state.id)


def _way(model: Model, row: Transition, above: bool) -> str:
    when = replace(condition_of(model, row.guard), otherwise=above and not row.guard)
    when = when.when(event_words(model, row.event)) if row.event in model.signals else when
    where = (
        "nothing happens"
        if row.target is None
        else f"goes on with {label_of(model.state(row.target))}"
    )
    return sentence(when, where + (f" ({line(row.doc)})" if row.doc else ""))
