"""Reads the turns of a run, one at a time, from its records and its Model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from fsm.engine.records import Record
from fsm.model import Model, State, Transition
from fsm.model.model import per_model
from fsm.wording import plain_words


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
    through, rule, why
        The last of the steps that were passed over, the rule by which they were, and why in a
        player's words, "" for an effect.
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
    why: str = ""
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
        end = places[cell.through or cell.step]
    return lines


BEFORE = -1
"""The number of what is no turn: nothing has begun yet."""


class _Reader:
    """Collects the cells of the current turn. `here` is the cell of the step under way, and `cells`
    are those of all steps of the turn, by their numbers. What is read before a turn has begun goes
    into a turn that nobody gets.
    """

    def __init__(self, model: Model) -> None:
        self.model, self.transitions = model, _transitions(model)
        self.window_asks = {s.id: s.asks for s in model.window.states} if model.window else {}
        self.stage: State | None = None
        self.begin(Turn(BEFORE, ""))

    def begin(self, turn: Turn) -> None:
        self.turn, self.here = turn, Cell("")
        self.step_id, self.cells = 0, dict[int, Cell]()

    def take(self, record: Record) -> Iterator[Turn]:
        transition = self.transitions.get(record.transition)
        if record.event in _signals(self.model):
            self.turn.signals.append(record.event)
        if record.machine == "window":
            self.look_into_window(record)
        elif transition is not None:
            yield from self.follow(transition, record)

    def finish(self) -> Iterator[Turn]:
        if self.turn.number != BEFORE:
            yield self.turn
        self.begin(Turn(BEFORE, ""))

    def look_into_window(self, record: Record) -> None:
        here, asked = self.here, self.window_asks.get(record.source)
        if self.window_asks.get(record.target) == "priority":
            only = self.stage is not None and self.stage.opens.startswith("conditional")
            here.conditional = only and (here.conditional or not here.priority)
            here.priority = True
        if asked == "priority":
            here.acted += record.event == "acted"
            here.passed += record.event == "passed" and record.target != record.source
        here.resolved += asked == "resolve"

    def follow(self, transition: Transition, record: Record) -> Iterator[Turn]:
        if transition.target is not None:
            self.leave(transition)
        if transition.layer == "skip":
            yield from self.passed_over(transition)
        self.stage = target = self.model.state(record.target)
        begins = target.role == "begin"
        if begins and self.turn.number != record.turn:
            yield from self.finish()
            self.begin(Turn(record.turn, record.active, record.extra))
        step = self.model.enclosing(target.id, "step")
        if step is None:
            return
        comes = target.role not in ("before", "after") and record.step_id != self.step_id
        if begins or comes:
            self.turn.cells.append(self.arrived(step.id, transition, record))
        if target.kind == "action" and transition.target and self.here.step == step.id:
            self.here.stages.append(target.id)

    def leave(self, transition: Transition) -> None:
        """Note whether the step under way is cut short, or goes back within itself."""
        here, source = self.here, self.model.state(transition.source)
        target = self.model.state(transition.target or "")
        within = self.model.enclosing(source.id, "step")
        is_inside = within is not None and within.id == here.step
        if transition.layer == "jump" and (source.composite or is_inside):
            here.cut = here.cut or source.role != "after"
            here.cut_by = here.cut_by or transition.id
        elif transition.layer == "extra" and within in self.model.path(target.id):
            here.loops += target.role in ("", "action", "window")

    def arrived(self, step: str, transition: Transition, record: Record) -> Cell:
        """A step begins, is gone into somewhere in its middle, or is come back to. It begins
        *again* when it is reached other than through its own `before`.
        """
        before = self.model.state(transition.source).role == "before"
        again = not before and self.here.step == step
        cell = Cell(
            step,
            extra=(record.extra_phase or record.extra_step) and not again,
            again=again,
            iteration=record.iteration,
            active=record.active,
            phase=record.phase,
            phase_id=record.phase_id,
        )
        waited = self.cells.get(record.step_id)
        if record.step_id not in (0, self.step_id) and waited is not None:
            cell = replace(cell, step=waited.step, extra=waited.extra, again=False, back=True)
        self.here = self.cells[record.step_id] = cell
        self.step_id = record.step_id
        return cell

    def passed_over(self, transition: Transition) -> Iterator[Turn]:
        source, steps = self.model.state(transition.source), skipped_steps(self.model, transition)
        if source.role == "before" and self.model.state(source.parent or source.id).kind == "turn":
            yield from self.finish()
            yield Turn(0, "", rule=transition.rule)
        elif steps and not _holds_only_another(self.model, transition):
            first, last = steps[0].id, steps[-1].id
            why = "" if transition.generic else plain_words(self.model, transition)
            cell = Cell(first, skipped=True, rule=transition.rule, through=last, why=why)
            self.turn.cells.append(cell)


def _holds_only_another(model: Model, transition: Transition) -> bool:
    """Say whether a step is passed over because its phase was made for one other step. Then nothing
    is missing.
    """
    held = [model.fact(term.fact) for term in transition.guard if term.value]
    return any(fact.test[:1] == ("only_another",) for fact in held)


@per_model
def _transitions(model: Model) -> dict[str, Transition]:
    return {row.id: row for row in model.transitions}


@per_model
def _signals(model: Model) -> set[str]:
    """Return the events that leave a turn, phase or step from anywhere inside."""
    jumps = (row for row in model.transitions if row.layer == "jump" and row.target is not None)
    return {row.event for row in jumps if model.state(row.source).composite}


def skipped_steps(model: Model, transition: Transition) -> list[State]:
    """Return the steps that a transition of the skip layer leaves out, in the model's order.

    Out of a `before` it is the step or phase about to begin; else what lies between the steps at
    its ends.
    """
    steps, source = [*model.of_kind("step")], model.state(transition.source)
    if source.role == "before":
        owner = model.state(source.parent or source.id)
        return [step for step in steps if owner.kind != "turn" and owner in model.path(step.id)]
    first = model.enclosing(transition.source, "step")
    last = model.enclosing(transition.target or transition.source, "step")
    if first is None or last is None:
        return []
    return steps[steps.index(first) + 1 : steps.index(last)]
