"""A search node: the run of a game at a wait point of a path, and the firings of each machine so
far.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from fsm.engine.answers import checked
from fsm.engine.controller import TurnController
from fsm.engine.internal_steps import equivalence_key
from fsm.engine.requests import Answer
from fsm.engine.semantics import WINDOW, Fired, semantics_of
from fsm.engine.starting import first_run
from fsm.errors import FsmError, StuckError
from fsm.model import State
from fsm.model.graph import Arc
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.testing.fuzzing.gameelements import game_elements_of
from fsm.testing.generation.abstractgraph import AbstractGraph, GraphNode

Firings: TypeAlias = "tuple[Arc, Firings] | None"
"""The firings of one machine, the last one first."""


@dataclass(slots=True, eq=False)
class SearchNode:
    """A run at a wait point. `turn` and `window` are the walks of the two machines; a window's
    begins as it opens.

    A search goes on from a copy of the run, by the semantics alone: it needs no controller, which
    logs and remembers.
    """

    abstract: AbstractGraph
    run: Run
    turn: Firings = None
    window: Firings = None

    @property
    def graph_node(self) -> GraphNode:
        """The node of the abstract graph that this game is at."""
        run = self.run
        return GraphNode(
            run.state, run.frame, bool(run.agenda.returns_phase), bool(run.agenda.returns_step)
        )

    @property
    def waiting(self) -> State:
        """The state of turn or window that waits for an answer."""
        return self.abstract.leaves[self.run.state, self.run.frame]

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.waiting.kind == "final"

    @property
    def players(self) -> tuple[str, ...]:
        """All players."""
        return tuple(player for side in self.run.agenda.sides for player in side)

    @property
    def remaining(self) -> tuple[str, ...]:
        """The players who are still in the game."""
        left = self.run.agenda.left
        return tuple(player for player in self.players if player not in left)

    @property
    def may_leave(self) -> tuple[str, ...]:
        """The players who may leave now. The last one stays in a model in which a game without
        players never ends.
        """
        there = self.remaining
        return there if len(there) > 1 or game_elements_of(self.abstract.model).ends else ()

    def equivalence_key(self, length: int) -> Hashable:
        """Return a key that is equal for nodes from which the same can follow.

        The last `length` firings of each walk belong to the key, because they may be the beginning
        of a target.
        """
        run = self.run
        tail = (
            *map(id, last_firings(self.turn, length)),
            0,
            *map(id, last_firings(self.window, length)),
        )
        return (equivalence_key(run), run.frame, run.holder, run.passed, run.agenda.suspended, tail)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerStep:
    """One answer and its result: the next node, the firings, and after each firing the walk that it
    extended.
    """

    node: SearchNode
    answer: Answer
    fired: tuple[Fired, ...]
    walks: tuple[tuple[str, Firings], ...]

    @property
    def read(self) -> Iterator[tuple[str, bool]]:
        """The facts that guards read, with their values."""
        return (pair for fired in self.fired for pair in fired.guards.items())

    def reporting(self, facts: Mapping[str, bool]) -> AnswerStep:
        """Return the step with only these facts in its answer."""
        return AnswerStep(self.node, replace(self.answer, facts=facts), self.fired, self.walks)


def alike(node: SearchNode, other: SearchNode, length: int) -> bool:
    """Whether the same can follow after two nodes. See `SearchNode.equivalence_key`."""
    a, b = node.run, other.run
    if (a.state, a.frame) != (b.state, b.frame) or len(a.agenda.begun) != len(b.agenda.begun):
        return False  # most often it is so, and this is quick
    return node.equivalence_key(length) == other.equivalence_key(length)


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
    """Return the step to the first wait point of a new game, with what fires before it."""
    run, fired = first_run(abstract.model, controller.head), list[Fired]()
    semantics_of(abstract.model).macrostep(run, holds, fired.append)
    return _followed(SearchNode(abstract, run), run, Answer(), fired)


def try_answer(node: SearchNode, answer: Answer) -> AnswerStep | None:
    """Give an answer in a copy of the run. Return None if it is refused, if the game is over, or if
    it gets stuck.

    A game that is stuck has fired many transitions before that shows. So an answer with which a
    game got stuck is not tried again where the game waits in the same states.
    """
    abstract, stuck = node.abstract, node.abstract.stuck
    if node.over or (stuck and _situation(node, answer) in stuck):
        return None
    run, fired = node.run.copy(), list[Fired]()
    try:
        semantics_of(abstract.model).answer(
            run, checked(run, node.waiting, answer), holds, fired.append
        )
    except StuckError:
        stuck.add(_situation(node, answer))
        return None
    except FsmError:
        return None
    return _followed(node, run, answer, fired)


def _situation(node: SearchNode, answer: Answer) -> Hashable:
    """Return where a game waits, who is still in it, and the answer."""
    run = node.run
    return run.state, run.frame, run.latched, node.remaining, repr(answer)


def _followed(node: SearchNode, run: Run, answer: Answer, firings: Iterable[Fired]) -> AnswerStep:
    abstract, turn, window = node.abstract, node.turn, node.window
    walks: list[tuple[str, Firings]] = []
    fired = tuple(firings)
    for each in fired:
        arc = abstract.numbered[each.machine, each.row.number, each.source]
        if each.machine == WINDOW:
            window = (arc, window)
            walks.append((WINDOW, window))
            window = None if each.target in abstract.finals else window
        else:
            turn = (arc, turn)
            walks.append((each.machine, turn))
            window = window if arc.row.target is None else None
    return AnswerStep(SearchNode(abstract, run, turn, window), answer, fired, tuple(walks))
