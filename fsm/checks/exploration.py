"""Explores every game within bounds: the graph of turns, times the graphs of the windows inside.

A step of the turn depends on its place and, of the facts that stay true, only on those that it
reads. So each step is computed once, and so is the inside of each window. The product of both is
walked without computing anything anew, and without leaving anything out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from operator import methodcaller
from typing import NamedTuple

from fsm.checks.observing import Numbered
from fsm.checks.stepping import Attempt, Edge, Exit, Stepper, Values, Window
from fsm.checks.surroundings import (
    Bounds,
    Likeness,
    accepted,
    every_order,
    has_room,
    ordered,
    within,
)
from fsm.engine.semantics import TURN, Told
from fsm.model import Model
from fsm.state.orders import Order, Signal
from fsm.state.run import Run, first_run

START = 0
BEYOND = 1
"""The nodes that stand for the game that is about to start, and for everything after the last turn
of the bounds.
"""
Begin = Callable[[Attempt], object]
"""What an attempt does first."""


@dataclass(slots=True, eq=False)
class Place:
    """Where the turn stands, apart from its window and from the facts that stay true: a run that
    stands there, and the steps that are known from it.
    """

    run: Run
    steps: dict[Hashable, list[Step]] = field(default_factory=dict)


class Landing(NamedTuple):
    """Where a step leads. Of the facts that stay true, those in `kept` are as they were, and those
    in `added` hold. `values` were told, and `forced` answers were given on the way.
    """

    place: Place
    run: Run
    stack: int
    kept: frozenset[str]
    added: frozenset[str]
    label: int
    values: Values
    forced: int
    problem: str
    leaves: bool

    def latched(self, before: frozenset[str]) -> frozenset[str]:
        """Return the facts that stay true there, if these did before the step."""
        return before & self.kept | self.added


Step = tuple[frozenset[str], frozenset[str], tuple[Landing, ...]]
"""The facts that a step reads, those of them that hold, and where the step leads then."""


@dataclass(slots=True, eq=False)
class Turn:
    """A place with the facts that stay true there, and with its window or the number of objects on
    the stack, which is -1 where a window has it. `out` has the known edges by each exit.
    """

    place: Place
    latched: frozenset[str]
    stack: int
    window: Window | None = None
    out: dict[int, list[Edge]] = field(default_factory=dict)


class Explorer:
    """Explores all games of a Model. `run` fills the graph.

    Attributes
    ----------
    nodes
        The turn of each node, and the position in its window at which it is entered, or -1.
    edges
        The edges from each node.
    windows
        The windows that were explored.
    problems
        What gets stuck: for each problem the turns, the positions in their windows (or -1), and the
        edges that lead nowhere.
    """

    def __init__(
        self, model: Model, bounds: Bounds | None = None, orders: Sequence[Order] | None = None
    ) -> None:
        self.bounds = bounds or Bounds()
        self.model = within(model)
        names = self.bounds.names
        every = every_order(self.model, names) if orders is None else orders
        self.orders = accepted(self.model, names, every)
        self.stepper = Stepper(self.model, self.bounds)
        self.likeness = Likeness(self.model)
        self._places: dict[Hashable, Place] = {}
        self._turns: dict[Hashable, Turn] = {}
        self._orders = cache(self._find_orders)
        self.windows: dict[Hashable, Window] = {}
        self._first = self._place(first_run(self.model, names, (), {}))
        self.nodes = Numbered([(Turn(self._first, frozenset(), 0), -1)] * 2)
        self.edges: list[list[Edge]] = []
        self.problems: dict[str, dict[tuple[Turn, int], Edge]] = {}

    def run(self, progress: Callable[[int, int], None] | None = None) -> Explorer:
        """Explore everything. `progress` gets the number of nodes done and the number of nodes
        known.
        """
        place = self._first
        landings = self._step(place, place.run.latched, 0, "start", lambda attempt: None)
        self.edges = [self._edges(START, landings, place.run.latched, Edge(0, 0, False, "")), []]
        while len(self.edges) < len(self.nodes):
            self.edges.append(self._expand(len(self.edges)))
            done, known = len(self.edges), len(self.nodes)
            if progress is not None and (done % 500 == 0 or done == known):
                progress(done, known)
        return self

    # steps of the turn ----------------------------------------------------------------------------

    def _place(self, run: Run) -> Place:
        key = self.likeness.key(run)
        place = self._places.get(key)
        if place is None:
            stands = copy(run)
            stands.frame = ""
            stands.moments = ()
            stands.results = ()
            place = self._places[key] = Place(stands)
        return place

    def _step(
        self,
        place: Place,
        latched: frozenset[str],
        stack: int,
        event: str,
        begin: Begin,
        exit: Exit | None = None,
    ) -> tuple[Landing, ...]:
        """Return where a step leads. It is computed once for the same values of what it reads."""
        values, mid = (exit.move.values, exit.mid) if exit is not None else ((), None)
        key = (event, stack, values, mid and mid[:5])
        for needs, holding, landings in place.steps.get(key, ()):
            if latched & needs == holding:
                return landings
        run = copy(place.run)
        run.latched = latched
        if mid is not None:
            run.frame, run.holder, run.passed, run.out, run.interrupted = mid[:5]
        elif event == "closed" and [w.state for w in run.interrupted[-1:]] == [run.state]:
            run.interrupted = run.interrupted[:-1]  # the window went on, and has closed
        ways = [*self.stepper.ways(run, stack, begin, values)]
        needs = frozenset().union(*(way.read for way in ways)).intersection(self.stepper.lasting)
        if any(way.problem for way in ways):
            needs = frozenset(self.stepper.lasting)
        landings = tuple([self._landing(run, way) for way in ways])
        place.steps.setdefault(key, []).append((needs, latched & needs, landings))
        return landings

    def _landing(self, before: Run, way: Attempt) -> Landing:
        kept = frozenset(self.stepper.lasting).difference(way.changed)
        added = frozenset([name for name, value in way.changed.items() if value])
        label = self.stepper.labels.observed(before, way.fired)
        place = self._place(way.run)
        told = (way.facts, way.forced, way.problem, way.leaves)
        return Landing(place, way.run, way.stack, kept, added, label, *told)

    # the product ----------------------------------------------------------------------------------

    def _expand(self, node: int) -> list[Edge]:
        turn, entry = self.nodes[node]
        if turn.window is not None:
            return self._from_window(node, turn, turn.window, entry)
        state = self.model.state(turn.place.run.state)
        edges = list[Edge]()
        environment = self.stepper.environment
        most = self.bounds.stack
        for word in state.words:
            begin = methodcaller("answer", state, word)
            for stack in environment.stacks(state.asks, state.action, word, turn.stack, most):
                landings = self._step(turn.place, turn.latched, stack, word, begin)
                edges += self._edges(node, landings, turn.latched, Edge(0, 0, False, word))
        return _different(edges)

    def _from_window(self, node: int, turn: Turn, window: Window, entry: int) -> list[Edge]:
        """Return the edges out of a window. Those of one exit are the same for every entry."""
        for at in window.reached(entry) & window.problems.keys():
            for problem, edge in window.problems[at]:
                self._stuck(problem, turn, [at], edge)
        leave = {"close": self._close, "effects": self._effects, "signals": self._signals}
        edges = []
        for number in window.ways_out(entry):
            if number not in turn.out:
                exit = window.exits[number]
                turn.out[number] = _different(leave[exit.kind](node, turn, exit))
            edges += turn.out[number]
        return edges

    def _close(self, node: int, turn: Turn, exit: Exit) -> list[Edge]:
        latched = turn.latched | exit.latched
        close = methodcaller("fire", TURN, "closed")
        landings = self._step(turn.place, latched, exit.stack, "closed", close, exit)
        return self._edges(node, landings, latched, exit.move)

    def _effects(self, node: int, turn: Turn, exit: Exit) -> list[Edge]:
        """An order is given, or a fact is told that stays true from now on."""
        place = turn.place
        move = exit.move
        edges = []
        for order, to, label in self._orders(place):
            there = self.nodes.number((self._turn(to, turn.latched, -1), move.to))
            label = self.stepper.labels.joined(label, move.label)
            edges.append(move._replace(to=there, label=label, order=order))
        live = self.stepper.live_facts[TURN, place.run.state]
        for name in sorted(self.stepper.semantics.latching & live - turn.latched):
            there = self.nodes.number((self._turn(place, turn.latched | {name}, -1), move.to))
            edges.append(move._replace(to=there, values=(*move.values, ((0, name), True))))
        return edges

    def _signals(self, node: int, turn: Turn, exit: Exit) -> list[Edge]:
        mid = exit.mid
        edges = list[Edge]()
        assert mid is not None
        latched = turn.latched | mid.latched
        events = self.model.signals if exit.free else self.stepper.environment.declared
        for event in events:
            if event == self.model.leaving:
                continue
            begin = methodcaller("signal", event)
            landings = self._step(turn.place, latched, mid.stack, event, begin, exit)
            effective = [one for one in landings if not self._is_idle(one, turn, latched)]
            move = exit.move._replace(order=Signal(event))
            edges += self._edges(node, effective, latched, move)
        return edges

    def _is_idle(self, landing: Landing, turn: Turn, latched: frozenset[str]) -> bool:
        """Say whether a signal has changed nothing outside of the window."""
        if landing.problem or landing.leaves or landing.place is not turn.place:
            return False
        return self._turn(landing.place, landing.latched(latched), -1) is turn

    def _find_orders(self, place: Place) -> list[tuple[Order, Place, int]]:
        """Return the orders that can be given here, each with the place to which it leads, and its
        label.
        """
        found = list[tuple[Order, Place, int]]()
        for order in self.orders if has_room(self.bounds, place.run) else ():
            after = ordered(self.model, self.bounds.names, place.run, order)
            to = self._place(after) if after is not None else place
            if to is not place:
                found.append((order, to, self.stepper.labels.ordered(order, place.run)))
        return found

    def _edges(
        self, node: int, landings: Iterable[Landing], latched: frozenset[str], move: Edge
    ) -> list[Edge]:
        """Return the edges to where a step leads that begins with this move."""
        edges = []
        for landing in landings:
            label = landing.label
            quiet = move.quiet
            if move.exit >= 0:
                label = self.stepper.labels.joined(move.label, label)
            else:
                quiet = self.stepper.is_quiet(landing.values)
            to = BEYOND
            if not landing.problem:
                to = self._landed(landing, landing.latched(latched))
            told = (move.word, landing.values, landing.forced, move.order, move.exit)
            edge = Edge(to, label, quiet, *told)
            if landing.problem:
                turn, entry = self.nodes[node]
                window = turn.window
                positions = window.ways_out(entry)[edge.exit] if window is not None else [-1]
                self._stuck(landing.problem, turn, positions, edge)
            else:
                edges.append(edge)
        return edges

    def _stuck(self, problem: str, turn: Turn, positions: Iterable[int], edge: Edge) -> None:
        for at in positions:
            self.problems.setdefault(problem, {}).setdefault((turn, at), edge)

    def _landed(self, landing: Landing, latched: frozenset[str]) -> int:
        """Return the number of the node to which a step leads."""
        run = landing.run
        if run.turns_begun > self.bounds.turns:
            return BEYOND
        turn = self._turn(landing.place, latched, landing.stack)
        entry = -1
        if turn.window is not None:
            entry = turn.window.number(run, landing.stack, latched)
        return self.nodes.number((turn, entry))

    def _turn(self, place: Place, latched: frozenset[str], stack: int) -> Turn:
        state = self.model.state(place.run.state)
        latched &= self.stepper.live_facts[TURN, state.id]
        opens = state.kind == "window"
        key = (place, latched - self.stepper.window_facts, -1) if opens else (place, latched, stack)
        turn = self._turns.get(key)
        if turn is None:
            turn = self._turns[key] = Turn(*key)
            if opens:
                turn.window = self._window(place, turn.latched)
        return turn

    def _window(self, place: Place, latched: frozenset[str]) -> Window:
        """Return the window of a place. Places share it on which everything is the same that a
        window asks, and that is observed in it.
        """
        run = copy(place.run)
        window = self.model.window
        assert window is not None
        run.latched = latched
        reader = self.stepper.semantics.reader
        asked = [reader(f) for f in window.facts if f.test]
        under_way = (run.step.current, run.phase.current)
        key = (
            (run.state, run.first, run.active, run.left, run.reversed, run.appointed),
            tuple(holds(run, Told()) for holds in asked),
            latched & {term.fact for row in window.transitions for term in row.guard},
            tuple(o is not None and (o.under_way and o.name, o.extra) for o in under_way),
        )
        if key not in self.windows:
            self.windows[key] = Window(self.stepper, window, run)
        return self.windows[key]

    # what was explored ----------------------------------------------------------------------------

    @property
    def positions(self) -> int:
        """The number of positions in which a game can wait."""
        waiting = defaultdict[Turn, set[int]](set)
        for turn, entry in self.nodes[BEYOND + 1 :]:
            waiting[turn] |= turn.window.reached(entry) if turn.window is not None else {entry}
        return sum(map(len, waiting.values()))


def _different(edges: Iterable[Edge]) -> list[Edge]:
    """Leave out edges that lead to the same and are observed alike."""
    return [*{(edge.to, edge.label, edge.quiet): edge for edge in edges}.values()]
