"""Reads the steps that a run visited from its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fsm.engine.records import Record
from fsm.model import Model
from fsm.model.model import per_model
from fsm.runs.turns import Turn, read_turns
from fsm.runs.where import Where


@dataclass(slots=True)
class Visit:
    """One visited step. `priority`: did anybody get it. `passes`: how often somebody passed.

    `actions` are its turn-based actions, in order; not what ends its phase after the last window.
    """

    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    priority: bool = False
    actions: list[str] = field(default_factory=list)
    phase_id: int = 0
    passes: int = 0

    @property
    def where(self) -> Where:
        """Turn, step and iteration, by which expectations name it."""
        return Where(self.turn, self.step, self.iteration)

    def as_dict(self) -> dict[str, Any]:
        """Return the visit as the command line prints it in JSON."""
        names = ("turn", "active", "extra", "phase", "step", "iteration", "priority")
        return {name: getattr(self, name) for name in names}


def visits_of(records: Iterable[Record], model: Model) -> Iterator[Visit]:
    """Yield the steps that a run visited, in the order in which they began, from its records."""
    for turn in read_turns(records, model):
        yield from visits_in(turn, model)


def visits_in(turn: Turn, model: Model) -> Iterable[Visit]:
    """Return the steps that were visited in a turn, in the order in which they began."""
    own, found = turn_based(model), dict[tuple[str, int], Visit]()
    for cell in turn.cells:
        if cell.skipped:
            continue
        key = model.state(cell.step).name, cell.iteration
        if key not in found:  # a step that has waited goes on with the same visit
            about = turn.number, cell.active, turn.extra, cell.phase
            found[key] = Visit(*about, *key, phase_id=cell.phase_id)
        visit = found[key]
        visit.priority = visit.priority or cell.priority
        visit.passes += cell.passed
        visit.actions += [model.state(stage).action for stage in cell.stages if stage in own]
    return found.values()


@per_model
def turn_based(model: Model) -> tuple[str, ...]:
    """Return the states of turn-based actions: those of each step, but not what ends a phase after
    its last window.
    """
    found = list[str]()
    for step in model.of_kind("step"):
        stages = [*model.children(step.id)]
        kinds = [stage.kind for stage in stages]
        is_last = step == [s for s in model.children(step.parent) if s.kind == "step"][-1]
        while is_last and "window" in kinds and kinds.pop() != "window":
            stages.pop()
        found += [stage.id for stage in stages if stage.role == "action" and stage.action]
    return tuple(found)
