"""Reads the steps that a run visited from its records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.runs.turnbased import turn_based
from fsm.runs.where import Where


@dataclass(slots=True)
class Visit:
    """One visited step. `priority`: did anybody get it.

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
    for turn in _turns(_moves(records, model)):
        yield from _visits(turn, model)


def _visits(records: Iterable[Record], model: Model) -> list[Visit]:
    """Of one turn. A step that waits while another phase is inside it goes on with the same visit."""
    grants = _grants(model)
    actions = {id: model.state(id) for id in turn_based(model)}
    visits: list[Visit] = []
    found: dict[tuple[str, int], Visit] = {}
    for record in records:
        key = (record.step, record.iteration)
        if begun_level(model, record) == "step" or (key not in found and _comes_in(model, record)):
            found[key] = Visit(
                record.turn,
                record.active,
                record.extra,
                record.phase,
                *key,
                phase_id=record.phase_id,
            )
            visits.append(found[key])
        if key not in found:
            continue
        if record.machine == "window":
            found[key].priority = found[key].priority or record.target in grants
        elif record.target in actions:
            found[key].actions.append(actions[record.target].action)
    return visits


def _comes_in(model: Model, record: Record) -> bool:
    """Say whether this transition leads into the middle of a step."""
    target = model.state(record.target) if record.machine == "turn" else None
    if target is None or target.kind not in ("action", "window"):
        return False
    step = model.enclosing(record.target, "step")
    return step is not None and step.name == record.step


@dataclass(frozen=True, slots=True)
class Stage:
    """An action that was performed, or a window in which somebody received priority, by its state's
    id.
    """

    turn: int
    state: str
    window: bool


def stages_of(records: Iterable[Record], model: Model) -> Iterator[Stage]:
    """Yield the actions that were performed and the windows that opened, in order."""
    grants, open = _grants(model), ""
    for record in _moves(records, model):
        if record.machine == "turn":
            state = model.state(record.target)
            open = state.id if state.kind == "window" else ""
            if state.kind == "action":
                yield Stage(record.turn, state.id, window=False)
        elif open and record.target in grants:
            yield Stage(record.turn, open, window=True)
            open = ""


def passes_of(records: Iterable[Record], model: Model) -> Iterator[int]:
    """Yield the turn of each pass, in order, without passes that were refused."""
    grants = _grants(model)
    moves = _moves(records, model)
    return (
        r.turn
        for r in moves
        if r.machine == "window" and r.source in grants and r.event == "passed"
    )


def _grants(model: Model) -> frozenset[str]:
    """Return the states of the window in which a player has priority."""
    return (
        frozenset(s.id for s in model.window.states if s.asks == "priority")
        if model.window
        else frozenset()
    )


def _moves(records: Iterable[Record], model: Model) -> Iterator[Record]:
    """Leave out the firings that change nothing."""
    stays = {t.id for m in model.machines.values() for t in m.transitions if t.target is None}
    return (record for record in records if record.transition not in stays)


def _turns(records: Iterable[Record]) -> Iterator[list[Record]]:
    return (list(turn) for _, turn in groupby(records, key=lambda record: record.turn))


def begun_level(model: Model, record: Record) -> str:
    """Which level begins with this firing: "turn", "phase", "step", or "" for none."""
    if record.machine == "window":
        return ""
    target = model.state(record.target)
    return model.state(target.parent).kind if target.role == "begin" and target.parent else ""
