"""Finds the latched facts that still matter at a wait point: those that may be read before they are
cleared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from fsm.model import Model, Transition

Location = tuple[str, str]
"""A machine, "turn" or "window", and a state of it."""


def live_facts(model: Model) -> Mapping[Location, frozenset[str]]:
    """Return, for every state of turn and window, the latched facts that a run may read before they
    are cleared.
    """
    latched = {
        f.name: f.scope for m in model.machines.values() for f in m.facts if f.timing == "latched"
    }
    rows = {
        (name, leaf.id): [
            (event, row) for event in m.events_at(leaf.id) for row in m.rows(leaf.id, event)
        ]
        for name, m in model.machines.items()
        for leaf in m.leaves
    }
    live: dict[Location, frozenset[str]] = dict.fromkeys(rows, frozenset())
    changed = True
    while changed:
        changed = False
        for place, events in reversed(rows.items()):
            found = frozenset().union(
                *(_read_later(model, live, place, *pair, latched) for pair in events)
            )
            if (
                place[0] == "turn"
                and model.state(place[1]).kind == "window"
                and model.window is not None
            ):
                found |= live["window", model.window.initial]
            if place[0] == "window":
                found |= frozenset().union(*(live["turn", s.id] for s in model.of_kind("window")))
            if not found <= live[place]:
                live[place], changed = live[place] | found, True
    return live


def _read_later(
    model: Model,
    live: Mapping[Location, frozenset[str]],
    place: Location,
    event: str,
    row: Transition,
    latched: Mapping[str, str],
) -> frozenset[str]:
    target = live[place[0], row.target or place[1]]
    after = target - frozenset(_cleared(row, latched))
    return after | {term.fact for term in row.guard if term.fact in latched}


def _cleared(row: Transition, latched: Mapping[str, str]) -> Iterable[str]:
    scopes = {action.args[0] for action in row.actions if action.name == "clear"}
    return _facts_of(scopes, latched)


def _facts_of(scopes: set[str], latched: Mapping[str, str]) -> Iterator[str]:
    return (name for name, scope in latched.items() if scope in scopes)
