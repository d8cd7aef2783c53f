"""The positions that games of a Model stand at, as an automaton that is built while games are
played.

Where a game has stood before, an answer that was given there before leads on without firing
anything anew, as in the lazy DFA of a regular expression. A position is a run. What it lacks of a
game, its players, the number of its turn and its calendar, makes no difference to what fires.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Any, ClassVar

from msgspec import structs

from fsm.engine.requests import (
    KINDS,
    Answer,
    Over,
    Position,
    Request,
    answer_of,
    check,
)
from fsm.engine.semantics import Fired, Semantics, Told, semantics_of
from fsm.errors import StuckError
from fsm.model import Model, State
from fsm.model.elements import TAKING_PART
from fsm.model.model import per_model
from fsm.state.calendar import Calendar, Ids, Moment, advanced
from fsm.state.orders import Result, with_result
from fsm.state.run import NOTHING, Players, Run

News = tuple[Ids, Ids, tuple[Result, ...]]
"""The ids of what has expired and triggered, and what became of orders."""


class Node:
    """A position: its run, which never changes any more, what is asked there, and where plain
    answers have led from here.

    `edges` finds an answer by its identity, and by what it says.
    """

    __slots__ = (
        *("_active", "_by", "_extra", "_kind", "_phase", "_quietly", "_step"),
        *("edges", "run", "state"),
    )

    def __init__(self, semantics: Semantics, run: Run) -> None:
        state = semantics.waiting(run)
        kind: Any = Over if state.kind == "final" else KINDS.get(state.asks)
        if kind is None:
            raise StuckError(f"nothing can fire here: {state.id!r} asks for nothing")
        self.run = run
        self.edges = dict[object, Edge]()
        self.state = state
        self._kind = kind
        usual: Any = "passed" if "passed" in state.words else "done"
        quiet = {name: semantics.quiet[name] for name in semantics.facts_ahead(run)}
        self._quietly = answer_of(usual, (), quiet, automatic=True)
        self._active = run.head(run.active)
        self._by = _picker(by(semantics, run, state))
        self._extra = (run.turn.current or NOTHING).extra
        self._phase = (run.phase.current or NOTHING).name
        self._step = run.step.current or NOTHING

    def ask(
        self,
        names: Sequence[str],
        turn: int,
        expired: Ids = (),
        triggered: Ids = (),
        results: tuple[Result, ...] = (),
    ) -> Request | Over:
        """Return the request for players, whose names end with "", in this turn, with its news."""
        run = self.run
        state = self.state
        step = self._step
        at = Position(
            turn,
            names[self._active],
            names[run.decider],
            self._extra,
            self._phase,
            step.name,
            step.iteration,
            run.state,
        )
        id = state.id
        quietly = self._quietly
        tells = state.tells
        who = self._by(names)
        # written out: a call with * would take as long again
        if self._kind is Over:  # nobody acts, but somebody may have won
            return Over(at, id, quietly, tells, expired, triggered, results, (), who)
        action = state.action
        manner = state.manner
        asked: Any = self._kind(
            at, id, quietly, tells, expired, triggered, results, who, action, manner
        )
        if run.heard:
            asked = structs.replace(
                asked, answered=tuple([names[heard.seat] for heard in run.heard])
            )
        return asked  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Edge:
    """Where an answer leads: the node, and what happens on the way."""

    node: Node
    turns: int
    fired: tuple[Fired, ...]
    moments: tuple[Moment, ...]
    results: tuple[Result, ...]
    answer: Answer | None = None


class Automaton:
    """The positions of one Model that games have stood at.

    There are at most `most` of them. Then all are forgotten. A node remembers at most `most_edges`
    answers, each twice.
    """

    most: ClassVar[int] = 10_000
    most_edges: ClassVar[int] = 64

    def __init__(self, model: Model) -> None:
        self.model = model
        self.semantics = semantics_of(model)
        self.nodes: dict[object, Node] = {}
        self.starts: dict[int, Edge] = {}

    def edge(self, run: Run, fired: Sequence[Fired] = ()) -> Edge:
        """Return the way to a run, along which this fired."""
        happened = run.turns_begun, tuple(fired), run.moments, run.results
        run.turns_begun = 0
        run.moments = ()
        run.results = ()
        key = run.key
        node = self.nodes.get(key)
        if node is None:
            if len(self.nodes) >= self.most:
                for old in [*self.nodes.values()]:
                    old.edges = {}
                self.nodes = {}
                self.starts = {}
            node = self.nodes[key] = Node(self.semantics, run)
        return Edge(node, *happened)

    def follow(
        self, node: Node, answer: Answer, players: Players, calendar: Calendar
    ) -> tuple[Edge, Calendar]:
        """Return where an answer leads, and the calendar with its orders.

        Raises AnswerError, OrderError or StuckError if the answer does not fit.
        """
        check(answer, self.model, node.state, self.semantics.facts)
        key = None if answer.orders or answer.player else (answer.word, *answer.facts.items())
        edge = node.edges.get(key)
        if edge is None:
            run = copy(node.run)
            told = Told(answer.facts)
            fired, calendar = self.semantics.answer(run, answer, told, players, calendar)
            edge = self.edge(run, fired)
        if key is not None and len(node.edges) < self.most_edges:
            node.edges[key] = edge
            node.edges[id(answer)] = replace(edge, answer=answer)  # which keeps the answer alive
        return edge, calendar

    def news(self, edge: Edge, calendar: Calendar) -> tuple[Calendar, News]:
        """Tell the calendar what has happened. Return it, and what is to be told the host."""
        if not (calendar and edge.moments):
            return calendar, ((), (), edge.results)
        calendar, due = advanced(calendar, edge.moments)
        results = edge.results
        for result in due.results:
            results = with_result(results, result)
        return calendar, (tuple(due.expired), tuple(due.triggered), results)


def by(semantics: Semantics, run: Run, state: State) -> tuple[int, ...]:
    """Return the seats of those whose action it is, or who have won."""
    if state.kind == "final":
        return () if run.opposing else run.performers("everyone")
    if state.asks == "priority":
        seats = run.members(run.holder)
        if state.manner == TAKING_PART:
            acting = semantics.performers(run, semantics.model.state(run.state))
            seats = tuple(seat for seat in seats if seat in acting) or seats
        return seats
    if state.asks == "perform":
        return semantics.performers(run, state)
    return run.performers("everyone") if state.asks == "place" else ()


def _picker(seats: tuple[int, ...]) -> itemgetter[Any]:
    """Return the function that picks the names of these seats, as a tuple."""
    if len(seats) > 1:
        return itemgetter(*seats)
    first = seats[0] if seats else 0
    return itemgetter(slice(first, first + len(seats)))


@per_model
def automaton_of(model: Model) -> Automaton:
    """Return the positions that all games of this model share."""
    return Automaton(model)
