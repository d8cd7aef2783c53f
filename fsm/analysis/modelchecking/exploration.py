"""Explores every game within bounds: the product of turn, window, agenda and stack.

The graph has a node for each wait point of the turn and, at a window, for each way into it. The inside of a window is
explored once for all equivalent wait points, and the product is counted from both.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.analysis.modelchecking.bounds import Bounds, within
from fsm.analysis.modelchecking.candidateorders import KINDS, kind_of, menu_of, pending, start_of
from fsm.analysis.modelchecking.equivalencekey import Likeness
from fsm.analysis.modelchecking.live import live_facts
from fsm.analysis.modelchecking.stepping import Outcome, Seen, Stepper, words_of
from fsm.analysis.modelchecking.windows import Ending, Exit, Facts, Inside, Windows, bits, context, stacks
from fsm.errors import OrderError
from fsm.model import Model
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.scheduling import apply

BEYOND = 0
"""The node that stands for everything after the last turn of the bounds."""


class Move(NamedTuple):
    """What leads the turn on: an answer, a window that closes, an order, a fact told, a signal.

    `forced`: so many answers follow that could not be others.
    """

    kind: str
    told: Facts = ()
    forced: int = 0
    word: str = ""
    order: int = -1
    signal: str = ""
    stack: int = 0


class Edge(NamedTuple):
    """From a node to the node `to`: by which move, and what can be seen on the way (the number of its label).

    `quiet`: nothing happens by it but what was on its way; `exit`: where it leaves a window.
    """

    to: int
    label: int
    move: Move
    quiet: bool
    exit: Exit | None = None


class AnswerLog(NamedTuple):
    """An order as properties see it: the number of the order, and where it was given."""

    order: int
    stage: str
    step: str
    phase: str


Label = tuple[Seen | AnswerLog, ...]


@dataclass(slots=True)
class TurnNode:
    """A place of the turn: a run that stands there, and what has been found out about it."""

    run: Run
    stack: int
    windows: Windows | None = None
    reached: int = 0
    orders: list[tuple[int, int, Move]] | None = None
    told: list[tuple[int, Move]] | None = None
    closed: dict[Ending, list[Edge]] = field(default_factory=dict)
    signalled: dict[tuple[Inside, str], list[Edge]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A position that is stuck or ambiguous: at this node, inside its window at `at`, or by `move`, out of `exit`."""

    kind: str
    what: str
    node: int
    at: int = -1
    move: Move | None = None
    exit: Exit | None = None


class Explorer:
    """One exploration. `run` does it; then `edges`, `labels`, `nodes` are the graph, `troubles` what was found.

    `orders`: only these are given, instead of every one that the model takes.
    """

    def __init__(self, model: Model, bounds: Bounds | None = None, orders: Sequence[Order] | None = None) -> None:
        self.bounds = bounds or Bounds()
        self.model = within(model, self.bounds)
        self.stepper = Stepper(self.model, self.bounds)
        self.live = live_facts(self.model)
        self.alike = Likeness(self.model)
        self.menu = menu_of(self.model, self.bounds) if orders is None else tuple(orders)
        self.kinds = [KINDS.index(kind_of(order)) for order in self.menu]
        window = self.model.window
        self.inner = frozenset(f.name for f in window.facts) if window is not None else frozenset[str]()
        self.places: list[TurnNode] = [TurnNode(start_of(self.model, self.bounds), 0)]
        self.nodes: list[tuple[int, int]] = [(0, -1)]
        self.edges: list[list[Edge]] = [[]]
        self.labels: list[Label] = []
        self.parents: list[tuple[int, Edge] | None] = [None]
        self.troubles: list[Trouble] = []
        self.resolves = window is not None and any(s.asks == "resolve" for s in window.leaves)
        self._orders = [Move("order", order=number) for number in range(len(self.menu))]
        self._labels: dict[Label, int] = {}
        self._joints: dict[tuple[int, int], int] = {}
        self._places: dict[Hashable, int] = {}
        self._nodes: dict[tuple[int, int], int] = {(0, -1): BEYOND}
        self._windows: dict[Hashable, Windows] = {}
        self._queue: deque[int] = deque()
        self.occurrences: dict[str, list[Trouble]] = {}

    # the search -------------------------------------------------------------------------------------

    def run(self, progress: Callable[[int, int], None] | None = None) -> Explorer:
        """Explore all there is; `progress` is told nodes done and nodes known."""
        first = start_of(self.model, self.bounds)
        self.starts = list(self._edges_of(self.stepper.onward(first, 0, {}), Move("start"), BEYOND))
        for edge in self.starts:
            self.parents[edge.to] = (BEYOND, edge)
        done = 0
        while self._queue:
            node = self._queue.popleft()
            self.edges[node] = found = self._expand(node)
            for edge in found:
                if self.parents[edge.to] is None and edge.to != BEYOND:
                    self.parents[edge.to] = (node, edge)
            done += 1
            if progress is not None and done % 500 == 0:
                progress(done, len(self.nodes))
        if progress is not None:
            progress(done, len(self.nodes))
        return self

    def _expand(self, node: int) -> list[Edge]:
        number, entry = self.nodes[node]
        place = self.places[number]
        if entry >= 0:
            return _different(self._from_window(node, place, entry))
        state = self.stepper.waits(place.run)
        if state.kind == "final":
            return []
        found: list[Edge] = []
        for word in words_of(state):
            for stack in stacks(self.stepper, state.asks, state.action, word, place.stack):
                outcomes = self.stepper.outcomes(place.run, stack, word)
                found += self._edges_of(outcomes, Move("answer", word=word, stack=stack), node)
        return _different(found)

    def _from_window(self, node: int, place: TurnNode, entry: int) -> Iterator[Edge]:
        windows = place.windows
        assert windows is not None
        place.reached |= windows.reached(entry)
        out = windows.ways_out(entry)
        for at in out.stuck:
            self._trouble(windows.nodes[at].problem, node, at)
        for exit in out.closings:
            yield from self._closings(node, place, exit)
        for exit in out.happenings:
            yield from self._happenings(node, place, windows, exit)

    def _closings(self, node: int, place: TurnNode, exit: Exit) -> Iterator[Edge]:
        ending = exit.ending
        assert ending is not None
        if ending not in place.closed:
            run = place.run.copy()
            run.latched = (run.latched - self.inner) | ending.latched
            outcomes = self.stepper.closed(run, ending.stack, dict(ending.told))
            place.closed[ending] = list(self._edges_of(outcomes, Move("close"), node, exit))
        before = self._label(exit.seen)
        for to, label, move, _, _ in place.closed[ending]:
            yield Edge(to, self._joined(before, label), move, exit.quiet, exit)

    def _happenings(self, node: int, place: TurnNode, windows: Windows, exit: Exit) -> Iterator[Edge]:
        free = exit.word != "acted" or not self.resolves
        before = self._label(exit.seen)
        if free and exit.entry >= 0:
            inside = windows.nodes[exit.entry].inside
            for to, label, move in self._ordered(place):
                yield Edge(self._entered(to, inside), self._joined(label, before), move, False, exit)
            for to, move in self._telling(place):
                yield Edge(self._entered(to, inside), before, move, False, exit)
        first = self._label(exit.seen[:1])
        for event in self.stepper.signals:
            if free or event in self.stepper.around.declared:
                for to, label, move, _, _ in self._signals(node, place, windows, exit, event):
                    yield Edge(to, self._joined(first, label), move, False, exit)

    def _signals(self, node: int, place: TurnNode, windows: Windows, exit: Exit, event: str) -> list[Edge]:
        mid = exit.mid
        assert mid is not None
        key = (mid, event)
        if key not in place.signalled:
            run = windows.standing(place.run, mid)
            outcomes = (
                outcome
                for outcome in self.stepper.onward(run, mid.stack, {}, event=event)
                if not self._nothing_comes(outcome, place, windows, exit)
            )
            place.signalled[key] = list(self._edges_of(outcomes, Move("signal", signal=event), node, exit))
        return place.signalled[key]

    def _nothing_comes(self, outcome: Outcome, place: TurnNode, windows: Windows, exit: Exit) -> bool:
        """Does all stay as it would be without the signal?"""
        run = outcome.run
        if not run.frame or run.state != place.run.state or outcome.problem or exit.entry < 0:
            return False
        there = self.places[self._place(run, outcome.stack)]
        return there is place and windows.inside(run, outcome.stack) == windows.nodes[exit.entry].inside

    def _joined(self, first: int, second: int) -> int:
        """The label of what is seen under the one, then under the other."""
        key = (first, second)
        label = self._joints.get(key)
        if label is None:
            label = self._joints[key] = self._label(self.labels[first] + self.labels[second])
        return label

    def _ordered(self, place: TurnNode) -> list[tuple[int, int, Move]]:
        """The orders that can be given here: the places where the turn then stands, and what is seen of it."""
        if place.orders is None:
            place.orders = []
            counts = pending(place.run.agenda)
            room = sum(counts) < self.bounds.together
            for order, kind in enumerate(self.kinds) if room else ():
                if counts[kind] < self.bounds.pending:
                    twin = place.run.copy()
                    with suppress(OrderError):
                        apply(self.menu[order], twin)
                        to = self._place(twin, place.stack)
                        if self.places[to] is not place:
                            label = self._label((self._given(order, place.run),))
                            place.orders.append((to, label, self._orders[order]))
        return place.orders

    def _given(self, order: int, run: Run) -> AnswerLog:
        step, phase = run.agenda.current_step, run.agenda.current_phase
        return AnswerLog(
            order,
            run.state,
            step.name if step is not None and step.under_way else "",
            phase.name if phase is not None and phase.under_way else "",
        )

    def _telling(self, place: TurnNode) -> list[tuple[int, Move]]:
        """The facts that could be told to hold from now on, and the places where the turn then stands."""
        if place.told is None:
            place.told = []
            live = self.live["turn", place.run.state]
            for name in sorted(self.stepper.latched & live - place.run.latched):
                twin = place.run.copy()
                twin.latched |= {name}
                place.told.append((self._place(twin, place.stack), Move("tell", (((0, name), True),))))
        return place.told

    # keeping ------------------------------------------------------------------------------------------

    def _edges_of(self, outcomes: Iterator[Outcome], move: Move, node: int, exit: Exit | None = None) -> Iterator[Edge]:
        for outcome in outcomes:
            told = tuple(outcome.told.items())
            made = move._replace(told=told, forced=outcome.forced)
            if outcome.problem:
                self._trouble(outcome.problem, node, -1, made, exit)
                continue
            quiet = move.kind == "answer" and self._quiet(told)
            yield Edge(self._arrived(outcome.run, outcome.stack), self._label(outcome.seen), made, quiet)

    def _quiet(self, told: Facts) -> bool:
        """Is nothing told that only happens? What the window asks for does; the rest are decisions."""
        around = self.stepper.around
        return all(
            value == (name in self.stepper.quiet)
            for (_, name), value in told
            if name in self.inner and name != around.empty
        )

    def _arrived(self, run: Run, stack: int) -> int:
        if run.agenda.turn > self.bounds.turns:
            return BEYOND
        number = self._place(run, stack)
        if not run.frame:
            return self._node(number, -1)
        windows = self.places[number].windows
        assert windows is not None
        return self._node(number, windows.number(windows.inside(run, stack)))

    def _entered(self, number: int, inside: Inside) -> int:
        windows = self.places[number].windows
        assert windows is not None
        return self._node(number, windows.number(inside))

    def _node(self, number: int, entry: int) -> int:
        key = (number, entry)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = len(self.nodes)
            self.nodes.append(key)
            self.edges.append([])
            self.parents.append(None)
            self._queue.append(node)
        return node

    def knows(self, run: Run, stack: int) -> bool:
        """Was this very position reached?"""
        number = self._places.get(self._key(run, stack)[0])
        if number is None or not run.frame:
            return number is not None
        place = self.places[number]
        windows = place.windows
        assert windows is not None
        inside = windows.numbers.get(windows.inside(run, stack))
        return inside is not None and bool(place.reached >> inside & 1)

    def _key(self, run: Run, stack: int) -> tuple[Hashable, frozenset[str], int]:
        """What tells a place of the turn from others; the facts and the stack that matter there."""
        latched = run.latched & self.live["turn", run.state]
        if self.stepper.kinds["turn", run.state] == "window":
            latched, stack = latched - self.inner, -1
        return (run.state, latched, stack, self.alike.key(run.agenda)), latched, stack

    def _place(self, run: Run, stack: int) -> int:
        at_window = self.stepper.kinds["turn", run.state] == "window"
        key, latched, stack = self._key(run, stack)
        number = self._places.get(key)
        if number is None:
            number = self._places[key] = len(self.places)
            run = run.copy()
            run.latched = latched
            place = TurnNode(run, stack)
            if at_window and self.model.window is not None:
                place.windows = self._windows_of(run)
            self.places.append(place)
        return number

    def _windows_of(self, run: Run) -> Windows:
        key = context(self.stepper, run)
        if key not in self._windows:
            self._windows[key] = Windows(self.stepper, self.live, run)
        return self._windows[key]

    def _label(self, label: Label) -> int:
        number = self._labels.get(label)
        if number is None:
            number = self._labels[label] = len(self.labels)
            self.labels.append(label)
        return number

    def _trouble(self, what: str, node: int, at: int, move: Move | None = None, exit: Exit | None = None) -> None:
        kind = "ambiguous" if what.startswith("ambiguous") else "stuck"
        trouble = Trouble(kind, what, node, at, move, exit)
        if what not in self.occurrences:
            self.troubles.append(trouble)
        self.occurrences.setdefault(what, []).append(trouble)

    @property
    def windows(self) -> tuple[Windows, ...]:
        """The windows that were explored, each for all places where it is the same."""
        return tuple(self._windows.values())

    # counting -----------------------------------------------------------------------------------------

    def counted(self) -> tuple[int, int]:
        """Positions and transitions of the product."""
        positions = transitions = 0
        inner: dict[tuple[int, int], tuple[int, Counter[Ending], Counter[tuple[Inside, bool]]]] = {}
        for place, edges in zip(self.places, self._answers(), strict=True):
            if place.windows is None:
                positions += edges is not None
                transitions += edges or 0
                continue
            key = (id(place.windows), place.reached)
            if key not in inner:
                inner[key] = _inner(place.windows, place.reached)
            moves, endings, mids = inner[key]
            positions += place.reached.bit_count()
            transitions += moves
            transitions += sum(n * len(place.closed.get(ending, ())) for ending, n in endings.items())
            more = len(place.orders or ()) + len(place.told or ())
            for (mid, free), n in mids.items():
                transitions += n * (more * free + sum(len(e) for (m, _), e in place.signalled.items() if m == mid))
        return positions, transitions

    def _answers(self) -> list[int | None]:
        found: list[int | None] = [None] * len(self.places)
        for (number, entry), edges in zip(self.nodes[1:], self.edges[1:], strict=True):
            if entry < 0:
                found[number] = len(edges)
        return found


def _inner(windows: Windows, mask: int) -> tuple[int, Counter[Ending], Counter[tuple[Inside, bool]]]:
    moves, endings, mids = 0, Counter[Ending](), Counter[tuple[Inside, bool]]()
    for at in bits(mask):
        node = windows.nodes[at]
        moves += len(node.inner)
        endings.update(e.ending for e in node.exits if e.ending is not None)
        mids.update((e.mid, e.word != "acted") for e in node.exits if e.mid is not None)
    return moves, endings, mids


def _different(edges: Iterable[Edge]) -> list[Edge]:
    """The edges without those by which the same is seen on the way to the same place."""
    return list({(edge.to, edge.label, edge.quiet, id(edge.exit)): edge for edge in edges}.values())
