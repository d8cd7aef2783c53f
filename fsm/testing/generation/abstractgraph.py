"""The abstract graph of a Model: turn and window as one graph without guards, and the distances in
it.

Only two parts of guards are considered: what the state of the turn decides, and that an order must
come first. The distances are estimates, counted in answers.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import product
from typing import NamedTuple

from fsm.checks.feasibility.prover import prover_of
from fsm.engine.answers import game_facts, quiet_facts
from fsm.engine.requesting import facts_asked
from fsm.model import Model, State, Transition
from fsm.model.graph import Arc, Graph, graphs_of
from fsm.model.model import per_model
from fsm.state.primitives import opening_of

Test = tuple[str, ...]


class GraphNode(NamedTuple):
    """A state of the turn, that of the open window ("" for none), and whether an extra phase or
    step is under way.
    """

    state: str
    frame: str = ""
    phase: bool = False
    step: bool = False


MODES = tuple(product((False, True), repeat=2))


@dataclass(frozen=True, slots=True)
class AbstractEdge:
    """A firing from node to node. `cost` is in answers. A required order counts as some answers."""

    arc: Arc
    start: GraphNode
    end: GraphNode
    cost: int


@dataclass(slots=True)
class Estimate:
    """The estimated distance from a node to the nearest goal `key`: at least `cost` answers, first
    by `edge`.
    """

    cost: int
    key: object
    edge: AbstractEdge | None = None


@dataclass
class AbstractGraph:
    """The abstract graph of one Model, and what searches need to know of its machines."""

    model: Model
    stuck: set[Hashable] = field(default_factory=set)
    """The situations and answers with which a game got stuck in this search."""
    decided: dict[Hashable, tuple[tuple[str, str, bool], ...]] = field(default_factory=dict)
    """The literals that decided each firing, as `fsm.testing.generation.measuring` caches them."""
    _facts: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def graphs(self) -> Mapping[str, Graph]:
        """The graphs of the machines, by the names that records use."""
        return {graph.name: graph for graph in graphs_of(self.model)}

    @cached_property
    def turn(self) -> str:
        """The name of the turn machine in records."""
        return next(iter(self.graphs))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """All words that can be answered in either machine."""
        leaves = (
            s for graph in self.graphs.values() for s in graph.model.leaves if s.kind == "action"
        )
        return tuple(dict.fromkeys(word for state in leaves for word in state.words))

    @cached_property
    def arcs(self) -> Mapping[tuple[str, str, str], Arc]:
        """The arcs, by machine, transition and state."""
        return {(g.name, a.row.id, a.at): a for g in self.graphs.values() for a in g.arcs}

    @cached_property
    def numbered(self) -> Mapping[tuple[str, int, str], Arc]:
        """The arcs, by machine, number of the transition and state."""
        numbers = {
            id(t): n
            for graph in self.graphs.values()
            for n, t in enumerate(graph.model.transitions)
        }
        return {(name, numbers[id(arc.row)], at): arc for (name, _, at), arc in self.arcs.items()}

    @cached_property
    def leaves(self) -> Mapping[tuple[str, str], State]:
        """The state that waits for an answer, by the states of turn and window."""
        window = self.model.window
        inside = window.leaves if window is not None else ()
        pairs = {(state, frame.id): frame for state in self.windows for frame in inside}
        return {(state.id, ""): state for state in self.model.leaves} | pairs

    @cached_property
    def machine(self) -> Mapping[int, str]:
        """The name of the machine that an arc belongs to, by the identity of the arc."""
        return {id(arc): name for (name, _, _), arc in self.arcs.items()}

    def graph_of(self, arc: Arc) -> Graph:
        """Return the graph that an arc belongs to."""
        return self.graphs[self.machine[id(arc)]]

    def facts(self, state: str, frame: str) -> tuple[str, ...]:
        """Return the facts that may be asked for in these states, whatever is scheduled."""
        pair = (state, frame)
        if pair not in self._facts:
            window = self.model.window
            waits = window.state(frame) if frame and window is not None else self.model.state(state)
            self._facts[pair] = facts_asked(self.model, state, waits, frame, busy=True)
        return self._facts[pair]

    @cached_property
    def latched(self) -> tuple[str, ...]:
        """The facts of the game that stay true once they are reported."""
        return tuple(
            name for name, fact in game_facts(self.model).items() if fact.timing == "latched"
        )

    @cached_property
    def quiet(self) -> frozenset[str]:
        """The facts that hold while nothing happens."""
        return frozenset(quiet_facts(self.model))

    @cached_property
    def signals(self) -> frozenset[str]:
        """The events that break the ordinary course."""
        return frozenset(self.model.signals)

    @cached_property
    def windows(self) -> tuple[str, ...]:
        """The states of the turn in which a window runs."""
        return tuple(
            s.id for s in self.model.leaves if s.kind == "window" and self.model.window is not None
        )

    @cached_property
    def finals(self) -> tuple[str, ...]:
        """The window states in which a window is over."""
        window = self.model.window
        return tuple(s.id for s in window.leaves if s.kind == "final") if window is not None else ()

    @cached_property
    def asking(self) -> tuple[str, ...]:
        """The window states that wait for an answer."""
        window = self.model.window
        return (
            tuple(s.id for s in window.leaves if s.kind == "action") if window is not None else ()
        )

    def start_nodes(self, arc: Arc) -> tuple[GraphNode, ...]:
        """Return the nodes at which this arc can fire."""
        if self.machine[id(arc)] == "window":
            pairs = [(state, arc.at) for state in self.windows]
        elif arc.at not in self.windows:
            pairs = [(arc.at, "")]
        else:
            frames = self.asking if arc.row.event in self.signals else self.finals
            pairs = [(arc.at, frame) for frame in frames]
        return tuple(
            GraphNode(*pair, *mode)
            for pair in pairs
            for mode in MODES
            if self._fits(arc, pair[0], *mode)
        )

    def _fits(self, arc: Arc, state: str, phase: bool, step: bool) -> bool:
        """Whether an arc can fire in this state of the turn, inside or outside extras of these
        levels.

        Only those terms of its guard, and of the guards above it, count that read the state or the
        extras.
        """
        graph = self.graph_of(arc)
        above = graph.model.above(arc.row, arc.at)

        def values(row: Transition) -> list[bool | None]:
            tests = [(graph.model.fact(t.fact).test, t.value) for t in row.guard]
            where = [self._by_state(state, test, value) for test, value in tests]
            return [*where, *(_inside(test, value, phase, step) for test, value in tests)]

        return False not in values(arc.row) and not any(_sure(values(row)) for row in above)

    def _by_state(self, state: str, test: Test, value: bool) -> bool | None:
        """Whether a term holds in this state of the turn. None if the state alone does not decide
        it.
        """
        if test[:1] == ("window_opens",):
            return (self.model.state(state).opens == test[1]) == value
        home = self.model.enclosing(state, "phase")
        if home is None or test[:1] != ("phase_under_way",):
            return None
        return (test[1] in (home.name, home.family)) == value

    def cost(self, arc: Arc) -> int:
        """Return 1 if an arc needs an answer of its own. A signal does not: it goes with another
        answer.
        """
        return int(self.graph_of(arc).answered(arc) and arc.row.event not in self.signals)

    @cached_property
    def edges(self) -> tuple[AbstractEdge, ...]:
        """Every firing that is not proved impossible, from every node."""
        return tuple(
            edge
            for graph in self.graphs.values()
            for arc in graph.arcs
            for edge in self._edges(graph, arc)
        )

    def _edges(self, graph: Graph, arc: Arc) -> Iterator[AbstractEdge]:
        if arc not in prover_of(graph).live or self.returns(arc):
            return
        for node in self.start_nodes(arc):
            signal = node.frame in self.asking and arc.row.event in self.signals
            cost = max(self.cost(arc), int(signal)) + self.passes(arc) + self.ordered(arc)
            yield AbstractEdge(arc, node, self._end(graph, arc, node), cost)

    def passes(self, arc: Arc) -> int:
        """Return the number of further answers if all players must pass. At least two players play."""
        model = self.graph_of(arc).model
        refused = [row.guard[0] for row in model.above(arc.row, arc.at) if len(row.guard) == 1]
        known = [(model.fact(t.fact).test, t.value) for t in arc.row.guard]
        known += [(model.fact(t.fact).test, not t.value) for t in refused]
        return int((("everyone_passed",), True) in known)

    def ordered(self, arc: Arc) -> int:
        """Return the cost of an order that the guard requires. If orders were free, a search would
        use nothing else.
        """
        model = self.graph_of(arc).model
        openings = (opening_of(model.fact(t.fact).test) for t in arc.row.guard if t.value)
        return max((opening.cost for opening in openings if opening is not None), default=0)

    def _end(self, graph: Graph, arc: Arc, node: GraphNode) -> GraphNode:
        if graph.name == "window":
            return node._replace(frame=arc.to)
        if arc.row.target is None:
            return node
        window, levels = self.model.window, {"phase": node.phase, "step": node.step}
        for action in arc.row.actions:
            if action.name == "push_return":
                levels[action.args[0]] = True
            elif action.name == "drop" or action.name == "begin_turn":
                levels["step"], levels["phase"] = (
                    False,
                    levels["phase"] and action.args[:1] == ("phase",),
                )
        frame = window.initial if window is not None and arc.to in self.windows else ""
        return GraphNode(arc.to, frame, levels["phase"], levels["step"])

    def returns(self, arc: Arc) -> bool:
        """Whether an arc returns to where an extra began. The game knows where that is, its guard
        does not.
        """
        model = self.graph_of(arc).model
        return any(model.fact(t.fact).test[:1] == ("returns_to",) for t in arc.row.guard if t.value)

    @cached_property
    def arriving(self) -> Mapping[GraphNode, tuple[AbstractEdge, ...]]:
        """The firings into each node."""
        found: dict[GraphNode, list[AbstractEdge]] = {}
        for edge in self.edges:
            found.setdefault(edge.end, []).append(edge)
        return {node: tuple(edges) for node, edges in found.items()}

    def distances(
        self, sources: Iterable[tuple[GraphNode, int, object]]
    ) -> dict[GraphNode, Estimate]:
        """Return the distance from every node to the nearest source, by Dijkstra's algorithm along
        reversed edges.

        A source is a node with its own cost, which is added, and a key.
        """
        found: dict[GraphNode, Estimate] = {}
        heap: list[tuple[int, int, GraphNode]] = []
        for node, cost, key in sources:
            if node not in found or cost < found[node].cost:
                found[node] = Estimate(cost, key)
        heap = [
            (estimate.cost, number, node) for number, (node, estimate) in enumerate(found.items())
        ]
        heap.sort()
        number = len(heap)
        while heap:
            cost, _, node = heappop(heap)
            estimate = found[node]
            if cost > estimate.cost:
                continue
            for edge in self.arriving.get(node, ()):
                longer, known = cost + edge.cost, found.get(edge.start)
                if known is None or longer < known.cost:
                    found[edge.start] = Estimate(longer, estimate.key, edge)
                    number += 1
                    heappush(heap, (longer, number, edge.start))
        return found


@per_model
def abstract_graph_of(model: Model) -> AbstractGraph:
    """Return the abstract graph that all searches in this model share."""
    return AbstractGraph(model)


def _sure(values: list[bool | None]) -> bool:
    """Whether a guard certainly holds. Each of its terms has two values here, of which one may be
    unknown.
    """
    half = len(values) // 2
    return half > 0 and all(True in pair for pair in zip(values[:half], values[half:], strict=True))


def _inside(test: Test, value: bool, phase: bool, step: bool) -> bool | None:
    """Whether a term holds inside extras of these levels. None if they do not decide it."""
    known = {
        ("inside_extra", "phase"): phase,
        ("inside_extra", "step"): step,
        ("inside_any_extra",): phase or step,
    }
    if test in known:
        return known[test] == value
    if test[:1] == ("only_another",) and not phase:
        return not value
    return None
