"""Describes what interrupts the turn anywhere: events with transitions from a whole turn, phase or
step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsm.model import Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.views.tables.stateorder import outgoing, state_order
from fsm.views.tables.turntable import Ending, Row
from fsm.views.tables.wording import (
    action_sentence,
    capital,
    condition,
    either,
    event_words,
    sentence,
    state_words,
)
from fsm.wording import Condition, clause, label_of, listed, rules_of


def endings(model: Model) -> Iterator[Ending]:
    """Yield one ending for each such event, in the model's order. Events that change nothing are
    left out.
    """
    for event in model.events:
        rows = [r for r in model.transitions if r.event == event.name and _breaks_in(model, r)]
        if any(row.target is not None for row in rows):
            yield Ending(
                event.name, capital(event_words(model, event.name)), tuple(_event_rows(model, rows))
            )


def _breaks_in(model: Model, row: Transition) -> bool:
    return model.state(row.source).composite and row.event in model.signals


def _event_rows(model: Model, rows: Sequence[Transition]) -> Iterator[Row]:
    """Yield what follows. If it is the same in several places or cases, it is described once."""
    same: dict[tuple[str, ...], list[Transition]] = {}
    chains: dict[tuple[str, ...], list[Row]] = {}
    for row in (row for row in rows if not _contained(model, row, rows)):
        chain = list(_what(model, row))
        key = (
            *(described.text for described in chain),
            "" if _where(model, row) else str(condition(model, row)),
        )
        same.setdefault(key, []).append(row)
        chains.setdefault(key, chain)
    for key, alike in same.items():
        first, *more = chains[key]
        yield replace(first, text=_prefixed(model, first, _prefix(model, alike, rows)))
        yield from more


def _prefixed(model: Model, row: Row, when: str) -> str:
    if row.kind != "action" or not when:
        return sentence(when, clause(row.text))
    state = model.state(row.state)
    return action_sentence(state, when) + row.text.removeprefix(action_sentence(state))


def _contained(model: Model, row: Transition, rows: Sequence[Transition]) -> bool:
    """Say whether a transition of something around says the same."""
    around = {state.id for state in model.path(row.source)[1:]}
    return any((r.target, r.guard) == (row.target, row.guard) and r.source in around for r in rows)


def _where(model: Model, row: Transition) -> str:
    source = model.state(row.source)
    return "" if source.kind == "turn" else label_of(source)


def _prefix(model: Model, alike: Sequence[Transition], rows: Sequence[Transition]) -> str:
    places = [where for row in alike if (where := _where(model, row))]
    when = either(condition(model, row, described=lambda _: True) for row in alike)
    if not places and not when and rows[0] not in alike:
        return str(Condition(otherwise=True))
    return ", ".join(
        part for part in (f"in {listed(places, 'or')}" if places else "", str(when)) if part
    )


def _what(model: Model, row: Transition) -> Iterator[Row]:
    if row.target is None:
        yield Row("event", "Nothing else happens, the turn goes on.", row.rule, state=row.source)
    elif model.state(row.target).kind == "final":
        yield Row("event", f"{state_words(model, row.target)}.", row.rule, state=row.source)
    elif model.state(row.target).role != "procedure":
        yield Row(
            "event",
            f"The turn goes on with {_place(model, row, row.target)}.",
            row.rule,
            state=row.source,
        )
    else:
        yield from _procedure(model, row, row.target)


def _place(model: Model, row: Transition, id: str) -> str:
    """Return where the turn continues: "its end" if that is the end of the phase or step that is
    interrupted.
    """
    state = model.state(id)
    return (
        "its end"
        if state.parent == row.source and state.role in ("end", "after")
        else state_words(model, id)
    )


def _procedure(model: Model, row: Transition, first: str) -> Iterator[Row]:
    run = state_order(model, chain(model, first), first)
    for id in run.order:
        state = model.state(id)
        own = either(condition(model, r, run.leading(id)) for r in run.into(id))
        again = "".join(
            f" Again {condition(model, r)}." for r in run.back if r.source == r.target == id
        )
        yield Row("action", action_sentence(state, own) + again, state.rule or row.rule, state=id)
    yield from _over(model, row, [r for id in run.order for r in outgoing(model)[id]], run.order)


def _over(
    model: Model, row: Transition, rows: Sequence[Transition], inside: Sequence[str]
) -> Iterator[Row]:
    """Return where the turn continues after the procedure."""
    over = [r for r in rows if r.target is not None and r.target not in inside and not r.generic]
    places = {r.target: _place(model, row, r.target) for r in over if r.target}
    for where in dict.fromkeys(places.values()):
        same = [r for r in over if r.target and places[r.target] == where]
        when = "" if len(set(places.values())) == 1 else either(condition(model, r) for r in same)
        yield Row(
            "then",
            sentence(when, f"the turn goes on with {where}"),
            rules_of(same),
            state=same[0].source,
        )


def chain(model: Model, first: str) -> list[State]:
    """Return the states of a procedure from the first on."""

    def onward(state: State) -> list[State]:
        targets = [model.state(r.target) for r in outgoing(model)[state.id] if r.target]
        return [target for target in targets if target.role == "procedure"]

    return list(reachable_from([model.state(first)], onward))
