"""A search node: a real game at a wait point of a path, and the firings of each machine so far."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.internal_steps import equivalence_key
from fsm.engine.requests import Answer, Over
from fsm.engine.trace import Record
from fsm.engine.watching import Answered
from fsm.errors import FsmError, StuckError
from fsm.model.graph import Arc
from fsm.testing.fuzzing.gameelements import game_elements_of
from fsm.testing.generation.abstractgraph import AbstractGraph, GraphNode

Firings: TypeAlias = "tuple[Arc, Firings] | None"
"""The firings of one machine, the last one first."""


@dataclass(slots=True, eq=False)
class SearchNode:
    """A game at a wait point. `turn` and `window` are the walks of the two machines; a window's begins as it opens."""

    abstract: AbstractGraph
    controller: TurnController
    turn: Firings = None
    window: Firings = None

    @property
    def graph_node(self) -> GraphNode:
        """The node of the abstract graph that this game is at."""
        run = self.controller.run
        return GraphNode(run.state, run.frame, bool(run.agenda.returns_phase), bool(run.agenda.returns_step))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.controller.request, Over)

    @property
    def players(self) -> tuple[str, ...]:
        """All players."""
        return tuple(player for side in self.controller.agenda.sides for player in side)

    @property
    def remaining(self) -> tuple[str, ...]:
        """The players who are still in the game."""
        left = self.controller.agenda.left
        return tuple(player for player in self.players if player not in left)

    @property
    def may_leave(self) -> tuple[str, ...]:
        """The players who may leave now. The last one stays in a model in which a game without players never ends."""
        there = self.remaining
        return there if len(there) > 1 or game_elements_of(self.abstract.model).ends else ()

    def equivalence_key(self, length: int) -> Hashable:
        """Return a key that is equal for nodes from which the same can follow.

        The last `length` firings of each walk belong to the key, because they may be the beginning of a target.
        """
        run = self.controller.run
        tail = (*map(id, last_firings(self.turn, length)), 0, *map(id, last_firings(self.window, length)))
        return (equivalence_key(run), run.frame, run.holder, run.passed, run.agenda.suspended, tail)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerStep:
    """One answer and its result: the next node, the records, and after each record the walk that it extended."""

    node: SearchNode
    answer: Answer
    records: tuple[Record, ...]
    walks: tuple[tuple[str, Firings], ...]

    def reporting(self, facts: Mapping[str, bool]) -> AnswerStep:
        """Return the step with only these facts in its answer."""
        return AnswerStep(self.node, replace(self.answer, facts=facts), self.records, self.walks)


def last_firings(walk: Firings, length: int) -> tuple[Arc, ...]:
    """Return the last firings of a walk in order, at most `length` of them."""
    found: list[Arc] = []
    while walk is not None and len(found) < length:
        arc, walk = walk
        found.append(arc)
    return tuple(reversed(found))


def backwards(walk: Firings) -> Iterator[Arc]:
    """Yield the firings of a walk, the last one first."""
    while walk is not None:
        arc, walk = walk
        yield arc


def first_step(abstract: AbstractGraph, controller: TurnController) -> AnswerStep:
    """Return the step to the first wait point of a game, with what fires before it."""
    return _followed(abstract, SearchNode(abstract, controller), controller, Answer(), tuple(controller.trace.records))


def try_answer(node: SearchNode, answer: Answer) -> AnswerStep | None:
    """Give an answer on a fork of the game. Return None if it is refused, if the game is over, or if it gets stuck.

    A game that is stuck has fired many transitions before that shows. So an answer with which a game got stuck is not
    tried again where the game waits in the same states.
    """
    stuck = node.abstract.stuck
    if node.over or (stuck and _situation(node, answer) in stuck):
        return None
    fork, answered = node.controller.fork(), list[Answered]()
    stop = fork.watch_answers(answered.append)
    try:
        fork.answer(answer)
    except StuckError:
        stuck.add(_situation(node, answer))
        return None
    except FsmError:
        return None
    stop()
    return _followed(node.abstract, node, fork, answer, answered[0].records)


def _situation(node: SearchNode, answer: Answer) -> Hashable:
    """Return where a game waits, who is still in it, and the answer."""
    run = node.controller.run
    return run.state, run.frame, run.latched, node.remaining, repr(answer)


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
