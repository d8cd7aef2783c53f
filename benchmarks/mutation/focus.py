"""The state of a search for one mutant: where its transitions are tried, what leads there, and the
games near it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from benchmarks.mutation.mutants import Mutant
from fsm.coverage import Target
from fsm.model.graph import Arc, Graph
from fsm.testing.generation.abstractgraph import AbstractGraph
from fsm.testing.generation.history import depends_on_leaving
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep
from fsm.testing.generation.targetedwalker import TargetedAnswers
from fsm.testing.generation.waitinggame import WaitingGame

HOPS = 3
"""At most this many firings before the transitions of a mutant, a signal is looked for that leads
to them.
"""
REPLACED = 0.5
"""The probability that a wait point replaces another one at the same distance."""


@dataclass
class Focus:
    """What the search knows of one mutant.

    `tried` has machine, state and event of its rows, and of the rows of signals that lead to them.
    `events` are those signals, and that of a player who leaves if a guard depends on it. `near` has
    games near the mutant, by their states.
    """

    answers: TargetedAnswers
    tried: frozenset[tuple[str, str, str]]
    events: tuple[str, ...]
    random: Random
    near: dict[tuple[str, str], WaitingGame] = field(default_factory=dict)

    def note(self, game: WaitingGame, step: AnswerStep) -> None:
        """Keep a game if this step from it tried the rows of the mutant, or if a signal might try
        them.
        """
        state, frame, *_ = game.node.graph_node
        if game.node.abstract.model.leaving in self.events and len(game.node.remaining) < 3:
            return  # the game is over when one of two leaves
        fired = {(each.machine, each.source, each.event) for each in step.fired}
        fired |= {
            pair
            for event in self.events
            for pair in (("turn", state, event), ("window", frame, event))
        }
        if not self.tried.isdisjoint(fired) and (
            (state, frame) not in self.near or self.random.random() < REPLACED
        ):
            self.near[state, frame] = game


def focus_on(abstract: AbstractGraph, mutant: Mutant, random: Random) -> Focus:
    """Return the focus on a mutant. Its rows become the target of a goal, so that their guards
    suggest orders.
    """
    graph = list(abstract.graphs.values())[mutant.machine == "window"]
    arcs = [arc for id in mutant.rows for arc in graph.of_row[id]]
    target = Target(str(mutant), graph.name, str(mutant))
    chains = {target.key: tuple((arc,) for arc in arcs)}
    goal = SearchGoal(
        abstract, "mutants", {target.key: target}, chains, lambda step: iter(()), {target.key: None}
    )
    leading = _leading(graph, arcs)
    near = frozenset((graph.name, arc.at, arc.row.event) for arc in (*arcs, *leading))
    events = {arc.row.event for arc in leading}
    if depends_on_leaving(abstract, arcs):
        events |= {abstract.model.leaving} & abstract.signals
    return Focus(TargetedAnswers(goal, random), near, tuple(sorted(events)), random)


def _leading(graph: Graph, arcs: list[Arc]) -> list[Arc]:
    """Return those of these rows that need a signal, or the nearest rows before them that do."""
    for _ in range(HOPS):
        found = [arc for arc in arcs if arc.row.event in graph.signals]
        if found:
            return found
        arcs = [
            arc for at in {arc.at for arc in arcs} for arc in graph.arriving[at] if arc.to != arc.at
        ]
    return []
