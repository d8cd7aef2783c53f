"""Searches short games of a ruleset that take the targets of a criterion.

Small games are tried, one kind after another: from each step, the ordinary course in which everybody
passes, with every value of the facts of the turn; then the same with one thing that departs from it,
an order, a fact, an answer, or an interruption; then two orders at once, for what is still missing.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import NamedTuple

from fsm.coverage.target import Key
from fsm.engine.automaton import automaton_of
from fsm.engine.requests import Answer
from fsm.engine.semantics import Choices, semantics_of
from fsm.engine.starting import begun
from fsm.errors import FsmError
from fsm.model import Model, Transition
from fsm.state.orders import EndPhase, EndTurn, Interruption, Leave, Order, Signal
from fsm.state.run import Run
from fsm.state.setup import StartAt
from fsm.testing.budget import Budget
from fsm.testing.measuring import Measure
from fsm.testing.opening import Openings
from fsm.testing.path import Start, starts

PASSES = 12
"""After so many answers, a window in which everybody passes is closed."""
SPOTS = 30
"""The orders that open a guard are given in at most so many places."""
ORDINARY, DEPARTED, ACTED, INTERRUPTED, OPENED = 60, 20, 12, 6, 32
"""How many answers the ordinary course takes, and how many more after each kind of departure."""
TURNS = 3
"""A game starts in each step of so many turns: two players' first turns, and a second one."""
PLACE, PASSED, ACTIVE, SIDES = 3, 3, 4, 5
"""Of a place, the number of its main fields, and which field has what else."""


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


class Walker:
    """Plays games of one model, with every value of the facts that are read."""

    def __init__(self, model: Model, measure: Measure, budget: Budget) -> None:
        self.model, self.measure, self.budget = model, measure, budget
        self.semantics = semantics_of(model)
        facts = model.window.facts if model.window is not None else ()
        inside = [fact.name for fact in facts if fact.owner == "game"]
        self.latching = tuple(sorted(self.semantics.latching))
        self.quiet = {name: self.semantics.quiet[name] for name in inside}

    def begin(self, start: Start) -> Node | None:
        """Return where a game waits first, or None if none can begin so."""
        settings, at = dict(start.settings), start.at
        with suppress(FsmError):
            automaton = automaton_of(self.model)
            edge, _ = begun(automaton, start.players, start.teams, settings, (), at)
            run = edge.node.run
            return Node(start, run, self.measure.of(None, edge.fired, run))
        return None

    def answered(self, node: Node, departure: Departure = ORDINARILY) -> Iterator[Node]:
        """Yield every outcome of the answers with these orders and facts."""
        words = self.semantics.waiting(node.run).words
        if departure.orders and isinstance(departure.orders[0], Leave):
            words = (*words, "")
        for word in words:
            yield from self._outcomes(node, word, departure, {})

    def quietly(self, node: Node, departure: Departure = ORDINARILY) -> Iterator[Node]:
        """Yield every outcome when players pass and nothing happens in a window."""
        word = self.semantics.waiting(node.run).words[-1]
        yield from self._outcomes(node, word, departure, self.quiet)

    def passing(self, node: Node) -> Iterator[Node]:
        """Yield where it leads that everybody passes, until the window is closed."""
        todo, state = [node], node.run.state
        for _ in range(PASSES):
            found = [after for before in todo for after in self.quietly(before)]
            todo = [one for one in found if one.run.frame and one.run.state == state]
            yield from (one for one in found if one not in todo)

    def _outcomes(
        self, node: Node, word: str, departure: Departure, known: Mapping[str, bool]
    ) -> Iterator[Node]:
        """Yield every outcome of one answer. What is not told and not known has both values."""
        orders, facts = departure
        tells = {*facts, *(self.semantics.waiting(node.run).tells if word else ())}
        known = {name: value for name, value in known.items() if name not in tells}
        known |= {name: False for name in self.latching if name not in tells}
        later = list[Choices]()
        later.append(Choices({**known, **facts}, later))
        while later:
            choices = later.pop()
            told = {name: choices[name] for name in sorted(tells)}
            run, answer = copy(node.run), Answer(word, told, orders)  # type: ignore[arg-type]
            self.budget.spend()
            with suppress(FsmError):
                players = node.start.players
                fired, _ = self.semantics.answer(run, answer, choices, players)
                run.turns_begun, run.moments, run.results = 0, (), ()
                read = {name for one in fired for name, _ in one.guards}
                told |= {name: value for name, value in choices.items() if name in read}
                answer = Answer(answer.word, told, orders)
                took = self.measure.of(answer, fired, run)
                yield Node(node.start, run, took, node, answer, node.depth + 1)


class Search:
    """Searches games that take the targets with these keys. `best` has the shortest one for each."""

    def __init__(self, walker: Walker, wanted: Iterable[Key], ordinary: int = ORDINARY) -> None:
        self.ordinary = ordinary
        self.walker, self.model, self.budget = walker, walker.model, walker.budget
        self.missing = dict.fromkeys(wanted)
        self.best: dict[Key, Node] = {}
        self._noted = set[Node]()
        self._places: dict[tuple[Hashable, ...], Node] = {}
        self._played: dict[Hashable, int] = {}
        self.openings = Openings(self.model, Start().players)

    @property
    def lasts(self) -> bool:
        """Whether something is missing, and may still be searched."""
        return bool(self.missing) and self.budget.lasts

    def run(self, beginnings: Iterable[Start]) -> dict[Key, Node]:
        """Search from these beginnings. Return the shortest game for each target that was found."""
        fresh = [node for start in beginnings if (node := self.walker.begin(start)) is not None]
        for node in fresh:
            self.course(node, self.ordinary)
        plain = [node for node in fresh if not (node.start.settings or node.start.teams)]
        steps = [*plain, *self._midway(plain)]
        later = [node for node in steps if node.start.at is not None and node.start.at.turn > 1]
        for nodes in ([node for node in steps if node not in later], later, ()):
            for node in nodes:
                self._depart(node, self._departures(node), DEPARTED)
            self._look_for_rows()
        self._interrupt({*self.model.signals})
        return self.best

    def _look_for_rows(self) -> None:
        """Act, interrupt, and open guards where that may take a transition that is missing."""
        for node in self._spots(PASSED):
            self._depart(node, [ORDINARILY], ACTED, quietly=False)
        rows = self._rows()
        self._interrupt({row.event for row in rows.values()})
        self._interrupt_twice({row.event for row in self._rows().values()})
        for key, row in rows.items():
            self._open(key, row)

    def course(self, node: Node, longest: int) -> None:
        """Play the ordinary course, in which everybody passes, with all values of the turn's facts.

        A position from which it was played as far before leads to nothing new.
        """
        todo = [node]
        for before in todo:
            further, key = longest - before.depth, before.run.key
            if further > self._played.get(key, 0) and self.budget.lasts:
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
        place = _place_of(node)
        over = not self.walker.semantics.waiting(node.run).words
        if not over and node.depth < self._places.setdefault(place, node).depth:
            self._places[place] = node

    # departures from the ordinary course ----------------------------------------------------------

    def _depart(
        self, node: Node, departures: Iterable[Departure], further: int, *, quietly: bool = True
    ) -> None:
        """Depart from the ordinary course in each of these ways, and play it from there."""
        answers = self.walker.quietly if quietly else self.walker.answered
        for departure in departures:
            for found in answers(node, departure) if self.lasts else ():
                self.course(found, node.depth + further)

    def _departures(self, node: Node) -> Iterator[Departure]:
        """Yield one order or fact for each departure from the beginning of a step."""
        players = node.start.players
        orders: list[Order] = [Leave(player) for player in players] if self.model.leaving else []
        orders += [_interruption(e) for e in self.model.signals if e != self.model.leaving]
        if len(players) == len(Start().players):
            orders += self.openings.every
        yield from (Departure((order,)) for order in orders)
        yield from (Departure((), {name: True}) for name in self.walker.latching)

    def _interrupt(self, events: Collection[str]) -> None:
        """Interrupt the course by these events, in each place, with every answer."""
        for node in self._spots(ACTIVE, SIDES):
            orders = [o for e in self.model.signals if e in events for o in self._orders(node, e)]
            self._depart(
                node, [Departure((order,)) for order in orders], INTERRUPTED, quietly=False
            )

    def _interrupt_twice(self, events: Collection[str]) -> None:
        """Interrupt the course by these events where another one, in the same answer, has led."""
        signals = [_interruption(e) for e in self.model.signals if e != self.model.leaving]
        pairs = [(one, other) for other in signals if other.event in events for one in signals]
        for node in self._spots():
            self._depart(node, map(Departure, pairs), INTERRUPTED)

    def _orders(self, node: Node, event: str) -> list[Order]:
        """Return the orders that raise an event."""
        if event != self.model.leaving:
            return [_interruption(event)]
        players = node.start.players
        there = [name for seat, name in enumerate(players) if seat not in node.run.left]
        orders: list[Order] = [Leave(name) for name in there if len(there) > 1]
        return [*orders, Leave(*there[1:])] if len(there) > 2 else orders

    def _open(self, key: Key, row: Transition) -> None:
        """Give the orders that open the guard of a transition, in the step where they must be given."""
        machine = self.model.machines[key[0]]
        steps = self.openings.steps(machine, row)
        spots = [node for node in self._spots() if not steps or _step_of(node.run) in steps]
        for orders in self.openings.orders(machine, row):
            for node in spots[:SPOTS] if key in self.missing else ():
                self._depart(node, [Departure(orders)], OPENED)

    def _rows(self) -> dict[Key, Transition]:
        """Return the transition that each missing target is about, if it is about one."""
        found = dict[Key, Transition]()
        for machine, id in self.missing:
            about = id.partition(" where ")[0]
            rows = self.model.machines[machine].transitions
            found.update(((machine, id), row) for row in rows if row.id == about)
        return found

    def _spots(self, *fields: int) -> list[Node]:
        """Return the shortest game to each place: turn, window, phase, and these fields of it."""
        found: dict[Hashable, Node] = {}
        for place, node in sorted(self._places.items(), key=lambda item: item[1].depth):
            start = node.start
            if not (start.settings or start.teams):
                found.setdefault((place[:PLACE], *(place[field] for field in fields)), node)
        return [*found.values()]

    def _midway(self, fresh: Iterable[Node]) -> list[Node]:
        """Return for each step from which no game can start the first node in it."""
        found = {node.start.at.step: node for node in fresh if node.start.at is not None}
        for node in self._spots():
            step = node.run.step.current
            if step is not None and step.under_way and len(node.start.players) == 2:
                found.setdefault(step.name, node)
        return [node for node in found.values() if node.depth]


def beginnings(model: Model) -> list[Start]:
    """Return the set-ups that can make a difference, and each step of each player's turn."""
    plain, other = list[Start](), list[Start]()
    for start in starts(model):
        (other if start.settings or start.teams else plain).append(start)
    steps = dict.fromkeys(state.name for state in model.of_kind("step"))
    midway = [
        replace(start, at=StartAt(step, turn))
        for start in plain
        for step in steps
        for turn in range(1, TURNS + 1)
    ]
    return [*plain, *midway, *other]


def _place_of(node: Node) -> tuple[Hashable, ...]:
    """Return where a game stands, from turn, window and phase to what seldom makes a difference."""
    run, phase = node.run, node.run.phase.current
    where = (run.state, run.frame, phase.name if phase is not None else "")
    more = (len(run.passed), (run.active, run.taken), len(run.sides))
    return (*where, *more, node.start.settings, node.start.teams)


def _interruption(event: str) -> Interruption:
    named: dict[str, Interruption] = {order.event: order for order in (EndTurn(), EndPhase())}
    return named.get(event) or Signal(event)


def _step_of(run: Run) -> str:
    return run.step.current.name if run.step.current is not None else ""
