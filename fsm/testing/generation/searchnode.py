"""A search node: the run of a game at a wait point of a path."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fsm.engine.answers import checked
from fsm.engine.controller import TurnController
from fsm.engine.internal_steps import equivalence_key
from fsm.engine.requests import Answer
from fsm.engine.semantics import Fired, semantics_of
from fsm.engine.starting import first_run
from fsm.errors import FsmError, StuckError
from fsm.model import Model, State
from fsm.model.graph import Arc
from fsm.model.model import per_model
from fsm.state.primitives import holds
from fsm.state.run import Run
from fsm.testing.generation.abstractgraph import AbstractGraph, GraphNode


@dataclass(slots=True, eq=False)
class SearchNode:
    """A run at a wait point.

    A search goes on from a copy of the run, by the semantics alone: it needs no controller, which
    logs and remembers.
    """

    abstract: AbstractGraph
    run: Run

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
        return there if len(there) > 1 or _ends_when_alone(self.abstract.model) else ()

    @property
    def equivalence_key(self) -> Hashable:
        """A key that is equal for nodes from which the same can follow."""
        run = self.run
        return (equivalence_key(run), run.frame, run.holder, run.passed, run.agenda.suspended)


@dataclass(frozen=True, slots=True, eq=False)
class AnswerStep:
    """One answer and its result: the next node and the firings, also as arcs."""

    node: SearchNode
    answer: Answer
    fired: tuple[Fired, ...]
    arcs: tuple[Arc, ...]

    @property
    def read(self) -> Iterator[tuple[str, bool]]:
        """The facts that guards read, with their values."""
        return (pair for fired in self.fired for pair in fired.guards.items())

    def reporting(self, facts: Mapping[str, bool]) -> AnswerStep:
        """Return the step with only these facts in its answer."""
        return AnswerStep(self.node, replace(self.answer, facts=facts), self.fired, self.arcs)


def alike(node: SearchNode, other: SearchNode) -> bool:
    """Whether the same can follow after two nodes. See `SearchNode.equivalence_key`."""
    a, b = node.run, other.run
    if (a.state, a.frame) != (b.state, b.frame) or len(a.agenda.begun) != len(b.agenda.begun):
        return False  # most often it is so, and this is quick
    return node.equivalence_key == other.equivalence_key


def first_step(abstract: AbstractGraph, controller: TurnController) -> AnswerStep:
    """Return the step to the first wait point of a new game, with what fires before it."""
    run, fired = first_run(abstract.model, controller.head), list[Fired]()
    semantics_of(abstract.model).macrostep(run, holds, fired.append)
    return _followed(abstract, run, Answer(), fired)


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
    return _followed(abstract, run, answer, fired)


def _situation(node: SearchNode, answer: Answer) -> Hashable:
    """Return where a game waits, who is still in it, and the answer."""
    run = node.run
    return run.state, run.frame, run.latched, node.remaining, repr(answer)


def _followed(
    abstract: AbstractGraph, run: Run, answer: Answer, fired: Sequence[Fired]
) -> AnswerStep:
    arcs = tuple(abstract.numbered[each.machine, each.row.number, each.source] for each in fired)
    return AnswerStep(SearchNode(abstract, run), answer, tuple(fired), arcs)


@per_model
def _ends_when_alone(model: Model) -> bool:
    """Whether a game is over when everybody has left. If not, somebody must stay."""
    rows = (row for row in model.transitions if row.event == model.leaving)
    targets = (row.target for row in rows if row.target is not None)
    return model.leaving in model.signals and any(
        model.state(target).kind == "final" for target in targets
    )
