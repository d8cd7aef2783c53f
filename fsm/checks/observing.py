"""What properties can observe of a game, and which observations an event of a property means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.model import Model, State, Transition
from fsm.rulesets.properties import PropertyEvent
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from fsm.state.run import Occurrence, Run


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
    return Seen("order", order, "", "", run.state, step, phase, False)


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


# which observations an event means ----------------------------------------------------------------

_IN_WINDOWS: dict[str, Callable[[Transition, State, State], bool]] = {
    "priority": lambda row, source, target: row.target is not None and target.asks == "priority",
    "acts": lambda row, source, target: row.event == "acted" and source.asks == "priority",
    "passes": lambda row, source, target: row.event == "passed" and source.asks == "priority",
    "resolves": lambda row, source, target: row.event == "done" and source.asks == "resolve",
    "checks": lambda row, source, target: row.event == "done" and source.asks == "check",
}
WINDOW_KINDS = frozenset(_IN_WINDOWS)
"""The kinds of events inside a window."""
_OF_TURNS = {"begins": "begin_turn", "ends": "end_turn", "skipped": "consume_skip"}
_OF_SEQUENCES = {
    "begins": ("begin", "begin_quietly"),
    "ends": ("end",),
    "skipped": ("consume_skip",),
}
"""The actions by which a phase or step begins, ends, or is skipped."""


def means(model: Model, event: PropertyEvent, seen: Seen) -> bool:
    """Say whether an event of a property means this observation."""
    where = {seen.stage, seen.step, seen.phase}
    if (event.inside and where.isdisjoint(event.inside)) or not where.isdisjoint(event.outside):
        return False
    if not isinstance(seen.what, str):
        return event.kind == "ordered" and _means_order(event, seen.what)
    if event.kind == "ordered" or (event.extra is not None and seen.extra is not event.extra):
        return False
    machine = model.machines[seen.machine]
    row, target = machine.transition(seen.what), machine.state(seen.target)
    if event.kind in WINDOW_KINDS:
        source = machine.state(seen.source)
        return seen.machine == WINDOW and _IN_WINDOWS[event.kind](row, source, target)
    return seen.machine == TURN and _means_firing(event, seen, row, target)


def _means_firing(event: PropertyEvent, seen: Seen, row: Transition, target: State) -> bool:
    """Say whether an event means that this transition of the turn fires."""
    if event.kind == "reaches":
        return row.target is not None and seen.target in event.names
    if event.kind == "performs":
        return row.target is not None and target.asks == "perform" and _names(event, target.action)
    if event.level == "turn":
        wanted = _OF_TURNS[event.kind]
        return any(a.name == wanted and a.args[:1] in ((), ("turn",)) for a in row.actions)
    left = seen.step if event.level == "step" else seen.phase
    for action in row.actions:
        if action.name in _OF_SEQUENCES[event.kind] and action.args[0] == event.level:
            names = (left,) if event.kind == "ends" else action.args[1:]
            if any(names) and _names(event, *names):
                return True
    return False


def _means_order(event: PropertyEvent, order: Order) -> bool:
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
    return kind == event.level and _names(event, *names)


def _place(order: AddStep) -> str:
    if order.before:
        return "step before"
    return "step after phase" if order.after == "current_phase" else "extra step"


def _names(event: PropertyEvent, *names: str) -> bool:
    """Say whether an event is about one of these names."""
    if not set(event.besides).isdisjoint(names):
        return False
    return not event.names or not set(event.names).isdisjoint(names)
