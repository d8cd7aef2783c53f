"""Searches short games of a ruleset that take the targets of a criterion.

Small games are tried, one kind after another: from each step, the ordinary course in which
everybody passes, with every value of the facts of the turn; then the same with one thing that
departs from it, an order, a fact, an answer, or an interruption; then one order or two on the way
to what is still missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from itertools import chain, product
from math import inf
from time import perf_counter
from types import MappingProxyType
from typing import NamedTuple

from fsm.checks.surroundings import accepted, every_order
from fsm.coverage.criteria import Evidence, criterion_of
from fsm.coverage.data import Seen
from fsm.coverage.games import firing_of
from fsm.coverage.target import Key
from fsm.engine.automaton import automaton_of
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.semantics import Fired, every_choice, semantics_of
from fsm.engine.starting import begun
from fsm.errors import CoverageError, FsmError
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.state.orders import (
    Appoint,
    ControlNextTurn,
    EndPhase,
    EndTurn,
    Interruption,
    Leave,
    Order,
    Signal,
)
from fsm.state.run import Run, StartAt

Progress = Callable[[int, int], None]
"""Is told how many answers were tried, and how many are tried at most."""
EVERY = 250
"""After how many answers the progress is told."""
PASSES = 12
"""After so many answers, a window in which everybody passes is closed."""
ORDINARY, DEPARTED, ACTED, INTERRUPTED, TOGETHER = 60, 20, 12, 20, 32
"""How many answers the ordinary course takes, and how many more after each kind of departure."""
LATER = 9
"""First games start in the first turn, then up to this one."""
WHERE, PASSED, ACTIVE = range(3)
"""The fields of a place: turn, window and phase; how many have passed; whose turn of how many."""

CRITERIA = ("states", "transitions", "literals", "rules")
"""The criteria that paths can be made for: those that ask for single firings."""


@dataclass(frozen=True, slots=True)
class Start:
    """The set-up of a game.

    Parameters
    ----------
    players
        The names of the players in seat order.
    teams
        Groups of players who share turns.
    settings
        The settings that are not at their default, by name.
    at
        Where the game starts, or None for its beginning.
    """

    players: tuple[str, ...] = ("A", "B")
    teams: tuple[tuple[str, ...], ...] = ()
    settings: tuple[tuple[str, bool], ...] = ()
    at: StartAt | None = None

    def controller(self, model: Model, *, trace: bool = False) -> TurnController:
        """Return a new game with this set-up.

        Parameters
        ----------
        model
            The Model to play.
        trace
            Whether the game is recorded.

        Returns
        -------
        TurnController
            The game, at its first request.
        """
        settings = dict(self.settings)
        return TurnController(
            model, self.players, teams=self.teams, settings=settings, start=self.at, trace=trace
        )


def starts(model: Model) -> tuple[Start, ...]:
    """Return the set-ups that can make a difference: numbers of players, teams, and each setting
    not at its default.
    """
    plain = Start(), Start(("A", "B", "C")), Start(("A", "B", "C", "D"), (("A", "B"), ("C", "D")))
    found = list(plain)
    for setting in model.settings:
        for start in plain:
            sides = (2, 2) if start.teams else (1, 1)
            if setting.default == "two_sides" or not start.teams:
                value = not setting.standing(sides)
                found.append(Start(start.players, start.teams, ((setting.name, value),)))
    return tuple(found)


class Measure:
    """The targets of one criterion that firings in games of a model take.

    Raises CoverageError if no paths can be made for the criterion.
    """

    def __init__(self, model: Model, criterion: str) -> None:
        CoverageError.known_name("criterion", criterion, CRITERIA, "what paths are made for")
        self._model, self._criterion = model, criterion_of(criterion)
        self._nothing = {graph.name: Evidence(graph, Seen()) for graph in graphs_of(model)}
        self._known = dict[object, frozenset[Key]]()

    def of(self, fired: Iterable[Fired]) -> frozenset[Key]:
        """Return what these firings take."""
        found = set[Key]()
        for one in fired:
            key = one.machine, one.event, one.row.id, one.source, one.guards
            if key not in self._known:
                self._known[key] = self._takes(one)
            found |= self._known[key]
        return frozenset(found)

    def _takes(self, fired: Fired) -> frozenset[Key]:
        evidence = copy(self._nothing[fired.machine])
        evidence.taken = Counter((*one, "") for one in firing_of(self._model, fired).tried)
        taken = self._criterion.taken(evidence)
        return frozenset((fired.machine, id) for id, _, _ in taken)


class Departure(NamedTuple):
    """Orders that are given, and facts that are told, with one answer."""

    orders: tuple[Order, ...] = ()
    facts: Mapping[str, bool] = MappingProxyType({})


ORDINARILY = Departure()


@dataclass(eq=False, slots=True)
class Node:
    """A place where a game waits: its run, the answer that led there, and what that took."""

    start: Start
    run: Run
    took: frozenset[Key]
    parent: Node | None = None
    answer: Answer | None = None
    depth: int = 0

    def path(self) -> list[Node]:
        """Return the nodes from the beginning of the game."""
        found, node = list[Node](), self
        while node.parent is not None:
            found.append(node)
            node = node.parent
        return [node, *reversed(found)]

    @property
    def answers(self) -> tuple[Answer, ...]:
        """The answers that lead here."""
        return tuple(node.answer for node in self.path() if node.answer is not None)

    @property
    def takes(self) -> frozenset[Key]:
        """All that the game takes until here."""
        return frozenset[Key]().union(*(node.took for node in self.path()))

    @property
    def usual(self) -> bool:
        """Whether the game has no settings and no teams."""
        return not (self.start.settings or self.start.teams)


class Walker:
    """Plays games of one model, with every value of the facts that are read, until so many answers
    were tried or the time is over.
    """

    def __init__(
        self,
        model: Model,
        measure: Measure,
        tries: int,
        seconds: float = inf,
        progress: Progress | None = None,
    ) -> None:
        self.model, self.measure, self.tries, self.spent = model, measure, tries, 0
        self._until, self._progress = perf_counter() + seconds, progress
        self.semantics = semantics_of(model)
        facts = model.window.facts if model.window is not None else ()
        inside = [fact.name for fact in facts if fact.owner == "game"]
        self.latching = tuple(sorted(self.semantics.latching))
        self.quiet = {name: self.semantics.quiet[name] for name in inside}
        known = self.semantics.facts.items()
        self.decided = {name for name, fact in known if fact.last}  # only where a state asks

    @property
    def lasts(self) -> bool:
        """Whether anything may still be tried."""
        return self.spent < self.tries and perf_counter() < self._until

    def _spend(self) -> None:
        self.spent += 1
        if self._progress is not None and self.spent % EVERY == 0:
            self._progress(min(self.spent, self.tries), self.tries)

    def begin(self, start: Start) -> Node | None:
        """Return where a game waits first, or None if none can begin so."""
        settings, at = dict(start.settings), start.at
        with suppress(FsmError):
            automaton = automaton_of(self.model)
            edge, _ = begun(automaton, start.players, start.teams, settings, (), at)
            return Node(start, edge.node.run, self.measure.of(edge.fired))
        return None

    def answered(self, node: Node, departure: Departure = ORDINARILY) -> Iterator[Node]:
        """Yield every outcome of the answers with these orders and facts."""
        words = self.semantics.waiting(node.run).words
        if departure.orders and isinstance(departure.orders[0], Leave):
            words = (*words, "")
        for word in words:
            yield from self.outcomes(node, word, departure, {})

    def quietly(self, node: Node, departure: Departure = ORDINARILY) -> Iterator[Node]:
        """Yield every outcome when players pass and nothing happens in a window."""
        word = self.semantics.waiting(node.run).words[-1]
        yield from self.outcomes(node, word, departure, self.quiet)

    def passing(self, node: Node) -> Iterator[Node]:
        """Yield where it leads that everybody passes, until the window is closed."""
        todo, state = [node], node.run.state
        for _ in range(PASSES):
            found = [*chain.from_iterable(map(self.quietly, todo))]
            todo = [one for one in found if one.run.frame and one.run.state == state]
            yield from (one for one in found if one not in todo)

    def outcomes(
        self, node: Node, word: str, departure: Departure, known: Mapping[str, bool]
    ) -> Iterator[Node]:
        """Yield every outcome of one answer. What is not told and not known has both values."""
        orders, facts = departure
        tells = {*facts, *(self.semantics.waiting(node.run).tells if word else ())}
        known = {name: value for name, value in known.items() if name not in tells}
        known |= {name: False for name in self.latching if name not in tells}
        for choices in every_choice({**known, **facts}):
            told = {name: choices[name] for name in sorted(tells)}
            run, answer = copy(node.run), Answer(word, told, orders)  # type: ignore[arg-type]
            self._spend()
            with suppress(FsmError):
                players = node.start.players
                fired, _ = self.semantics.answer(run, answer, choices, players)
                run.turns_begun, run.moments, run.results = 0, (), ()
                read = dict(chain.from_iterable(one.guards for one in fired)).keys() - self.decided
                told |= {name: value for name, value in choices.items() if name in read}
                answer = Answer(answer.word, told, orders)
                took = self.measure.of(fired)
                yield Node(node.start, run, took, node, answer, node.depth + 1)


class Search:
    """Searches games that take the targets with these keys. `best` has the shortest one for
    each.
    """

    def __init__(self, walker: Walker, wanted: Iterable[Key]) -> None:
        self.walker, self.model = walker, walker.model
        self.missing = dict.fromkeys(wanted)
        self.best: dict[Key, Node] = {}
        players = Start().players
        self.orders = [*accepted(self.model, players, every_order(self.model, players))]
        self.orders.append(ControlNextTurn(players[0], players[1]))
        appointed = product(self.model.roles, players)
        self.orders += [Appoint(role.name, player) for role, player in appointed]
        self.signals = interruptions(self.model)
        self._noted = set[Node]()
        self._departed = set[object]()
        self._places: dict[tuple[Hashable, ...], Node] = {}
        self._played: dict[Hashable, int] = {}

    def run(self, beginnings: Iterable[Start], longest: int = ORDINARY) -> dict[Key, Node]:
        """Search from these beginnings. Return the shortest game for each target that was found."""
        fresh = [node for start in beginnings if (node := self.walker.begin(start)) is not None]
        for node in fresh:
            self.course(node, longest)
        beginning = [node for node in fresh if node.usual]
        for turn in (1, LATER):
            for node in self._steps(beginning, turn):
                self._depart(node, self._departures(node), DEPARTED)
            for node in self._spots(WHERE, PASSED):
                self._depart(node, [ORDINARILY], ACTED, quietly=False)
            for key in [*self.missing]:
                self._order_before(key)
            for node in self._spots(WHERE):
                pairs = map(Departure, product(self.signals, self.signals))
                self._depart(node, pairs, INTERRUPTED)
            for node in self._spots(WHERE, ACTIVE):
                self._depart(node, self._interruptions(node), INTERRUPTED, quietly=False)
        return self.best

    def course(self, node: Node, longest: int) -> None:
        """Play the ordinary course, in which everybody passes, with all values of the turn's facts.

        A position from which it was played as far before leads to nothing new.
        """
        todo = [node]
        for before in todo:
            further, key = longest - before.depth, before.run.key
            if further > self._played.get(key, 0) and self.walker.lasts:
                self._played[key] = further
                inside = before.run.frame
                todo += self.walker.passing(before) if inside else self.walker.answered(before)
            self._take(before)

    def _take(self, end: Node) -> None:
        """Note what a game takes, and the shortest game that takes each target."""
        node: Node | None = end
        while node is not None and node not in self._noted:
            self._noted.add(node)
            for key in node.took:
                self.missing.pop(key, None)
                if key not in self.best or node.depth < self.best[key].depth:
                    self.best[key] = node
            self._place(node)
            node = node.parent

    def _place(self, node: Node) -> None:
        """Note the shortest game to each place where something can be answered."""
        run, phase = node.run, node.run.phase.current
        if node.usual and self.walker.semantics.waiting(run).words:
            where = (run.state, run.frame, phase.name if phase is not None else "")
            place = where, (len(run.passed), len(run.out)), (run.active, len(run.sides))
            if node.depth < self._places.setdefault(place, node).depth:
                self._places[place] = node

    def _spots(self, *fields: int) -> list[Node]:
        """Return the shortest game to each place, as far as these fields of places differ."""
        found = dict[Hashable, Node]()
        for place, node in sorted(self._places.items(), key=lambda item: item[1].depth):
            found.setdefault(tuple(place[field] for field in fields), node)
        return list(found.values())

    # departures from the ordinary course ----------------------------------------------------------

    def _depart(
        self, node: Node, departures: Iterable[Departure], further: int, *, quietly: bool = True
    ) -> None:
        """Depart from the ordinary course in each of these ways, and play it from there."""
        answers = self.walker.quietly if quietly else self.walker.answered
        for departure in departures:
            if not self.missing or not self.walker.lasts:
                return
            for found in answers(node, departure):
                self.course(found, node.depth + further)

    def _steps(self, fresh: list[Node], turn: int) -> list[Node]:
        """Return the nodes in which games begin up to this turn, and the first one in each other
        step, if they are new.
        """
        found = dict[object, Node]()
        for node in fresh:
            if node.start.at is None or node.start.at.turn <= turn:
                found[node] = node
        startable = {node.start.at.step for node in fresh if node.start.at is not None}
        for node in self._spots(WHERE):
            step = _step_of(node.run)
            two = len(node.start.players) == len(Start().players)
            if two and step and step not in startable:
                found.setdefault(step, node)
        new = [node for key, node in found.items() if key not in self._departed]
        self._departed.update(found)
        return new

    def _departures(self, node: Node) -> Iterator[Departure]:
        """Yield one order or fact for each departure from the beginning of a step."""
        players = node.start.players
        leaving = [Leave(player) for player in players] if self.model.leaving else []
        more = self.orders if len(players) == len(Start().players) else []
        yield from (Departure((order,)) for order in (*leaving, *self.signals, *more))
        yield from (Departure((), {name: True}) for name in self.walker.latching)

    def _interruptions(self, node: Node) -> Iterator[Departure]:
        """Yield one signal for each, and who may leave."""
        left, players = node.run.left, node.start.players
        there = [name for seat, name in enumerate(players) if seat not in left]
        leaving = list[Order]()
        if self.model.leaving and len(there) > 1:
            leaving = [*map(Leave, there), Leave(*there[1:]), Leave(*there)]
        yield from (Departure((order,)) for order in (*self.signals, *leaving))

    def _order_before(self, key: Key) -> None:
        """Where games lead to a missing transition, give one order more about its step, or two."""
        machine, id = key
        rows = self.model.transitions if machine == "turn" else ()
        row = next((row for row in rows if row.id == id.partition(" where ")[0]), None)
        if row is None:
            return
        orders = [*self._orders_about(row.source)]
        into = {("turn", other.id) for other in rows if other.target == row.source}
        ends = [node for key, node in self.best.items() if key in into]
        nodes = chain.from_iterable(reversed(end.path()[1:]) for end in ends)
        once = product(nodes, product(orders))
        twice = product(ends, product(orders, orders))
        for node, more in chain(once, twice):
            self._again(node, more)
            if key not in self.missing or not self.walker.lasts:
                return

    def _orders_about(self, state: str) -> Iterator[Order]:
        """Yield the orders that name the step or the phase of a state."""
        names = set[str]()
        for home in self.model.path(state):
            if home.kind in ("step", "phase"):
                names |= {home.name, home.family} - {""}
        for order in self.orders:
            named = [getattr(order, field, "") for field in ("step", "before", "phase")]
            if names & {*named, *getattr(order, "phases", ())}:
                yield order

    def _again(self, node: Node, more: tuple[Order, ...]) -> None:
        """Give the last answer of a game once more, with these orders before its own."""
        answer, parent = node.answer, node.parent
        if answer is None or parent is None:
            return
        departure = Departure((*more, *answer.orders), answer.facts)
        for found in self.walker.outcomes(parent, answer.word, departure, {}):
            self.course(found, parent.depth + TOGETHER)


def beginnings(model: Model) -> list[Start]:
    """Return the set-ups that can make a difference, and each step of each player's first turn, and
    of a second one.
    """
    every = [*starts(model)]
    steps = dict.fromkeys(state.name for state in model.of_kind("step"))
    for start in [start for start in every if not (start.settings or start.teams)]:
        turns = range(1, len(start.players) + 2)
        every += [replace(start, at=StartAt(step, turn)) for step, turn in product(steps, turns)]
    return every


def interruptions(model: Model) -> list[Interruption]:
    """Return the orders that raise the events of a model, but for leaving."""
    named: dict[str, Interruption] = {order.event: order for order in (EndTurn(), EndPhase())}
    events = [event for event in model.signals if event != model.leaving]
    return [named.get(event) or Signal(event) for event in events]


def _step_of(run: Run) -> str:
    step = run.step.current
    return step.name if step is not None and step.under_way else ""
