"""Checks of plain machines of the `transitions` library, whose events anybody may trigger.

Their conditions are code, so it is not known whether a condition holds. A transition counts as
taken first only if it has no condition, or no other conditions than the transition below it. An
event that no transition takes is not a gap here, because the machine refuses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.adapters.reading import TOGETHER, arrows, places
from fsm.checks.finding import Finding, Kind
from fsm.checks.structure import leaving, no_way_out, reachable, unreachable
from fsm.errors import suggest
from fsm.model import Model, State, Transition
from fsm.model.graph import Graph

ALWAYS = (
    "before_state_change",
    "after_state_change",
    "prepare_state_change",
    "prepare_event",
    "finalize_event",
)
"""Where a machine keeps the callbacks that are called with every event."""


def plain(graph: Graph, machine: Any = None) -> Iterator[Finding]:
    """Find everything that is wrong with such a machine. `machine` is the library's own object, if
    there is one.
    """
    model = graph.model
    automatic = getattr(machine, "auto_transitions", False)
    shadowed = _shadowed(model)
    rest = model.without(*shadowed)
    reached = reachable(rest)
    yield from unreachable(model, reached, "only by name" if automatic else "unreachable")
    yield from _ends(model, reached)
    yield from no_way_out(rest)
    for id, above in shadowed.items():
        row = model.transition(id)
        words = f"{id!r} can never fire: {above!r} is tried before it with no other condition"
        yield Finding("shadowed", id, words, row.source, row.event)
    if machine is not None:
        yield from _arrows(machine)
        yield from _hidden(model, machine)
    if not any(getattr(machine, name, None) for name in ALWAYS):
        yield from _no_effect(model)


def _ends(model: Model, reached: frozenset[str]) -> Iterator[Finding]:
    """Find the states in which a run ends because nothing leaves them.

    Few machines mark their final states. In a machine that marks some, another such state may be a
    mistake. Of states that are entered together, all have to end.
    """
    final = {state.id for state in model.leaves if state.kind == "final"}
    ending = {id for id in reached - final if not leaving(model, id)}
    going_on = set[str]()
    for regions in _regions(model):
        if any(region.isdisjoint(ending) for region in regions):
            going_on.update(*regions)
    for state in model.leaves:
        if state.id in ending and state.id not in going_on:
            words = f"nothing leads on from {state.id!r}"
            if final:
                words += "; if a run ends there, make it a final state"
            yield Finding("dead end" if final else "end", state.id, words, state.id)


def _regions(model: Model) -> Iterator[list[set[str]]]:
    """Yield the leaves of the regions that are entered together, one set for each."""
    for together in model.leaves:
        rows = model.rows(together.id, TOGETHER) if together.stand_in else ()
        entered = [row.target for row in rows if row.target is not None]
        regions = []
        for id in entered:
            around = set[State]().union(*(model.path(other) for other in entered if other != id))
            region = [state for state in model.path(id) if state not in around][-1]
            regions.append({leaf.id for leaf in model.leaves if region in model.path(leaf.id)})
        yield regions


def _shadowed(model: Model) -> dict[str, str]:
    """Return the ids of the rows that are shadowed wherever they are tried, each with that of a row
    that is tried before it.
    """
    firing = set[str]()
    shadowed = dict[str, str]()
    for _, event, rows in model.choices:
        for number, row in enumerate(rows):
            above = [one.id for one in rows[:number] if set(one.guard) <= set(row.guard)]
            if above and event != TOGETHER:
                shadowed[row.id] = above[0]
            else:
                firing.add(row.id)
    return {id: above for id, above in shadowed.items() if id not in firing}


def _arrows(machine: Any) -> Iterator[Finding]:
    """Find transitions that name states which are not there, and those that occur twice with the
    same conditions and callbacks. The Model has none of the former, and one of the latter.
    """
    known = {place.id for place in places(machine)}
    seen: set[tuple[object, ...]] = set()
    for arrow in arrows(machine):
        subject = f"{arrow.source} -> {arrow.target} on {arrow.event}"
        place = (arrow.source, arrow.event)
        unknown = [name for name in (arrow.source, arrow.target) if name not in {*known, None}]
        if unknown:
            meant = suggest(unknown[0], known)
            words = f"{subject!r} names the state {unknown[0]!r}, which is not there{meant}"
            yield Finding("no such state", subject, words, "", arrow.event)
        elif arrow.identity in seen:
            what = f"the same transition to {arrow.target!r} on {arrow.event!r}"
            yield Finding("duplicate", subject, f"{arrow.source!r} has {what} twice", *place)
        seen.add(arrow.identity)


def _hidden(model: Model, machine: Any) -> Iterator[Finding]:
    """Find events whose names are members of a model, so that the library adds no trigger."""
    for event in model.events:
        for owner in machine.models:
            own = event.name not in getattr(owner, "__dict__", {})
            if own and hasattr(type(owner), event.name) and event.name != TOGETHER:
                call = f"{event.name}()"
                what = type(owner).__name__
                words = f"{call} is not the trigger {event.name!r}: {what} has such a member itself"
                remedy = f"rename it, or call trigger({event.name!r})"
                yield Finding("hidden", event.name, f"{words}; {remedy}", event=event.name)
                break


def _no_effect(model: Model) -> Iterator[Finding]:
    """Find triggers that change no state and call nothing."""
    for event in model.events:
        rows = [row for row in model.transitions if row.event == event.name]
        if any(_does(model, row) for row in rows):
            continue
        inside = bool(rows) and all(row.target is None for row in rows)
        how = "leads back to where it is" if rows else "has no transition"
        words = f"the trigger {event.name!r} changes nothing: it {how}, and calls nothing"
        kind: Kind = "ignored" if inside else "no effect"
        yield Finding(kind, event.name, words, event=event.name)


def _does(model: Model, row: Transition) -> bool:
    """Say whether it leads elsewhere or calls something. The callbacks of a state are in its
    documentation.
    """
    if row.target not in (None, row.source) or row.actions:
        return True
    return row.target is not None and bool(model.state(row.target).doc)
