"""What a run's turns consisted of, read off its records and its Model, one turn at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fsm.model import Model, State, Transition
from fsm.trace import Record


@dataclass(slots=True)
class Cell:
    """One step visited, or a run of steps passed over (`rule` says why, `through` is the last of them).

    `extra`: the step, or the phase around it, was extra. `again`: it begins once more by itself. `priority`:
    somebody could act; `conditional`: only because something had happened; `resolved` counts what resolved.
    `cut`: a jump left it.
    """

    step: str
    extra: bool = False
    again: bool = False
    priority: bool = False
    conditional: bool = False
    resolved: int = 0
    cut: bool = False
    skipped: bool = False
    rule: str = ""
    through: str = ""


@dataclass(slots=True)
class Turn:
    """One turn: who, whether it is extra, what was visited and passed over. Number 0: the turn itself was skipped."""

    number: int
    active: str
    extra: bool = False
    cells: list[Cell] = field(default_factory=list)
    note: str = ""
    rule: str = ""


def read_turns(records: Iterable[Record], model: Model) -> Iterator[Turn]:
    """The turns of a run, each as soon as it is over. Records of another model are passed over."""
    reader = _Reader(model)
    for record in records:
        yield from reader.take(record)
    yield from reader.finish()


class _Reader:
    """Collects the cells of the turn under way."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.transitions: dict[str, Transition] = {t.id: t for t in model.transitions}
        self.window_asks = {s.id: s.asks for s in model.window.states} if model.window else {}
        self.turn: Turn | None = None
        self.here: Cell | None = None

    def take(self, record: Record) -> Iterator[Turn]:
        transition = self.transitions.get(record.transition)
        if record.machine == "window":
            self.look_into_window(record)
        elif transition is not None:
            yield from self.follow(transition, record)

    def look_into_window(self, record: Record) -> None:
        if self.here is not None:
            self.here.priority = self.here.priority or self.window_asks.get(record.target) == "priority"
            self.here.resolved += self.window_asks.get(record.source) == "resolve"

    def follow(self, transition: Transition, record: Record) -> Iterator[Turn]:
        if transition.layer == "jump" and transition.target is not None and self.here is not None:
            self.here.cut = True
        if transition.layer == "skip":
            yield from self.passed_over(transition, record)
        target = self.model.state(record.target)
        step = self.model.enclosing(target.id, "step")
        if target.role == "begin":
            yield from self.turn_of(record)
            if step is not None and self.turn is not None:
                self.turn.cells.append(self.begun(step, transition, record))

    def turn_of(self, record: Record) -> Iterator[Turn]:
        """Close the turn under way when the record belongs to the next one."""
        if self.turn is None or self.turn.number != record.turn:
            yield from self.finish()
            self.turn = Turn(record.turn, record.active, record.extra)

    def begun(self, step: State, transition: Transition, record: Record) -> Cell:
        """A step begins; it begins *again* when it is reached other than through its own `before`."""
        before = self.model.state(transition.source).role == "before"
        again = not before and self.here is not None and self.here.step == step.id
        extra = record.extra_phase or record.extra_step
        opens = any(child.opens == "conditional" for child in self.model.children(step.id))
        self.here = Cell(step.id, extra=extra and not again, again=again, conditional=opens)
        return self.here

    def passed_over(self, transition: Transition, record: Record) -> Iterator[Turn]:
        source = self.model.state(transition.source)
        steps = skipped_steps(self.model, transition)
        if source.role == "before" and source.parent and self.model.state(source.parent).kind == "turn":
            yield from self.finish()
            yield Turn(0, "", rule=transition.rule)
        elif steps and self.turn is not None and not self.holds_only_another(transition):
            self.turn.cells.append(Cell(steps[0].id, skipped=True, rule=transition.rule, through=steps[-1].id))

    def holds_only_another(self, transition: Transition) -> bool:
        """Is the step passed over because its phase was made for one other step? Then nothing is missing."""
        tests = {self.model.fact(term.fact).test[:1] for term in transition.guard if term.value}
        return ("only_another",) in tests

    def finish(self) -> Iterator[Turn]:
        turn, self.turn, self.here = self.turn, None, None
        if turn is not None:
            yield turn


def skipped_steps(model: Model, transition: Transition) -> list[State]:
    """The steps that a transition of the skip layer leaves out, in the model's order.

    Out of a `before` it is the step or phase about to begin; else what lies between the steps at its ends.
    """
    steps = list(model.of_kind("step"))
    source = model.state(transition.source)
    if source.role == "before":
        owner = model.state(source.parent) if source.parent else source
        return [s for s in steps if owner.kind != "turn" and owner in model.path(s.id)]
    ends = [model.enclosing(end, "step") for end in (transition.source, transition.target) if end]
    places = [steps.index(end) for end in ends if end is not None]
    return steps[places[0] + 1 : places[1]] if len(places) == 2 else []
