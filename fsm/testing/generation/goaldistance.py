"""Computes the least distance from a wait point to the nearest target, and what the way to it
requires.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fsm.state.entries import Return
from fsm.testing.generation.abstractgraph import MODES, AbstractGraph, Estimate, GraphNode, Test
from fsm.testing.generation.history import (
    NeededExtra,
    choosing_state,
    depends_on_leaving,
    distances_to_end,
    extras_under_way,
    firings_along,
    tests_of,
)
from fsm.testing.generation.searchgoal import ArcGoal, SearchGoal
from fsm.testing.generation.searchnode import SearchNode

FAR = 10_000
SOON = 4
"""Orders and signals are tried when what they may open is at most this many answers away."""
Distances = dict[GraphNode, Estimate]


class GoalDistance:
    """The distances to all arcs of a goal, as it is when a search begins."""

    def __init__(self, goal: SearchGoal) -> None:
        self.goal, self.abstract = goal, goal.abstract
        self.arc_goals = tuple(goal.arc_goals())
        self.needing: dict[NeededExtra, list[ArcGoal]] = {}
        for arc_goal in self.arc_goals:
            if arc_goal.need is not None:
                self.needing.setdefault(arc_goal.need, []).append(arc_goal)
        self.distances_now: Distances = self.abstract.distances(self._sources())
        self.distances_when_open: dict[NeededExtra, Distances] = {}

    def _sources(self) -> Iterator[tuple[GraphNode, int, object]]:
        for arc_goal in self.arc_goals:
            if arc_goal.need is None or not choosing_state(self.abstract, arc_goal.need.level):
                yield from _at_arc(self.abstract, arc_goal)
            else:
                for mode in MODES:
                    yield (
                        GraphNode(arc_goal.need.state, "", *mode),
                        arc_goal.opening + arc_goal.cost,
                        arc_goal,
                    )

    def estimate(self, node: SearchNode) -> Estimate:
        """Estimate the distance to the nearest arc."""
        run = node.run
        best, passed = Estimate(FAR, None), int(bool(run.frame and run.passed))
        for cost, graph_node, table in self._lookups(node):
            found = table.get(graph_node)
            if found is not None and cost + found.cost < best.cost:
                best = Estimate(cost + found.cost, found.key, found.edge)
        return Estimate(max(best.cost - passed, 1), best.key, best.edge)

    def _lookups(self, node: SearchNode) -> Iterator[tuple[int, GraphNode, Distances]]:
        """Yield the nodes and tables for the distance: from here, and from where the extras under
        way return to.
        """
        graph_node, cost = node.graph_node, 0
        for table in self._tables(node):
            yield 0, graph_node, table
        agenda = node.run.agenda
        for level, stack in (("step", agenda.returns_step), ("phase", agenda.returns_phase)):
            if stack:
                out = distances_to_end(self.abstract.model, level).get(graph_node)
                if out is None:
                    return
                cost += out.cost
                graph_node = _back(graph_node, level, stack)
                yield cost, graph_node, self.distances_now

    def _tables(self, node: SearchNode) -> Iterator[Distances]:
        yield self.distances_now
        for need in extras_under_way(node.run.agenda):
            if need in self.needing:
                if need not in self.distances_when_open:
                    sources = (
                        source
                        for goal in self.needing[need]
                        for source in _at_arc(self.abstract, goal)
                    )
                    self.distances_when_open[need] = self.abstract.distances(sources)
                yield self.distances_when_open[need]

    def expected_events(self, estimate: Estimate) -> frozenset[str]:
        """Return the events that come next on the estimated way."""
        arcs = [estimate.edge.arc] if estimate.edge is not None else []
        if estimate.cost <= 1 and isinstance(estimate.key, ArcGoal):
            arcs.append(estimate.key.arc)
        return frozenset(arc.row.event for arc in arcs)

    def required(self, node: SearchNode, estimate: Estimate) -> Required:
        """Return what the estimated way requires, as far as a few answers ahead."""
        if not isinstance(estimate.key, ArcGoal):
            return Required()
        arcs = (
            list(estimate.key.way)
            if estimate.cost <= estimate.key.cost + estimate.key.opening + SOON
            else []
        )
        for cost, graph_node, table in self._lookups(node):
            if graph_node in table and table[graph_node].key is estimate.key and cost < SOON:
                arcs += firings_along(table, graph_node, SOON - cost)
        tests = frozenset(tests_of(self.abstract, arcs))
        leaves = depends_on_leaving(self.abstract, arcs)
        events = frozenset(arc.row.event for arc in arcs) | (
            {self.abstract.model.leaving} if leaves else set()
        )
        return Required(tests, events, frozenset(t.fact for arc in arcs for t in arc.row.guard))


@dataclass(frozen=True, slots=True)
class Required:
    """The tests that must hold on a way, the events that must come, and the facts that are read."""

    tests: frozenset[Test] = frozenset()
    events: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


def _back(graph_node: GraphNode, level: str, stack: tuple[Return, ...]) -> GraphNode:
    phase, step = (
        (graph_node.phase, len(stack) > 1) if level == "step" else (len(stack) > 1, graph_node.step)
    )
    return GraphNode(stack[-1].state, "", phase, step)


def _at_arc(abstract: AbstractGraph, arc_goal: ArcGoal) -> Iterator[tuple[GraphNode, int, object]]:
    for graph_node in abstract.start_nodes(arc_goal.arc):
        yield graph_node, arc_goal.cost, arc_goal
