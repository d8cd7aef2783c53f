"""The steps that a run visited, read off its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fsm.model import Model
from fsm.scenarios.log import Where
from fsm.scenarios.words import turn_based
from fsm.trace import Record


@dataclass(slots=True)
class Visit:
    """One visited step. `priority`: did anybody get it. `actions` are its turn-based actions, in order."""

    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    priority: bool = False
    actions: list[str] = field(default_factory=list)
    phase_id: int = 0

    @property
    def where(self) -> Where:
        """Turn, step and iteration, by which expectations name it."""
        return Where(self.turn, self.step, self.iteration)

    def as_dict(self) -> dict[str, Any]:
        """The visit as the command line prints it in JSON."""
        names = ("turn", "active", "extra", "phase", "step", "iteration", "priority")
        return {name: getattr(self, name) for name in names}


def visits_of(records: Iterable[Record], model: Model) -> Iterator[Visit]:
    """The steps that a run visited, in order, from its records."""
    grants = {s.id for s in model.window.states if s.asks == "priority"} if model.window else set()
    actions = {id: model.state(id).action for id in turn_based(model)}
    visit: Visit | None = None
    for record in records:
        if begun_level(model, record) == "step":
            if visit is not None:
                yield visit
            visit = _visit(record)
        elif visit is not None and record.machine == "window":
            visit.priority = visit.priority or record.target in grants
        elif visit is not None and record.target in actions:
            visit.actions.append(actions[record.target])
    if visit is not None:
        yield visit


def _visit(record: Record) -> Visit:
    r = record
    return Visit(r.turn, r.active, r.extra, r.phase, r.step, r.iteration, phase_id=r.phase_id)


def begun_level(model: Model, record: Record) -> str:
    """Which level begins with this firing: "turn", "phase", "step", or "" for none."""
    if record.machine == "window":
        return ""
    target = model.state(record.target)
    return model.state(target.parent).kind if target.role == "begin" and target.parent else ""
