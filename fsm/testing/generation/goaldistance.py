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
from fsm.testing.generation.searchgoal import ChainGoal, SearchGoal
from fsm.testing.generation.searchnode import SearchNode, last_firings

FAR = 10_000
SOON = 4
"""Orders and signals are tried when what they may open is at most this many answers away."""
Distances = dict[GraphNode, Estimate]


class GoalDistance:
    """The distances to all chains of a goal, as it is when a search begins."""

    def __init__(self, goal: SearchGoal) -> None:
        self.goal, self.abstract = goal, goal.abstract
        self.chain_goals = tuple(goal.chain_goals())
        self.needing: dict[NeededExtra, list[ChainGoal]] = {}
        for chain_goal in self.chain_goals:
            if chain_goal.need is not None:
                self.needing.setdefault(chain_goal.need, []).append(chain_goal)
        self.distances_now: Distances = self.abstract.distances(self._sources())
        self.distances_when_open: dict[NeededExtra, Distances] = {}
        self.begun_chains = self._begun_chains()

    def _sources(self) -> Iterator[tuple[GraphNode, int, object]]:
        for chain_goal in self.chain_goals:
            if chain_goal.need is None or not choosing_state(self.abstract, chain_goal.need.level):
                yield from _at_chain(self.abstract, chain_goal)
            else:
                for mode in MODES:
                    yield (
                        GraphNode(chain_goal.need.state, "", *mode),
                        chain_goal.opening + chain_goal.cost,
                        chain_goal,
                    )

    def _begun_chains(self) -> dict[tuple[int, ...], tuple[int, ChainGoal]]:
        """Return what is left of each chain, by the firings of it that are done."""
        found: dict[tuple[int, ...], tuple[int, ChainGoal]] = {}
        for chain_goal in self.chain_goals:
            for end in range(1, len(chain_goal.chain)):
                cost = sum(map(self.abstract.cost, chain_goal.chain[end:]))
                done = tuple(map(id, chain_goal.chain[:end]))
                if done not in found or cost < found[done][0]:
                    found[done] = (cost, chain_goal)
        return found

    def estimate(self, node: SearchNode) -> Estimate:
        """Estimate the distance to the nearest chain."""
        run = node.run
        best, passed = Estimate(FAR, None), int(bool(run.frame and run.passed))
        for cost, graph_node, table in self._lookups(node):
            found = table.get(graph_node)
            if found is not None and cost + found.cost < best.cost:
                best = Estimate(cost + found.cost, found.key, found.edge)
        best = Estimate(max(best.cost - passed, 1), best.key, best.edge)
        return self._or_begun_chain(node, best)

    def _or_begun_chain(self, node: SearchNode, best: Estimate) -> Estimate:
        length = self.goal.length - 1
        for walk in (node.turn, node.window) if length else ():
            arcs = last_firings(walk, length)
            for start in range(len(arcs)):
                left = self.begun_chains.get(tuple(map(id, arcs[start:])))
                if left is not None and max(left[0], 1) < best.cost:
                    best = Estimate(max(left[0], 1), left[1])
        return best

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
                        for source in _at_chain(self.abstract, goal)
                    )
                    self.distances_when_open[need] = self.abstract.distances(sources)
                yield self.distances_when_open[need]

    def expected_events(self, estimate: Estimate) -> frozenset[str]:
        """Return the events that come next on the estimated way."""
        arcs = [estimate.edge.arc] if estimate.edge is not None else []
        if estimate.cost <= 1 and isinstance(estimate.key, ChainGoal):
            arcs += estimate.key.chain
        return frozenset(arc.row.event for arc in arcs)

    def required(self, node: SearchNode, estimate: Estimate) -> Required:
        """Return what the estimated way requires, as far as a few answers ahead."""
        if not isinstance(estimate.key, ChainGoal):
            return Required()
        arcs = (
            list(estimate.key.arcs)
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


def _at_chain(
    abstract: AbstractGraph, chain_goal: ChainGoal
) -> Iterator[tuple[GraphNode, int, object]]:
    for graph_node in abstract.start_nodes(chain_goal.chain[0]):
        yield graph_node, chain_goal.cost, chain_goal


def _cost(estimate: Estimate) -> int:
    return estimate.cost
