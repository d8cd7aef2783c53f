"""Reads the turns of a run, one at a time, from its records and its Model: what was visited
in them, and what was passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from fsm.engine.requests import Where
from fsm.engine.trace import Record
from fsm.model import Model, State, Transition
from fsm.model.model import per_model
from fsm.wording import plain_words


@dataclass(slots=True)
class Visit:
    """One visited step.

    Attributes
    ----------
    turn, active, extra
        The turn, its active player, and whether it is extra.
    phase, step, iteration
        The names of the phase and the step, and which visit to it in the turn this is, from 1.
    priority
        Whether anybody got priority.
    actions
        Its turn-based actions, in order; not what ends its phase after the last window.
    phase_id
        A number that tells the phases of a turn apart.
    acted, passes
        How often players acted and passed.
    """

    turn: int = 0
    active: str = ""
    extra: bool = False
    phase: str = ""
    step: str = ""
    iteration: int = 1
    priority: bool = False
    actions: list[str] = field(default_factory=list)
    phase_id: int = 0
    acted: int = 0
    passes: int = 0

    @property
    def where(self) -> Where:
        """Turn, step and iteration, by which expectations name it."""
        return Where(self.turn, self.step, self.iteration)


@dataclass(slots=True)
class Cell:
    """One step that was visited, or a series of steps that were passed over.

    Attributes
    ----------
    extra
        Whether the step, or the phase around it, was extra.
    again, back
        Whether it begins once more by itself, or had waited while another phase ran inside it.
    visit
        The visit to it. One that has waited goes on.
    priority, conditional
        Whether a player could act, and whether only because something had happened.
    resolved, loops
        How many objects resolved, and how often the step went back within itself.
    cut
        The id of the transition by which a jump left it, or "".
    left_out, rule, why
        The steps that were passed over, if any, the rule by which they were, and why in a player's
        words, "" where none of the other ways was taken.
    stages
        The ids of its states of actions, and of windows in which somebody received priority, in
        order. Those that end its phase are among them.
    """

    step: str
    extra: bool = False
    again: bool = False
    back: bool = False
    visit: Visit = field(default_factory=Visit)
    priority: bool = False
    conditional: bool = False
    resolved: int = 0
    loops: int = 0
    left_out: Sequence[str] = ()
    rule: str = ""
    why: str = ""
    cut: str = ""
    stages: list[str] = field(default_factory=list)

    @property
    def last(self) -> str:
        """The step, or the last of those that were passed over."""
        return [self.step, *self.left_out][-1]


@dataclass(slots=True)
class Turn:
    """One turn: who, whether it is extra, what was visited and passed over. Number 0: the turn
    itself was skipped, by the rule.

    `signals`: the events in it by which the model can jump, whether or not it did.
    """

    number: int
    active: str
    extra: bool = False
    cells: list[Cell] = field(default_factory=list)
    note: str = ""
    rule: str = ""
    signals: list[str] = field(default_factory=list)

    @property
    def stages(self) -> list[str]:
        """The stages of all steps, in order."""
        return [*chain.from_iterable(cell.stages for cell in self.cells)]

    @property
    def visits(self) -> list[Visit]:
        """The visits to steps, in the order in which they began."""
        return [cell.visit for cell in self.cells if not (cell.left_out or cell.back)]


def read_turns(records: Iterable[Record], model: Model) -> Iterator[Turn]:
    """Yield the turns of a run, each when it is over. Records of another model are ignored."""
    reader = TurnReader(model)
    yield from reader.read(records)
    yield from reader.end()


def passes_of(cells: Iterable[Cell], places: Mapping[str, float]) -> list[list[Cell]]:
    """The cells in lines: a new one starts where the next step's place lies to the left, or is the
    same.
    """
    lines = list[list[Cell]]()
    end = float("inf")
    for cell in cells:
        if places[cell.step] <= end:
            lines.append([])
        lines[-1].append(cell)
        end = places[cell.last]
    return lines


@per_model
def turn_based(model: Model) -> tuple[str, ...]:
    """Return the states of turn-based actions: those of each step, but not what ends a phase after
    its last window.
    """
    found = list[str]()
    for step in model.of_kind("step"):
        stages = model.children(step.id)
        windows = [number for number, stage in enumerate(stages) if stage.kind == "window"]
        *_, last = [other for other in model.children(step.parent) if other.kind == "step"]
        if windows and step == last:
            stages = stages[: windows[-1]]
        found += [stage.id for stage in stages if stage.role == "action" and stage.action]
    return tuple(found)


# reading ------------------------------------------------------------------------------------------


@per_model
def telling(model: Model) -> dict[tuple[str, str], Transition]:
    """Return the transitions of turn and window that tell something of a turn, by machine and id.
    The others pass through choices and ends.
    """
    found = dict[tuple[str, str], Transition]()
    for name, machine in model.machines.items():
        for row in machine.transitions:
            source, target = machine.state(row.source), machine.state(row.target or row.source)
            is_asked = {source.asks, target.asks} & {"priority", "resolve"}
            is_effect = row.layer != "core" or row.event in model.signals
            is_stage = target.role == "begin" or target.kind in ("action", "window")
            if is_asked or is_effect or (is_stage and name == "turn"):
                found[name, row.id] = row
    return found


BEFORE = -1
"""The number of what is no turn: nothing has begun yet."""


class TurnReader:
    """Reads the turns of a run, record by record.

    `cell` is that of the step under way, and `cells` are those of all steps of the turn, by their
    numbers. `stage` is the state of the turn, and `over` are turns that nobody has got yet. What is
    read before a turn has begun goes into a turn that nobody gets.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.asks = {s.id: s.asks for s in model.window.states} if model.window else {}
        self.stage = model.state(model.initial)
        self.opened = False
        self.over = list[Turn]()
        self.turn = Turn(BEFORE, "")
        self.begin(self.turn)

    def read(self, records: Iterable[Record]) -> Iterator[Turn]:
        """Read further records, and yield each turn when it is over."""
        rows, signals = telling(self.model), self.model.signals
        for record in records:
            row = rows.get((record.machine, record.transition))
            if row is None:
                continue
            if record.event in signals:
                self.turn.signals.append(record.event)
            if record.machine == "window":
                self.look_into_window(record)
                continue
            self.take(row, record)
            yield from self.over
            self.over.clear()

    def end(self) -> Iterator[Turn]:
        """Yield the turn under way, if any: the run is over."""
        self.begin(Turn(BEFORE, ""))
        yield from self.over
        self.over.clear()

    def begin(self, turn: Turn) -> None:
        if self.turn.number != BEFORE:
            self.over.append(self.turn)
        self.turn = turn
        self.cell = Cell("")
        self.cells = dict[int, Cell]()
        self.step_id = 0

    def look_into_window(self, record: Record) -> None:
        cell = self.cell
        asked = self.asks.get(record.source)
        if self.asks.get(record.target) == "priority":
            only = self.stage.opens.startswith("conditional")
            cell.conditional = only and (cell.conditional or not cell.priority)
            cell.priority = cell.visit.priority = True
            if not self.opened:
                self.opened = True
                cell.stages.append(self.stage.id)
        if asked == "priority":
            cell.visit.acted += record.event == "acted"
            cell.visit.passes += record.event == "passed" and record.target != record.source
        cell.resolved += asked == "resolve"

    def take(self, row: Transition, record: Record) -> None:
        """A step may be left or passed over, begin, be gone into somewhere in its middle, or be
        come back to.
        """
        if row.target is not None:
            self.leave(row, row.target)
        if row.layer == "skip":
            self.passed_over(row)
        self.stage = target = self.model.path(record.target)[0]
        if target.role == "begin" and self.turn.number != record.turn:
            self.begin(Turn(record.turn, record.active, record.extra))
        if record.step_id != self.step_id and target.role not in ("before", "after"):
            step = self.model.enclosing(target.id, "step")
            if step is not None:
                self.come_to(step.id, row, record)
        if target.kind == "action" and row.target:
            self.cell.stages.append(target.id)
            if target.id in turn_based(self.model):
                self.cell.visit.actions.append(target.action)

    def leave(self, row: Transition, target: str) -> None:
        """Note whether the step under way is cut short, or goes back within itself."""
        self.opened = False
        if row.layer == "jump" and self.model.state(row.source).role not in ("before", "after"):
            self.cell.cut = self.cell.cut or row.id
        elif row.layer == "extra":
            step = self.model.enclosing(row.source, "step")
            if step in self.model.path(target):
                self.cell.loops += self.model.state(target).role in ("", "action", "window")

    def passed_over(self, row: Transition) -> None:
        source = self.model.state(row.source)
        steps = skipped_steps(self.model, row)
        tests = {self.model.fact(term.fact).test[:1] for term in row.guard if term.value}
        if source.role == "before" and self.model.state(source.parent).kind == "turn":
            self.begin(Turn(0, "", rule=row.rule))
            self.begin(Turn(BEFORE, ""))
        elif steps and ("only_another",) not in tests:  # else it lacks nothing
            cell = Cell(steps[0].id, left_out=[step.id for step in steps], rule=row.rule)
            cell.why = "an effect" if row.generic else plain_words(self.model, row)
            self.turn.cells.append(cell)

    def come_to(self, step: str, row: Transition, record: Record) -> None:
        """A step begins *again* when it is reached other than through its own `before`."""
        waited = self.cells.get(record.step_id)
        if waited is not None:
            cell = Cell(step, waited.extra, back=True, visit=waited.visit)
        else:
            again = self.model.state(row.source).role != "before" and self.cell.step == step
            extra = (record.extra_phase or record.extra_step) and not again
            about = record.turn, record.active, self.turn.extra, record.phase, record.step
            visit = Visit(*about, record.iteration, phase_id=record.phase_id)
            cell = Cell(step, extra, again, visit=visit)
        self.cell = self.cells[record.step_id] = cell
        self.step_id = record.step_id
        self.turn.cells.append(cell)


def skipped_steps(model: Model, transition: Transition) -> list[State]:
    """Return the steps that a transition of the skip layer leaves out, in the model's order.

    Out of a `before` it is the step or phase about to begin; else what lies between the steps at
    its ends.
    """
    steps = [*model.of_kind("step")]
    source = model.state(transition.source)
    if source.role == "before":
        owner = model.state(source.parent)
        return [step for step in steps if owner.kind != "turn" and owner in model.path(step.id)]
    first = model.enclosing(transition.source, "step")
    last = model.enclosing(transition.target or transition.source, "step")
    if first is None or last is None:
        return []
    return steps[steps.index(first) + 1 : steps.index(last)]
