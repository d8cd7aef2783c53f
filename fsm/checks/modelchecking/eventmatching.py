"""Finds the firings in a Model that match an event of a property, as `fsm.rulesets.properties`
names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fsm.checks.modelchecking.labels import GivenOrder
from fsm.checks.modelchecking.stepping import ObservedFiring
from fsm.model import Model, Transition
from fsm.rulesets.properties import AnyEvent, PropertyEvent
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
)

BEGINS = frozenset({"begin", "begin_quietly"})


@dataclass
class EventMatcher:
    """Matches observations with the events of properties, for one Model. Orders are numbered as in
    `orders`.
    """

    model: Model
    orders: Sequence[Order]

    def __post_init__(self) -> None:
        self.machines = {"turn": self.model, "window": self.model.window}

    def matches_any(self, events: AnyEvent, seen: ObservedFiring | GivenOrder) -> bool:
        """Say whether an observation matches one of these events."""
        return any(self.matches(event, seen) for event in events.any)

    def matches(self, event: PropertyEvent, seen: ObservedFiring | GivenOrder) -> bool:
        """Say whether an observation matches this event."""
        where = {seen.stage, seen.step, seen.phase}
        if (event.inside and where.isdisjoint(event.inside)) or not where.isdisjoint(event.outside):
            return False
        if isinstance(seen, GivenOrder):
            return event.kind == "ordered" and self.matches_order(event, self.orders[seen.order])
        if event.kind == "ordered" or (event.extra is not None and seen.extra is not event.extra):
            return False
        machine = self.machines[seen.machine]
        assert machine is not None
        if event.kind in _INSIDE:
            return seen.machine == "window" and _INSIDE[event.kind](
                machine, machine.transitions[seen.row], seen
            )
        return seen.machine == "turn" and self.matches_firing(
            event, machine.transitions[seen.row], seen
        )

    def matches_firing(self, event: PropertyEvent, row: Transition, seen: ObservedFiring) -> bool:
        """Say whether this firing of the turn matches the event."""
        if event.kind == "reaches":
            return seen.target in event.names and row.target is not None
        if event.kind == "performs":
            state = self.model.state(seen.target)
            return (
                row.target is not None and state.asks == "perform" and _named(event, state.action)
            )
        if event.level == "turn":
            wanted = {"begins": "begin_turn", "ends": "end_turn", "skipped": "consume_skip"}[
                event.kind
            ]
            return any(a.name == wanted and a.args[:1] in ((), ("turn",)) for a in row.actions)
        if event.kind == "ends":
            left = seen.step if event.level == "step" else seen.phase
            return (
                bool(left)
                and _named(event, left)
                and any(a.name == "end" and a.args == (event.level,) for a in row.actions)
            )
        wanted_names = BEGINS if event.kind == "begins" else {"consume_skip"}
        return any(
            a.name in wanted_names and a.args[0] == event.level and _named(event, *a.args[1:])
            for a in row.actions
        )

    def matches_order(self, event: PropertyEvent, order: Order) -> bool:
        """Say whether this order matches the event."""
        names: tuple[str, ...]
        match order:
            case AddTurn():
                kind, names = "extra turn", (order.player,)
            case SkipTurn():
                kind, names = "skipped turn", (order.player,)
            case AddPhase():
                kind, names = "extra phase", order.phases
            case AddStep():
                kind, names = _place(order), (order.step,)
            case SkipPhase():
                kind, names = "skipped phase", (order.phase,)
            case SkipStep():
                kind, names = "skipped step", (order.step,)
            case _:
                return False
        return kind == event.level and _named(event, *names)


def _place(order: AddStep) -> str:
    if order.before:
        return "step before"
    return "step after phase" if order.after == "current_phase" else "extra step"


def _named(event: PropertyEvent, *names: str) -> bool:
    if not set(event.besides).isdisjoint(names):
        return False
    return not event.names or not set(event.names).isdisjoint(names)


_INSIDE: dict[str, Callable[[Model, Transition, ObservedFiring], bool]] = {
    "priority": lambda m, row, seen: (
        row.target is not None and m.state(seen.target).asks == "priority"
    ),
    "acts": lambda m, row, seen: row.event == "acted" and m.state(seen.source).asks == "priority",
    "passes": lambda m, row, seen: (
        row.event == "passed" and m.state(seen.source).asks == "priority"
    ),
    "resolves": lambda m, row, seen: row.event == "done" and m.state(seen.source).asks == "resolve",
    "checks": lambda m, row, seen: row.event == "done" and m.state(seen.source).asks == "check",
}
