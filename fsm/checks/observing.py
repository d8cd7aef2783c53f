"""What is observed of a game, in the words of properties, and which of it an event of a property
means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

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
WINDOW_KINDS = frozenset(("priority", *ANSWERS.values()))
"""The kinds of events inside a window."""
LEVELS = {
    "begin_turn": ("begins", "turn"),
    "end_turn": ("ends", "turn"),
    "begin": ("begins", ""),
    "begin_quietly": ("begins", ""),
    "end": ("ends", ""),
    "consume_skip": ("skipped", ""),
}
"""What an action is to a property, with its level. Without one, its first argument is the level."""


class Happening(NamedTuple):
    """Something that happens: its kind, its level, and its names."""

    kind: str
    level: str = ""
    names: tuple[str, ...] = ()


class Seen(NamedTuple):
    """Something that happens, the stage, step and phase in which it does, and whether the step or
    phase under way is extra.
    """

    what: Happening
    where: frozenset[str]
    extra: bool


Label = tuple[Seen, ...]


class Labels(list[Label]):
    """What is observed on the edges of an exploration. Each label is at its number."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self._numbers: dict[Label, int] = {}
        self._happenings = cache(self._of_row)
        self.joined = cache(self._joined)

    def number(self, label: Label) -> int:
        """Return the number of a label. A new label gets one."""
        number = self._numbers.setdefault(label, len(self))
        if number == len(self):
            self.append(label)
        return number

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
            names = {"step": _name(step), "phase": _name(phase)}
            where = frozenset((stage, *names.values()))
            extra = any(now is not None and now.extra for now in (one.step, one.phase))
            for what in self._happenings(one.machine, one.row.transition, one.source, one.target):
                if what.kind == "ends" and what.level != "turn":
                    what = Happening("ends", what.level, (names[what.level],))
                if any(what.names) or what.level in ("", "turn"):
                    found.append(Seen(what, where, extra))
            step = one.step
            phase = one.phase
        return self.number(tuple(found))

    def ordered(self, order: Order, run: Run) -> int:
        """Return the number of what is observed as an order is given in a run."""
        where = frozenset((run.state, _name(run.step.current), _name(run.phase.current)))
        return self.number(tuple(Seen(what, where, extra=False) for what in _of_order(order)))

    def _of_row(
        self, machine: str, row: Transition, source: str, target: str
    ) -> tuple[Happening, ...]:
        """Return what happens as a transition fires. What ends gets its name from the run."""
        model = self.model.machines[machine]
        found = list[Happening]()
        after = model.state(target)
        if machine == WINDOW:
            if row.target is not None and after.asks == "priority":
                found.append(Happening("priority"))
            answer = ANSWERS.get((model.state(source).asks, row.event))
            return (*found, Happening(answer)) if answer else tuple(found)
        if row.target is not None:
            found.append(Happening("reaches", "", (target,)))
            if after.asks == "perform":
                found.append(Happening("performs", "", (after.action,)))
        for action in row.actions:
            kind, level = LEVELS.get(action.name, ("", ""))
            if kind:
                found.append(Happening(kind, level or action.args[0], action.args[1:]))
        return tuple(found)


def _name(now: Occurrence | None) -> str:
    return now.name if now is not None and now.under_way else ""


def _of_order(order: Order) -> Iterator[Happening]:
    match order:
        case AddTurn():
            yield Happening("ordered", "extra turn", (order.player,))
        case SkipTurn():
            yield Happening("ordered", "skipped turn", (order.player,))
        case AddPhase():
            yield Happening("ordered", "extra phase", order.phases)
        case SkipPhase():
            yield Happening("ordered", "skipped phase", (order.phase,))
        case SkipStep():
            yield Happening("ordered", "skipped step", (order.step,))
        case AddStep():
            kind = "step after phase" if order.after == "current_phase" else "extra step"
            kind = "step before" if order.before else kind
            yield Happening("ordered", kind, (order.step,))


def means(event: PropertyEvent, seen: Seen) -> bool:
    """Say whether an event of a property means this."""
    kind, level, names = seen.what
    if (event.kind, event.level) != (kind, level) or event.extra not in (None, seen.extra):
        return False
    if event.inside and seen.where.isdisjoint(event.inside):
        return False
    if not set(event.besides).isdisjoint(names):
        return False
    return not event.names or not set(event.names).isdisjoint(names)
