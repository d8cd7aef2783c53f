"""What is observed of a game, in the words of properties, and which of it an event of a property
means.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import cache
from typing import NamedTuple, TypeVar

from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.model import Model, Transition
from fsm.rulesets.properties import PropertyEvent
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from fsm.state.run import Occurrence, Run

ANSWERS = {
    ("priority", "acted"): "acts",
    ("priority", "passed"): "passes",
    ("resolve", "done"): "resolves",
    ("check", "done"): "checks",
}
"""What an answer in a window is to a property, by what is asked."""
LEVELS = {
    "begin_turn": ("begins", "turn"),
    "end_turn": ("ends", "turn"),
    "begin": ("begins", ""),
    "begin_quietly": ("begins", ""),
    "end": ("ends", ""),
    "consume_skip": ("skipped", ""),
}
"""What an action is to a property, with its level. Without one, its first argument is the level."""
ORDERED = {
    AddTurn: ("extra turn", "player"),
    SkipTurn: ("skipped turn", "player"),
    AddPhase: ("extra phase", "phases"),
    SkipPhase: ("skipped phase", "phase"),
    SkipStep: ("skipped step", "step"),
}
"""What an order is to a property, and the field that has its names."""
Happening = tuple[str, str, tuple[str, ...]]
"""Something that happens: its kind, its level, and its names."""


class Seen(NamedTuple):
    """Something that happens, the stage, step and phase in which it does, and whether the step or
    phase under way is extra.
    """

    kind: str
    level: str
    names: tuple[str, ...]
    where: frozenset[str]
    extra: bool


Label = tuple[Seen, ...]
_T = TypeVar("_T", bound=Hashable)


class Numbered(list[_T]):
    """Values, each at its number."""

    def __init__(self, values: Iterable[_T] = ()) -> None:
        super().__init__(values)
        self._numbers = dict[_T, int]()

    def number(self, value: _T) -> int:
        """Return the number of a value. A new one gets the next number."""
        number = self._numbers.setdefault(value, len(self))
        if number == len(self):
            self.append(value)
        return number


class Labels(Numbered[Label]):
    """What is observed on the edges of an exploration. Each label is at its number."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self._happenings = cache(self._of_row)
        self.joined = cache(self._joined)

    def _joined(self, first: int, second: int) -> int:
        """Return the number of one label followed by another."""
        return self.number(self[first] + self[second])

    def observed(self, before: Run, fired: Iterable[Fired]) -> int:
        """Return the number of what is observed as these transitions fire, one after the other."""
        found = []
        stage = before.state
        step = before.step.current
        phase = before.phase.current
        for one in fired:
            if one.machine == TURN:
                stage = one.target
            ended = {"step": _name(step), "phase": _name(phase)}
            where = frozenset((stage, *ended.values()))
            extra = any(now is not None and now.extra for now in (one.step, one.phase))
            row = one.row.transition
            for kind, level, names in self._happenings(one.machine, row, one.source, one.target):
                if kind == "ends" and level in ended:
                    names = (ended[level],)
                if any(names) or level in ("", "turn"):
                    found.append(Seen(kind, level, names, where, extra))
            step = one.step
            phase = one.phase
        return self.number(tuple(found))

    def ordered(self, order: Order, run: Run) -> int:
        """Return the number of what is observed as an order is given in a run."""
        where = frozenset((run.state, _name(run.step.current), _name(run.phase.current)))
        level, names = _of_order(order)
        return self.number((Seen("ordered", level, names, where, extra=False),))

    def _of_row(
        self, machine: str, row: Transition, source: str, target: str
    ) -> tuple[Happening, ...]:
        """Return what happens as a transition fires. What ends gets its name from the run."""
        model = self.model.machines[machine]
        found = list[Happening]()
        after = model.state(target)
        if machine == WINDOW:
            if row.target is not None and after.asks == "priority":
                found.append(("priority", "", ()))
            answer = ANSWERS.get((model.state(source).asks, row.event))
            return (*found, (answer, "", ())) if answer else tuple(found)
        if row.target is not None:
            found.append(("reaches", "", (target,)))
            if after.asks == "perform":
                found.append(("performs", "", (after.action,)))
        for action in row.actions:
            kind, level = LEVELS.get(action.name, ("", ""))
            if kind:
                found.append((kind, level or action.args[0], action.args[1:]))
        return tuple(found)


def _name(now: Occurrence | None) -> str:
    return now.name if now is not None and now.under_way else ""


def _of_order(order: Order) -> tuple[str, tuple[str, ...]]:
    """Return what an order is to a property: its level, and its names."""
    if isinstance(order, AddStep):
        kind = "step after phase" if order.after == "current_phase" else "extra step"
        return "step before" if order.before else kind, (order.step,)
    level, field = ORDERED[type(order)]
    names = getattr(order, field)
    return level, names if isinstance(names, tuple) else (names,)


def means(event: PropertyEvent, seen: Seen) -> bool:
    """Say whether an event of a property means this."""
    if (event.kind, event.level) != seen[:2] or event.extra not in (None, seen.extra):
        return False
    if event.inside and seen.where.isdisjoint(event.inside):
        return False
    return not event.names or not set(event.names).isdisjoint(seen.names)
