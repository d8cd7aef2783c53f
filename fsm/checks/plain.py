"""Checks of plain machines of the `transitions` library, whose events anybody may trigger.

Their conditions are code, so it is not known whether a condition holds. A transition counts as
taken first only if it has no condition, or no other conditions than the transition below it. An
event that no transition takes is not a gap here, because the machine refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.adapters.building import TOGETHER
from fsm.checks.finding import Finding, Kind
from fsm.checks.reaching import ending, pits, reachable
from fsm.checks.solving import text
from fsm.model import Model, State, Transition
from fsm.model.graph import Graph

UNDECIDED = (
    "The conditions of this machine are code: whether they can hold is not decided, so gaps and "
    "overlaps of guards are not looked for."
)
AUTOMATIC = (
    "The triggers to_STATE, which the library adds by itself, are left out: what is said holds of "
    "the others."
)


def plain(graph: Graph, machine: Any = None) -> Iterator[Finding]:
    """Find everything that is wrong with such a machine. `machine` is the library's own object, if
    there is one.
    """
    model = graph.model
    firing = _firing(model)
    shadowed = [row for row in model.transitions if row.id not in firing]
    rest = model.without(*(row.id for row in shadowed))
    reached = reachable(rest)
    yield from _unreachable(model, reached)
    yield from _ends(model, reached)
    yield from _no_way_out(rest, reached)
    yield from map(_shadowed, shadowed)
    yield from _duplicates(machine)
    yield from _no_effect(model, machine)


def _firing(model: Model) -> frozenset[str]:
    """Return the ids of the rows that are not shadowed in every state where they are tried."""
    found: set[str] = set()
    for _, event, rows in model.choices:
        for number, row in enumerate(rows):
            above = rows[:number] if event != TOGETHER else ()
            if not any(set(one.guard) <= set(row.guard) for one in above):
                found.add(row.id)
    return frozenset(found)


def _unreachable(model: Model, reached: frozenset[str]) -> Iterator[Finding]:
    for state in model.leaves:
        if state.id not in reached:
            words = f"no transition that can fire leads to {state.id!r}, from {model.initial!r} on"
            yield Finding("unreachable", state.id, "", (), words, subject=state.id)


def _ends(model: Model, reached: frozenset[str]) -> Iterator[Finding]:
    """Find the states in which a run ends because nothing leaves them.

    Few machines mark their final states. In a machine that marks some, another such state may be a
    mistake.
    """
    marked = any(state.kind == "final" for state in model.leaves)
    kind: Kind = "dead end" if marked else "end"
    for state in model.leaves:
        if state.id in reached and state.kind != "final" and not any(_leaves(model, state)):
            words = f"nothing leads on from {state.id!r}"
            if marked:
                words += "; if a run ends there, make it a final state"
            yield Finding(kind, state.id, "", (), words, subject=state.id)


def _no_way_out(model: Model, reached: frozenset[str]) -> Iterator[Finding]:
    """Find states from which no final state can be reached, if there are final states."""
    for pit in pits(model, reached - ending(model)):
        if any(any(_leaves(model, model.state(id))) for id in pit):
            among = f", only round and round through {', '.join(pit)}" if len(pit) > 1 else ""
            words = f"no final state can be reached from {pit[0]!r}{among}"
            yield Finding("no way out", pit[0], "", (), words, subject=pit[0])


def _leaves(model: Model, state: State) -> Iterator[Transition]:
    rows = (row for event in model.events_at(state.id) for row in model.rows(state.id, event))
    return (row for row in rows if row.target not in (None, state.id))


def _shadowed(row: Transition) -> Finding:
    why = "transitions tried before it have no condition that it has not"
    guards, words = (text(row.guard),), f"{row.id!r} can never fire: {why}"
    return Finding("shadowed", row.source, row.event, guards, words, subject=row.id)


def _duplicates(machine: Any) -> Iterator[Finding]:
    """Find transitions that occur twice with the same conditions and callbacks. The Model has each
    of them once.
    """
    if machine is None:
        return
    from fsm.adapters.reading import arrows

    seen: set[tuple[object, ...]] = set()
    for arrow in arrows(machine):
        if arrow.identity in seen:
            what = f"the same transition to {arrow.target!r} on {arrow.event!r}"
            words = f"{arrow.source!r} has {what} twice"
            subject = f"{arrow.source} -> {arrow.target} on {arrow.event}"
            yield Finding("duplicate", arrow.source, arrow.event, (), words, subject=subject)
        seen.add(arrow.identity)


def _no_effect(model: Model, machine: Any) -> Iterator[Finding]:
    """Find triggers that change no state and call nothing."""
    always = [f"{when}_state_change" for when in ("before", "after", "prepare")] + [
        "prepare_event",
        "finalize_event",
    ]
    if any(getattr(machine, name, None) for name in always):
        return
    for event in model.events:
        rows = [row for row in model.transitions if row.event == event.name]
        if not any(_does(model, row) for row in rows):
            how = "leads back to where it is" if rows else "has no transition"
            words = f"the trigger {event.name!r} changes nothing: it {how}, and calls nothing"
            yield Finding("no effect", "", event.name, (), words, subject=event.name)


def _does(model: Model, row: Transition) -> bool:
    """Say whether it leads elsewhere or calls something. The callbacks of a state are in its
    documentation.
    """
    if row.target not in (None, row.source) or row.actions:
        return True
    return row.target is not None and bool(model.state(row.target).doc)


def remarks(model: Model, machine: Any) -> tuple[str, ...]:
    """Return the limits of such a check, which a report states once."""
    undecided = (UNDECIDED,) if machine is not None and model.facts else ()
    automatic = (AUTOMATIC,) if getattr(machine, "auto_transitions", False) else ()
    return (*undecided, *automatic)
