"""Explores every game within bounds: the product of turn, window, agenda and stack.

The graph has a node for each wait point of the turn and, at a window, for each way into it. The
inside of a window is explored once for all equivalent wait points, and the product is counted from
both.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.checks.modelchecking.bounds import Bounds, within
from fsm.checks.modelchecking.candidateorders import (
    KINDS,
    candidate_orders,
    kind_of,
    pending,
    start_of,
)
from fsm.checks.modelchecking.equivalencekey import EquivalenceKey
from fsm.checks.modelchecking.labels import Labels
from fsm.checks.modelchecking.live import live_facts
from fsm.checks.modelchecking.stepping import Stepper, words_of
from fsm.checks.modelchecking.turnsteps import Landing, Place, TurnSteps
from fsm.checks.modelchecking.windows import (
    FactItems,
    WindowClosing,
    WindowExit,
    WindowGraph,
    WindowPosition,
    bits,
    stacks,
    window_key,
)
from fsm.model import Model
from fsm.state.orders import Order
from fsm.state.run import Run

BEYOND = 0
"""The node that stands for everything after the last turn of the bounds."""


class TurnMove(NamedTuple):
    """What leads the turn on: an answer, a closing window, an order, a reported fact, or a signal.

    `forced` is the number of answers after it that have no alternative.
    """

    kind: str
    facts: FactItems = ()
    forced: int = 0
    word: str = ""
    order: int = -1
    signal: str = ""
    stack: int = 0


class TurnEdge(NamedTuple):
    """An edge of the graph to the node `to`, with its move and the number of the label of what can
    be observed on it.

    `quiet` means that the move starts nothing new. `exit` is where it leaves a window.
    """

    to: int
    label: int
    move: TurnMove
    quiet: bool
    exit: WindowExit | None = None


@dataclass(slots=True)
class TurnNode:
    """A wait point of the turn: where the turn stands, which facts stay true, and what has been
    explored from it.
    """

    place: Place
    latched: frozenset[str]
    stack: int
    windows: WindowGraph | None = None
    reached: int = 0
    orders: list[tuple[int, int, TurnMove]] | None = None
    reports: list[tuple[int, TurnMove]] | None = None
    closed: dict[WindowClosing, list[TurnEdge]] = field(default_factory=dict)
    signalled: dict[tuple[WindowPosition, str], list[TurnEdge]] = field(default_factory=dict)
    left: dict[int, list[TurnEdge]] = field(default_factory=dict)

    @property
    def run(self) -> Run:
        """A run that waits there."""
        run = self.place.run.copy()
        run.latched = self.latched
        return run


@dataclass(frozen=True, slots=True)
class BadPosition:
    """A position that is stuck or ambiguous: at `node`, inside its window at `at`, or by `move` out
    of `exit`.
    """

    kind: str
    what: str
    node: int
    at: int = -1
    move: TurnMove | None = None
    exit: WindowExit | None = None


class Explorer:
    """Explores the graph of all games. `run` fills `nodes`, `edges`, `labels` and `troubles`, the
    bad positions.

    `orders` limits the orders that are given. By default, all orders that the model accepts are
    given.
    """

    def __init__(
        self, model: Model, bounds: Bounds | None = None, orders: Sequence[Order] | None = None
    ) -> None:
        self.bounds = bounds or Bounds()
        self.model = within(model, self.bounds)
        self.stepper = Stepper(self.model, self.bounds)
        self.live = live_facts(self.model)
        self.equivalence = EquivalenceKey(self.model)
        self.orders = candidate_orders(self.model, self.bounds) if orders is None else tuple(orders)
        self.kinds = [KINDS.index(kind_of(order)) for order in self.orders]
        window = self.model.window
        self.inner = (
            frozenset(f.name for f in window.facts) if window is not None else frozenset[str]()
        )
        stated = {f.name for f in self.model.facts if f.quiet is not None}
        self.stirring = (self.inner | stated) - {self.stepper.environment.empty}
        self.nodes: list[tuple[int, int]] = [(0, -1)]
        self.edges: list[list[TurnEdge]] = [[]]
        self.labels = Labels()
        self.steps = TurnSteps(self.stepper, self.equivalence, self.labels)
        first = self.steps.place(start_of(self.model, self.bounds))
        self.turn_nodes = [TurnNode(first, first.run.latched, 0)]
        self.troubles: list[BadPosition] = []
        self.resolves = window is not None and any(s.asks == "resolve" for s in window.leaves)
        self._order_moves = [TurnMove("order", order=number) for number in range(len(self.orders))]
        self._turn_node_numbers: dict[tuple[Place, frozenset[str], int], int] = {}
        self._nodes: dict[tuple[int, int], int] = {(0, -1): BEYOND}
        self._led: dict[tuple[int, frozenset[str]], TurnEdge] = {}
        self._windows: dict[Hashable, WindowGraph] = {}
        self._queue: deque[int] = deque()
        self.occurrences: dict[str, list[BadPosition]] = {}

    # the search -----------------------------------------------------------------------------------

    def run(self, progress: Callable[[int, int], None] | None = None) -> Explorer:
        """Explore everything. `progress` gets the number of nodes done and the number of nodes
        known.
        """
        first = self.turn_nodes[BEYOND]
        started = self.steps.started(first.place)
        self.starts = list(self._edges_of(started, first.latched, TurnMove("start"), BEYOND))
        done = 0
        while self._queue:
            node = self._queue.popleft()
            self.edges[node] = self._expand(node)
            done += 1
            if progress is not None and done % 500 == 0:
                progress(done, len(self.nodes))
        if progress is not None:
            progress(done, len(self.nodes))
        return self

    def _expand(self, node: int) -> list[TurnEdge]:
        number, entry = self.nodes[node]
        turn_node = self.turn_nodes[number]
        if entry >= 0:
            return self._from_window(node, turn_node, entry)
        place, latched = turn_node.place, turn_node.latched
        state = self.model.state(place.run.state)
        if state.kind == "final":
            return []
        found: list[TurnEdge] = []
        for word in words_of(state):
            for stack in stacks(self.stepper, state.asks, state.action, word, turn_node.stack):
                landings = self.steps.answered(place, latched, stack, word)
                found += self._edges_of(
                    landings, latched, TurnMove("answer", word=word, stack=stack), node
                )
        return _without_duplicates(found)

    def _from_window(self, node: int, turn_node: TurnNode, entry: int) -> list[TurnEdge]:
        """Return the edges out of a window. Those of one exit are the same, however the window was
        entered.
        """
        windows = turn_node.windows
        assert windows is not None
        turn_node.reached |= windows.reached(entry)
        out = windows.exits_from(entry)
        for at in out.stuck:
            self._trouble(windows.nodes[at].problem, node, at)
        found: list[TurnEdge] = []
        for exit in (*out.closings, *out.effects):
            edges = turn_node.left.get(id(exit))
            if edges is None:
                leave = self._closings if exit.closing is not None else self._effects
                edges = turn_node.left[id(exit)] = _without_duplicates(
                    leave(node, turn_node, windows, exit)
                )
            found += edges
        return found

    def _closings(
        self, node: int, turn_node: TurnNode, windows: WindowGraph, exit: WindowExit
    ) -> Iterator[TurnEdge]:
        closing = exit.closing
        assert closing is not None
        if closing not in turn_node.closed:
            latched = turn_node.latched | closing.latched
            landings = self.steps.closed(turn_node.place, latched, closing.stack, closing.facts)
            turn_node.closed[closing] = list(
                self._edges_of(landings, latched, TurnMove("close"), node, exit)
            )
        for to, label, move, _, _ in turn_node.closed[closing]:
            yield TurnEdge(to, self.labels.joined(exit.label, label), move, exit.quiet, exit)

    def _effects(
        self, node: int, turn_node: TurnNode, windows: WindowGraph, exit: WindowExit
    ) -> Iterator[TurnEdge]:
        free = exit.word != "acted" or not self.resolves
        before = exit.label
        if free and exit.entry >= 0:
            inside = windows.nodes[exit.entry].inside
            for to, label, move in self._orders_at(turn_node):
                yield TurnEdge(
                    self._entered(to, inside), self.labels.joined(label, before), move, False, exit
                )
            for to, move in self._reports(turn_node):
                yield TurnEdge(self._entered(to, inside), before, move, False, exit)
        for event in self.stepper.signals:
            if free or event in self.stepper.environment.declared:
                for to, label, move, _, _ in self._signals(node, turn_node, windows, exit, event):
                    yield TurnEdge(to, self.labels.joined(exit.first, label), move, False, exit)

    def _signals(
        self, node: int, turn_node: TurnNode, windows: WindowGraph, exit: WindowExit, event: str
    ) -> list[TurnEdge]:
        mid = exit.mid
        assert mid is not None
        key = (mid, event)
        if key not in turn_node.signalled:
            latched = turn_node.latched | mid.latched
            landings = [
                landing
                for landing in self.steps.signalled(turn_node.place, latched, mid, event)
                if not self._ineffective(landing, latched, turn_node, windows, exit)
            ]
            move = TurnMove("signal", signal=event)
            turn_node.signalled[key] = list(self._edges_of(landings, latched, move, node, exit))
        return turn_node.signalled[key]

    def _ineffective(
        self,
        landing: Landing,
        latched: frozenset[str],
        turn_node: TurnNode,
        windows: WindowGraph,
        exit: WindowExit,
    ) -> bool:
        """Say whether the signal changes nothing."""
        if (
            landing.place is not turn_node.place
            or not landing.inside[0]
            or landing.problem
            or exit.entry < 0
        ):
            return False
        latched = landing.latched(latched)
        if self.turn_nodes[self._turn_node(landing.place, latched, landing.stack)] is not turn_node:
            return False
        return (
            windows.inside(*landing.inside, landing.stack, latched)
            == windows.nodes[exit.entry].inside
        )

    def _orders_at(self, turn_node: TurnNode) -> list[tuple[int, int, TurnMove]]:
        """Return the orders that can be given here, each with the wait point that it leads to and
        its label.
        """
        if turn_node.orders is None:
            turn_node.orders = []
            place, stack = turn_node.place, turn_node.stack
            counts = pending(place.run.agenda)
            room = sum(counts) < self.bounds.together
            for number, kind in enumerate(self.kinds) if room else ():
                if counts[kind] < self.bounds.pending:
                    given = self.steps.ordered(place, number, self.orders[number])
                    if given is not None and given[0] is not place:
                        to = self._turn_node(given[0], turn_node.latched, stack)
                        turn_node.orders.append((to, given[1], self._order_moves[number]))
        return turn_node.orders

    def _reports(self, turn_node: TurnNode) -> list[tuple[int, TurnMove]]:
        """Return the facts that could be reported to stay true, each with the wait point that it
        leads to.
        """
        if turn_node.reports is None:
            turn_node.reports = []
            place, latched = turn_node.place, turn_node.latched
            live = self.live["turn", place.run.state]
            for name in sorted(self.stepper.latched & live - latched):
                to = self._turn_node(place, latched | {name}, turn_node.stack)
                turn_node.reports.append((to, TurnMove("tell", (((0, name), True),))))
        return turn_node.reports

    # keeping --------------------------------------------------------------------------------------

    def _edges_of(
        self,
        landings: Iterable[Landing],
        latched: frozenset[str],
        move: TurnMove,
        node: int,
        exit: WindowExit | None = None,
    ) -> Iterator[TurnEdge]:
        """Yield the edges of a move that leads to these landings, with the facts that stay true
        before it.
        """
        for landing in landings:
            after = landing.latched(latched)
            edge = self._led.get((id(landing), after))
            if edge is None:
                facts = landing.facts
                made = move._replace(facts=facts, forced=landing.forced)
                if landing.problem:
                    self._trouble(landing.problem, node, -1, made, exit)
                    continue
                quiet = move.kind == "answer" and self._quiet(facts)
                edge = self._led[id(landing), after] = TurnEdge(
                    self._node_of(landing, after), landing.label, made, quiet
                )
            yield edge

    def _quiet(self, facts: FactItems) -> bool:
        """Say whether facts of the window, and those that state a quiet value, have it. Other facts
        are decisions.
        """
        return all(
            value == (name in self.stepper.quiet)
            for (_, name), value in facts
            if name in self.stirring
        )

    def _node_of(self, landing: Landing, latched: frozenset[str]) -> int:
        if landing.place.run.agenda.turn > self.bounds.turns:
            return BEYOND
        number = self._turn_node(landing.place, latched, landing.stack)
        if not landing.inside[0]:
            return self._node(number, -1)
        windows = self.turn_nodes[number].windows
        assert windows is not None
        return self._entered(number, windows.inside(*landing.inside, landing.stack, latched))

    def _entered(self, number: int, inside: WindowPosition) -> int:
        windows = self.turn_nodes[number].windows
        assert windows is not None
        return self._node(number, windows.number(inside))

    def _node(self, number: int, entry: int) -> int:
        key = (number, entry)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = len(self.nodes)
            self.nodes.append(key)
            self.edges.append([])
            self._queue.append(node)
        return node

    def knows(self, run: Run, stack: int) -> bool:
        """Say whether this position was reached."""
        number = self._turn_node_numbers.get(self._key(self.steps.place(run), run.latched, stack))
        if number is None or not run.frame:
            return number is not None
        turn_node = self.turn_nodes[number]
        windows = turn_node.windows
        assert windows is not None
        inside = windows.numbers.get(
            windows.inside(run.frame, run.holder, run.passed, stack, run.latched)
        )
        return inside is not None and bool(turn_node.reached >> inside & 1)

    def _key(
        self, place: Place, latched: frozenset[str], stack: int
    ) -> tuple[Place, frozenset[str], int]:
        """Return the place with the facts and the stack that matter there."""
        state = place.run.state
        latched &= self.live["turn", state]
        if self.stepper.kinds["turn", state] == "window":
            return place, latched - self.inner, -1
        return place, latched, stack

    def _turn_node(self, place: Place, latched: frozenset[str], stack: int) -> int:
        key = self._key(place, latched, stack)
        number = self._turn_node_numbers.get(key)
        if number is None:
            number = self._turn_node_numbers[key] = len(self.turn_nodes)
            turn_node = TurnNode(*key)
            if (
                self.stepper.kinds["turn", place.run.state] == "window"
                and self.model.window is not None
            ):
                turn_node.windows = self._windows_of(turn_node.run)
            self.turn_nodes.append(turn_node)
        return number

    def _windows_of(self, run: Run) -> WindowGraph:
        key = window_key(self.stepper, run)
        if key not in self._windows:
            self._windows[key] = WindowGraph(self.stepper, self.live, self.labels, run)
        return self._windows[key]

    def _trouble(
        self,
        what: str,
        node: int,
        at: int,
        move: TurnMove | None = None,
        exit: WindowExit | None = None,
    ) -> None:
        kind = "ambiguous" if what.startswith("ambiguous") else "stuck"
        trouble = BadPosition(kind, what, node, at, move, exit)
        if what not in self.occurrences:
            self.troubles.append(trouble)
        self.occurrences.setdefault(what, []).append(trouble)

    @property
    def windows(self) -> tuple[WindowGraph, ...]:
        """The windows that were explored. Each stands for all wait points with an equivalent
        window.
        """
        return tuple(self._windows.values())

    # counting -------------------------------------------------------------------------------------

    def counted(self) -> tuple[int, int]:
        """Return the number of positions and transitions of the product."""
        positions = transitions = 0
        inner: dict[
            tuple[int, int],
            tuple[int, Counter[WindowClosing], Counter[tuple[WindowPosition, bool]]],
        ] = {}
        for turn_node, edges in zip(self.turn_nodes, self._answers(), strict=True):
            if turn_node.windows is None:
                positions += edges is not None
                transitions += edges or 0
                continue
            key = (id(turn_node.windows), turn_node.reached)
            if key not in inner:
                inner[key] = _inner(turn_node.windows, turn_node.reached)
            moves, closings, mids = inner[key]
            positions += turn_node.reached.bit_count()
            transitions += moves
            transitions += sum(
                n * len(turn_node.closed.get(closing, ())) for closing, n in closings.items()
            )
            more = len(turn_node.orders or ()) + len(turn_node.reports or ())
            for (mid, free), n in mids.items():
                transitions += n * (
                    more * free
                    + sum(len(e) for (m, _), e in turn_node.signalled.items() if m == mid)
                )
        return positions, transitions

    def _answers(self) -> list[int | None]:
        found: list[int | None] = [None] * len(self.turn_nodes)
        for (number, entry), edges in zip(self.nodes[1:], self.edges[1:], strict=True):
            if entry < 0:
                found[number] = len(edges)
        return found


def _inner(
    windows: WindowGraph, mask: int
) -> tuple[int, Counter[WindowClosing], Counter[tuple[WindowPosition, bool]]]:
    moves, closings, mids = 0, Counter[WindowClosing](), Counter[tuple[WindowPosition, bool]]()
    for at in bits(mask):
        node = windows.nodes[at]
        moves += len(node.inner)
        closings.update(e.closing for e in node.exits if e.closing is not None)
        mids.update((e.mid, e.word != "acted") for e in node.exits if e.mid is not None)
    return moves, closings, mids


def _without_duplicates(edges: Iterable[TurnEdge]) -> list[TurnEdge]:
    """Remove edges with the same target and the same observations as another one of the same exit."""
    return list({(edge.to, edge.label, edge.quiet): edge for edge in edges}.values())
