"""What properties can observe of a game, and which observations an event of a property means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


class Seen(NamedTuple):
    """An observation: a transition fires, or (with machine "order") an order is given.

    Attributes
    ----------
    machine, what
        The machine and the id of the transition, or "order" and the order.
    source, target
        The states before and after.
    stage
        The state of the turn after it.
    step, phase
        The names of what was under way before it, or "".
    extra
        Whether the step or phase under way after it is extra.
    """

    machine: str
    what: str | Order
    source: str
    target: str
    stage: str
    step: str
    phase: str
    extra: bool


Label = tuple[Seen, ...]


def observed(before: Run, fired: Iterable[Fired]) -> Label:
    """Return what is observed as these transitions fire, one after the other."""
    observations = []
    stage, step, phase = before.state, before.step.current, before.phase.current
    for one in fired:
        if one.machine == TURN:
            stage = one.target
        extra = any(now is not None and now.extra for now in (one.step, one.phase))
        place = (stage, _name(step), _name(phase), extra)
        observations.append(Seen(one.machine, one.row.id, one.source, one.target, *place))
        step, phase = one.step, one.phase
    return tuple(observations)


def observed_order(order: Order, run: Run) -> Seen:
    """Return what is observed as an order is given in a run."""
    step, phase = _name(run.step.current), _name(run.phase.current)
    return Seen("order", order, "", "", run.state, step, phase, extra=False)


def _name(now: Occurrence | None) -> str:
    return now.name if now is not None and now.under_way else ""


class Labels(list[Label]):
    """The labels of an exploration, each at its number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[Label, int] = {}
        self._joined: dict[tuple[int, int], int] = {}

    def number(self, label: Label) -> int:
        """Return the number of a label. A new label gets one."""
        number = self._numbers.setdefault(label, len(self))
        if number == len(self):
            self.append(label)
        return number

    def joined(self, first: int, second: int) -> int:
        """Return the number of one label followed by another."""
        key = (first, second)
        if key not in self._joined:
            self._joined[key] = self.number(self[first] + self[second])
        return self._joined[key]


# what events of properties mean -------------------------------------------------------------------


class Happening(NamedTuple):
    """Something that happens, in the words of properties: its kind, its level, and its names."""

    kind: str
    level: str = ""
    names: tuple[str, ...] = ()


def happenings(model: Model, seen: Seen) -> Iterator[Happening]:
    """Yield what an observation is in the words of properties."""
    if not isinstance(seen.what, str):
        yield from _ordered(seen.what)
        return
    machine = model.machines[seen.machine]
    row, target = machine.transition(seen.what), machine.state(seen.target)
    if seen.machine == WINDOW:
        if row.target is not None and target.asks == "priority":
            yield Happening("priority")
        answer = (machine.state(seen.source).asks, row.event)
        if answer in ANSWERS:
            yield Happening(ANSWERS[answer])
        return
    if row.target is not None:
        yield Happening("reaches", "", (target.id,))
        if target.asks == "perform":
            yield Happening("performs", "", (target.action,))
    yield from _done(row, seen)


def _done(row: Transition, seen: Seen) -> Iterator[Happening]:
    """Yield what the actions of a transition are."""
    for action in row.actions:
        kind, level = LEVELS.get(action.name, ("", ""))
        if level:
            yield Happening(kind, level)
        elif kind:
            level, *names = action.args
            if kind == "ends":
                names = [seen.step if level == "step" else seen.phase]
            if any(names) or level == "turn":
                yield Happening(kind, level, tuple(names))


def _ordered(order: Order) -> Iterator[Happening]:
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


def means(event: PropertyEvent, seen: Seen, happening: Happening) -> bool:
    """Say whether an event of a property means this, of what happens as this is observed."""
    if (event.kind, event.level) != happening[:2] or event.extra not in (None, seen.extra):
        return False
    where, names = {seen.stage, seen.step, seen.phase}, set(happening.names)
    if (event.inside and where.isdisjoint(event.inside)) or not where.isdisjoint(event.outside):
        return False
    wanted = not event.names or not names.isdisjoint(event.names)
    return wanted and names.isdisjoint(event.besides)
