"""A search node: a real game at a position on a path, and what each machine has fired so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.internal_steps import equivalence_key
from fsm.engine.requests import Answer
from fsm.engine.trace import Record
from fsm.errors import FsmError
from fsm.model.graph import Arc
from fsm.testing.generation.abstractgraph import GraphNode, Ground

Firings: TypeAlias = "tuple[Arc, Firings] | None"
"""The firings of one machine, the last one first."""


@dataclass(slots=True, eq=False)
class Here:
    """Where a game waits: `turn` and `window` are its walks, a window's own since it opened."""

    ground: Ground
    controller: TurnController
    turn: Firings = None
    window: Firings = None
    _key: Hashable = field(default=None, repr=False)

    @property
    def spot(self) -> GraphNode:
        """The states of turn and window."""
        run = self.controller.run
        return GraphNode(run.state, run.frame, bool(run.agenda.returns_phase), bool(run.agenda.returns_step))

    def likeness(self, length: int) -> Hashable:
        """Equal for places from which the same can follow; the last `length` firings of each walk count."""
        run = self.controller.run
        tail = (*map(id, last(self.turn, length)), 0, *map(id, last(self.window, length)))
        return (equivalence_key(run), run.frame, run.holder, run.passed, run.agenda.suspended, tail)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerStep:
    """One answer and what came of it: the records, and after each the walk that it lengthened."""

    here: Here
    answer: Answer
    records: tuple[Record, ...]
    walks: tuple[tuple[str, Firings], ...]


def last(walk: Firings, length: int) -> tuple[Arc, ...]:
    """The last firings of a walk, in order; fewer if there are no more."""
    found: list[Arc] = []
    while walk is not None and len(found) < length:
        arc, walk = walk
        found.append(arc)
    return tuple(reversed(found))


def backwards(walk: Firings) -> Iterator[Arc]:
    """The firings of a walk, the last first."""
    while walk is not None:
        arc, walk = walk
        yield arc


def begun(ground: Ground, controller: TurnController) -> AnswerStep:
    """The place where a game begins; what has fired before anything was asked counts."""
    return _followed(ground, Here(ground, controller), controller, Answer(), tuple(controller.trace.records))


def tried(here: Here, answer: Answer) -> AnswerStep | None:
    """The game answered so, on a fork of it; None when the answer is refused, or leads into a hole."""
    twin, records = here.controller.fork(), list[Record]()
    stop = twin.watch(records.append)
    try:
        twin.answer(answer)
    except FsmError:
        return None
    stop()
    return _followed(here.ground, here, twin, answer, tuple(records))


def _followed(
    ground: Ground, here: Here, controller: TurnController, answer: Answer, records: tuple[Record, ...]
) -> AnswerStep:
    turn, window = here.turn, here.window
    walks: list[tuple[str, Firings]] = []
    for record in records:
        arc = ground.arcs[record.machine, record.transition, record.source]
        if record.machine == "window":
            window = (arc, window)
            walks.append(("window", window))
            window = None if record.target in ground.finals else window
        else:
            turn = (arc, turn)
            walks.append((record.machine, turn))
            window = window if arc.row.target is None else None
    return AnswerStep(Here(ground, controller, turn, window), answer, records, tuple(walks))
