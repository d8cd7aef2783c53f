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
from fsm.testing.generation.abstractgraph import AbstractGraph, GraphNode

Firings: TypeAlias = "tuple[Arc, Firings] | None"
"""The firings of one machine, the last one first."""


@dataclass(slots=True, eq=False)
class SearchNode:
    """Where a game waits: `turn` and `window` are its walks, a window's own since it opened."""

    abstract: AbstractGraph
    controller: TurnController
    turn: Firings = None
    window: Firings = None
    _key: Hashable = field(default=None, repr=False)

    @property
    def graph_node(self) -> GraphNode:
        """The states of turn and window."""
        run = self.controller.run
        return GraphNode(run.state, run.frame, bool(run.agenda.returns_phase), bool(run.agenda.returns_step))

    def equivalence_key(self, length: int) -> Hashable:
        """Equal for places from which the same can follow; the last `length` firings of each walk count."""
        run = self.controller.run
        tail = (*map(id, last_firings(self.turn, length)), 0, *map(id, last_firings(self.window, length)))
        return (equivalence_key(run), run.frame, run.holder, run.passed, run.agenda.suspended, tail)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerStep:
    """One answer and what came of it: the records, and after each the walk that it lengthened."""

    node: SearchNode
    answer: Answer
    records: tuple[Record, ...]
    walks: tuple[tuple[str, Firings], ...]


def last_firings(walk: Firings, length: int) -> tuple[Arc, ...]:
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


def first_step(abstract: AbstractGraph, controller: TurnController) -> AnswerStep:
    """The place where a game begins; what has fired before anything was asked counts."""
    return _followed(abstract, SearchNode(abstract, controller), controller, Answer(), tuple(controller.trace.records))


def try_answer(node: SearchNode, answer: Answer) -> AnswerStep | None:
    """The game answered so, on a fork of it; None when the answer is refused, or leads into a hole."""
    twin, records = node.controller.fork(), list[Record]()
    stop = twin.watch(records.append)
    try:
        twin.answer(answer)
    except FsmError:
        return None
    stop()
    return _followed(node.abstract, node, twin, answer, tuple(records))


def _followed(
    abstract: AbstractGraph, node: SearchNode, controller: TurnController, answer: Answer, records: tuple[Record, ...]
) -> AnswerStep:
    turn, window = node.turn, node.window
    walks: list[tuple[str, Firings]] = []
    for record in records:
        arc = abstract.arcs[record.machine, record.transition, record.source]
        if record.machine == "window":
            window = (arc, window)
            walks.append(("window", window))
            window = None if record.target in abstract.finals else window
        else:
            turn = (arc, turn)
            walks.append((record.machine, turn))
            window = window if arc.row.target is None else None
    return AnswerStep(SearchNode(abstract, controller, turn, window), answer, records, tuple(walks))
