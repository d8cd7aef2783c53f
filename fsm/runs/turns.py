"""Reads the turns of a run, one at a time, from its records and its Model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fsm.engine.records import Record
from fsm.model import Model, State, Transition
from fsm.model.model import per_model


@dataclass(slots=True)
class Cell:
    """One step that was visited, or a series of steps that were passed over.

    Attributes
    ----------
    extra
        Whether the step, or the phase around it, was extra.
    again, back
        Whether it begins once more by itself, or had waited while another phase ran inside it.
    priority, conditional
        Whether a player could act, and whether only because something had happened.
    resolved, loops
        How many objects resolved, and how often the step went back within itself.
    cut, cut_by
        Whether a jump left it, and the id of that transition.
    iteration
        Which visit to that step this is in the turn, counted from 1.
    active, phase, phase_id
        The active player, the name of the phase around it, and a number that tells the phases of a
        turn apart.
    through, rule
        The last of the steps that were passed over, and the rule by which they were.
    stages
        The ids of the action states that it went through.
    acted, passed
        What players answered.
    """

    step: str
    extra: bool = False
    again: bool = False
    back: bool = False
    priority: bool = False
    conditional: bool = False
    resolved: int = 0
    loops: int = 0
    cut: bool = False
    skipped: bool = False
    rule: str = ""
    through: str = ""
    cut_by: str = ""
    iteration: int = 1
    active: str = ""
    phase: str = ""
    phase_id: int = 0
    stages: list[str] = field(default_factory=list)
    acted: int = 0
    passed: int = 0


@dataclass(slots=True)
class Turn:
    """One turn: who, whether it is extra, what was visited and passed over. Number 0: the turn
    itself was skipped.

    `signals`: the events in it by which the model can jump out of a turn or phase, whether or not
    it did.
    """

    number: int
    active: str
    extra: bool = False
    cells: list[Cell] = field(default_factory=list)
    note: str = ""
    rule: str = ""
    signals: list[str] = field(default_factory=list)


def read_turns(records: Iterable[Record], model: Model) -> Iterator[Turn]:
    """Yield the turns of a run, each when it is over. Records of another model are ignored."""
    reader = _Reader(model)
    for record in records:
        yield from reader.take(record)
    yield from reader.finish()


def keeping_turns(records: Iterable[Record], model: Model, kept: list[Turn]) -> Iterator[Record]:
    """Yield the records. The turns that they make up are added to `kept`."""
    reader = _Reader(model)
    for record in records:
        kept.extend(reader.take(record))
        yield record
    kept.extend(reader.finish())


def passes_of(cells: Iterable[Cell], places: Mapping[str, float]) -> list[list[Cell]]:
    """The cells in lines: a new one starts where the next step's place lies to the left, or is the
    same.
    """
    lines: list[list[Cell]] = []
    here = float("-inf")
    for cell in cells:
        if places[cell.step] <= here or not lines:
            lines.append([])
        lines[-1].append(cell)
        here = places[cell.through or cell.step]
    return lines


class _Reader:
    """Collects the cells of the current turn."""

    def __init__(self, model: Model) -> None:
        self.model, self.transitions, self.steps = model, _transitions(model), _steps(model)
        self.window_asks = {s.id: s.asks for s in model.window.states} if model.window else {}
        self.signals = _signals(model)
        self.window: State | None = None
        self.turn: Turn | None = None
        self.here: Cell | None = None
        self.step_id = 0
        self.cells: dict[int, Cell] = {}

    def take(self, record: Record) -> Iterator[Turn]:
        transition = self.transitions.get(record.transition)
        if self.turn is not None and record.event in self.signals:
            self.turn.signals.append(record.event)
        if record.machine == "window":
            self.look_into_window(record)
        elif transition is not None:
            yield from self.follow(transition, record)

    def look_into_window(self, record: Record) -> None:
        here, asked = self.here, self.window_asks.get(record.source)
        if here is None:
            return
        if self.window_asks.get(record.target) == "priority":
            only = self.window is not None and self.window.opens.startswith("conditional")
            here.conditional = only and (here.conditional or not here.priority)
            here.priority = True
        if asked == "priority":
            here.acted += record.event == "acted"
            here.passed += record.event == "passed" and record.target != record.source
        here.resolved += asked == "resolve"

    def follow(self, transition: Transition, record: Record) -> Iterator[Turn]:
        self.leave(transition)
        if transition.layer == "skip":
            yield from self.passed_over(transition)
        self.window = target = self.model.state(record.target)
        step, begins = self.steps[target.id], target.role == "begin"
        if begins and (self.turn is None or self.turn.number != record.turn):
            yield from self.finish()
            self.turn = Turn(record.turn, record.active, record.extra)
        if step is None:
            return
        comes = target.role not in ("before", "after") and record.step_id != self.step_id
        if self.turn is not None and (begins or comes):
            self.turn.cells.append(self.arrived(step, transition, record))
        here = self.here
        if here is not None and here.step == step.id and transition.target:
            here.stages += [target.id] if target.kind == "action" else []

    def leave(self, transition: Transition) -> None:
        """What a transition makes of the step under way: is it cut short, does it go back within
        itself?
        """
        if self.here is None or transition.target is None:
            return
        source, target = self.model.state(transition.source), self.model.state(transition.target)
        within = self.steps[source.id]
        inside = within is not None and within.id == self.here.step
        if transition.layer == "jump" and (source.composite or inside):
            self.here.cut = self.here.cut or source.role != "after"
            self.here.cut_by = self.here.cut_by or transition.id
        elif transition.layer == "extra" and within is not None:
            again = within in self.model.path(target.id)
            self.here.loops += again and target.role in ("", "action", "window")

    def arrived(self, step: State, transition: Transition, record: Record) -> Cell:
        """A step begins, is gone into somewhere in its middle, or is come back to. It begins
        *again* when it is reached other than through its own `before`.
        """
        number = record.step_id
        waited = self.cells.get(number) if number and number != self.step_id else None
        before = self.model.state(transition.source).role == "before"
        again = not before and self.here is not None and self.here.step == step.id
        extra = (record.extra_phase or record.extra_step) and not again
        self.here = Cell(
            step.id if waited is None else waited.step,
            extra=extra if waited is None else waited.extra,
            again=again and waited is None,
            back=waited is not None,
            iteration=record.iteration,
            active=record.active,
            phase=record.phase,
            phase_id=record.phase_id,
        )
        self.step_id, self.cells[number] = number, self.here
        return self.here

    def passed_over(self, transition: Transition) -> Iterator[Turn]:
        source, steps = self.model.state(transition.source), skipped_steps(self.model, transition)
        home = self.model.state(source.parent) if source.parent else None
        if source.role == "before" and home is not None and home.kind == "turn":
            yield from self.finish()
            yield Turn(0, "", rule=transition.rule)
        elif steps and self.turn is not None and not self.holds_only_another(transition):
            first, last = steps[0], steps[-1]
            cell = Cell(first.id, skipped=True, rule=transition.rule, through=last.id)
            self.turn.cells.append(cell)

    def holds_only_another(self, transition: Transition) -> bool:
        """Say whether a step is passed over because its phase was made for one other step. Then
        nothing is missing.
        """
        tests = {self.model.fact(term.fact).test[:1] for term in transition.guard if term.value}
        return ("only_another",) in tests

    def finish(self) -> Iterator[Turn]:
        turn, self.turn, self.here = self.turn, None, None
        self.step_id, self.cells = 0, {}
        if turn is not None:
            yield turn


@per_model
def _transitions(model: Model) -> dict[str, Transition]:
    return {t.id: t for t in model.transitions}


@per_model
def _steps(model: Model) -> dict[str, State | None]:
    """Return the step around each state."""
    return {state.id: model.enclosing(state.id, "step") for state in model.states}


@per_model
def _signals(model: Model) -> frozenset[str]:
    """Return the events that leave a turn, phase or step from anywhere inside."""
    jumps = (t for t in model.transitions if t.layer == "jump" and t.target is not None)
    return frozenset(t.event for t in jumps if model.state(t.source).composite)


def skipped_steps(model: Model, transition: Transition) -> list[State]:
    """Return the steps that a transition of the skip layer leaves out, in the model's order.

    Out of a `before` it is the step or phase about to begin; else what lies between the steps at
    its ends.
    """
    steps = list(model.of_kind("step"))
    source = model.state(transition.source)
    if source.role == "before":
        owner = model.state(source.parent) if source.parent else source
        return [s for s in steps if owner.kind != "turn" and owner in model.path(s.id)]
    ends = [model.enclosing(end, "step") for end in (transition.source, transition.target) if end]
    places = [steps.index(end) for end in ends if end is not None]
    return steps[places[0] + 1 : places[1]] if len(places) == 2 else []
