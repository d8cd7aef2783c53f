"""The positions that games of a Model stand at, as an automaton that is built while games are
played.

Where a game has stood before, an answer that was given there before leads on without firing
anything anew, as in the lazy DFA of a regular expression. A position is a run. What it lacks of a
game, its players, the number of its turn and its calendar, makes no difference to what fires.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from fsm.engine.ahead import quiet_answer
from fsm.engine.answers import check, key_of
from fsm.engine.requests import KINDS, Answer, Over, Position
from fsm.engine.semantics import Fired, NothingFires, Semantics, Told, semantics_of
from fsm.errors import StuckError
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.state.calendar import NO_ENTRIES, Calendar, Ids, Moment
from fsm.state.orders import Result, with_results
from fsm.state.run import NOTHING, Run
from fsm.state.setup import Players

MOST_EDGES = 64
"""A node remembers at most so many answers, each twice."""
News = tuple[Ids, Ids, tuple[Result, ...]]
"""The ids of what has expired and triggered, and what became of orders."""
NO_NEWS: News = (), (), ()
Ask = Callable[..., Any]
"""Makes the request of a position for players (and ""), a turn, and news."""


class Node:
    """A position: its run, which never changes any more, and where plain answers have led from here.

    `edges` finds an answer by its identity, and by what it says.
    """

    __slots__ = ("ask", "edges", "run")

    def __init__(self, run: Run, ask: Ask) -> None:
        self.run, self.ask = run, ask
        self.edges: dict[object, Edge] = {}


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

    There are at most `most` of them. Then all are forgotten.
    """

    most: ClassVar[int] = 10_000

    def __init__(self, model: Model, firing: Semantics | None = None) -> None:
        self.model, self.semantics = model, semantics_of(model)
        self._firing = firing or self.semantics
        self.nodes: dict[object, Node] = {}
        self.starts: dict[int, Edge] = {}

    def edge(self, run: Run, fired: list[Fired]) -> Edge:
        """Return the way to a run, along which this fired."""
        happened = run.turns_begun, tuple(fired), run.moments, run.results
        run.turns_begun, run.moments, run.results = 0, (), ()
        key = run.key
        node = self.nodes.get(key)
        if node is None:
            if len(self.nodes) >= self.most:
                forgotten, self.nodes, self.starts = [*self.nodes.values()], {}, {}
                for old in forgotten:
                    old.edges = {}
            node = self.nodes[key] = Node(run, asker(self.semantics, run))
        return Edge(node, *happened)

    def stand(self, node: Node) -> None:
        """Learn that the game stands here again."""

    def aside(self, node: Node) -> tuple[Automaton, Node]:
        """Return where a fork of a game that stands here goes on."""
        return self, node

    def start(self, run: Run, facts: Mapping[str, bool]) -> Edge:
        """Return where a game that begins with this run waits first, with what was told before."""
        fired: list[Fired] = []
        try:
            self._firing.macrostep(run, Told(facts), fired)
        except NothingFires as hole:
            raise self._stuck(hole) from None
        return self.edge(run, fired)

    def follow(
        self, node: Node, answer: Answer, players: Players, calendar: Calendar
    ) -> tuple[Edge, Calendar]:
        """Return where an answer leads, and the calendar with its orders.

        Raises AnswerError, OrderError or StuckError if the answer does not fit.
        """
        edge = node.edges.get(id(answer))
        if edge is not None:
            return edge, calendar
        key = key_of(answer)
        edge = node.edges.get(key)
        if edge is None:
            check(answer, self.model, self.semantics.waiting(node.run), self.semantics.facts)
            edge, calendar = self._fire(copy(node.run), answer, players, calendar)
        if key is not None and len(node.edges) < MOST_EDGES:
            node.edges[key] = edge
            node.edges[id(answer)] = replace(edge, answer=answer)  # which keeps the answer alive
        return edge, calendar

    def _fire(
        self, run: Run, answer: Answer, players: Players, calendar: Calendar
    ) -> tuple[Edge, Calendar]:
        told = Told(answer.facts)
        try:
            fired, calendar = self._firing.answer(run, answer, told, players, calendar)
        except NothingFires as hole:
            raise self._stuck(hole) from None
        return self.edge(run, fired), calendar

    def news(self, edge: Edge, calendar: Calendar) -> tuple[Calendar, News]:
        """Tell the calendar what has happened. Return it, and what is to be told the host."""
        if calendar is NO_ENTRIES or not edge.moments:
            return calendar, ((), (), edge.results)
        calendar, due = calendar.after(edge.moments, self.semantics.durations)
        results = with_results(edge.results, due.results)
        return calendar or NO_ENTRIES, (tuple(due.expired), tuple(due.triggered), results)

    def _stuck(self, hole: NothingFires) -> StuckError:
        """Return the error that says why nothing fires."""
        from fsm.engine.possible import refusal_of  # few games meet a hole

        why = refusal_of(self.semantics, hole.machine, hole.run, hole.state, hole.event)
        return StuckError(f"nothing can fire here: {why}")


def asker(semantics: Semantics, run: Run) -> Ask:
    """Return the function that makes the request of a run, for players (and "") in a turn."""
    state, id = semantics.waiting(run), semantics.waiting(run).id
    final = state.kind == "final"
    kind: Any = Over if final else KINDS.get(state.asks)
    if kind is None:
        raise StuckError(f"nothing can fire here: {id!r} asks for nothing")
    extra, phase = (run.current or NOTHING).extra, (run.phase.current or NOTHING).name
    visit = run.step.current or NOTHING
    step, iteration = visit.name, visit.iteration
    quietly, tells, stage = quiet_answer(semantics.model, run, state), state.tells, run.state
    more: tuple[str, ...] = ()
    if state.asks == "perform":
        more = state.action, state.manner
    elif state.asks == "place":
        more = (state.manner,)
    active, decider = run.head(run.active), run.decider
    seats = by(run, state)
    if len(seats) == 1 and not final:
        seat = seats[0]

        def ask(players: Players, turn: int, news: News = NO_NEWS) -> Any:
            whose, controller = players[active], players[decider]
            at = Position(turn, whose, controller, extra, phase, step, iteration, stage)
            return kind(at, id, quietly, tells, *news, (players[seat],), *more)

        return ask

    def ask_several(players: Players, turn: int, news: News = NO_NEWS) -> Any:
        whose, controller = players[active], players[decider]
        at = Position(turn, whose, controller, extra, phase, step, iteration, stage)
        named = tuple([players[seat] for seat in seats])
        who = ((), named) if final else (named, *more)  # nobody acts, but somebody may have won
        return kind(at, id, quietly, tells, *news, *who)

    return ask_several


def by(run: Run, state: State) -> tuple[int, ...]:
    """Return the seats of those whose action it is."""
    if state.kind == "final":
        return run.members(run.living[0]) if len(run.living) == 1 else ()
    if state.asks == "priority":
        return run.members(run.holder)
    if state.asks == "perform":
        return run.performers(state.by)
    return run.performers("everyone") if state.asks == "place" else ()


@per_model
def automaton_of(model: Model) -> Automaton:
    """Return the positions that all games of this model share."""
    return Automaton(model)
