"""The TurnController runs the turns of one game. It does no I/O and never waits.

It says what it needs next (`request`) and takes the answer (`answer`). All that it remembers are
its players, the number of the turn, its node in the automaton of positions, and its calendar. They
are values, so that a fork and undo cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, TypeAlias

from fsm.engine.automaton import Automaton, Edge, Node, automaton_of
from fsm.engine.possible import Option, possible, why_not
from fsm.engine.requests import Answer, Over, Position, Request
from fsm.engine.semantics import Semantics
from fsm.engine.snapshot import Migrate, dump, load, packed
from fsm.engine.starting import begun
from fsm.engine.trace import Answered, GameHeader, Trace, records_of
from fsm.errors import AnswerError, FsmError, StaleAnswerError, shown
from fsm.model import Model, State
from fsm.model.model import ModelLike, Shown, as_model
from fsm.state.calendar import Calendar
from fsm.state.orders import Order, Plain
from fsm.state.run import Run, StartAt, checked_players

if TYPE_CHECKING:
    from fsm.engine.machine import Machine

Watcher: TypeAlias = Callable[[Answered], object]
Standing: TypeAlias = tuple[Node, int, int, Calendar, Request | Over]
"""Where a game stands: its node, the numbers of turn and request, its calendar, and the request."""


class TurnController(Shown):
    """Runs the turns of one game by its Model.

    Parameters
    ----------
    model
        The turn structure: a Model, a Table, or what `fsm.load` takes, such as a name.
    players
        The names of the players in seat order. The first one takes turn 1.
    teams
        Groups of players who share turns.
    settings
        Values for the model's settings, by name. A setting that is not named has its default.
    orders
        Orders that are in force before turn 1, or before the step with which the game starts.
    start
        Where the game starts in the middle. By default it starts at its beginning.
    machine
        What `fsm.engine.Machine.from_model` made from the model, to run the game on it, with its
        callbacks. Without it, the game is many times as fast.
    trace
        Whether the game is recorded from its beginning, in `trace`.

    Attributes
    ----------
    model, players
        The Model whose turns it runs, and who plays.
    request
        What the controller needs next. `answer` takes the answer to it.
    number
        The number of `request`: how many answers were given before it.
    moves
        How often `standing` was set, as undo does.
    turn
        The number of the turn.
    calendar
        The durations and triggers that wait.
    trace
        The record of the run, if `trace` was asked for, else None.

    Raises
    ------
    FsmError
        If players, teams, settings or the start do not fit the model or one another.
    OrderError
        If an order names something that the model or the game does not have.
    """

    __slots__ = (
        "_automaton",
        "_busy",
        "_machine",
        "_names",
        "_node",
        "_watchers",
        "calendar",
        "model",
        "moves",
        "number",
        "players",
        "request",
        "trace",
        "turn",
    )
    model: Model
    players: tuple[str, ...]
    request: Request | Over
    number: int
    moves: int
    turn: int
    calendar: Calendar
    trace: Trace | None

    def __init__(  # noqa: PLR0913 - each is a part of one game
        self,
        model: ModelLike,
        players: Sequence[str],
        *,
        teams: Sequence[Sequence[str]] = (),
        settings: Mapping[str, bool] | None = None,
        orders: Sequence[Order] | Order = (),
        start: StartAt | None = None,
        machine: Machine | None = None,
        trace: bool = False,
    ) -> None:
        given = (orders,) if isinstance(orders, Plain) else tuple(orders)
        self._begin(automaton_of(as_model(model)), checked_players(players), machine)
        edge, calendar = begun(self._automaton, self.players, teams, settings, given, start)
        self._start(edge, calendar)
        if trace:
            head = GameHeader.of(
                self.model,
                self.players,
                teams=tuple(map(tuple, teams)),
                settings=settings or {},
                orders=given,
                start=start,
            )
            self.trace = Trace.of(self, head, edge.fired)

    def _begin(
        self, automaton: Automaton, players: tuple[str, ...], machine: Machine | None = None
    ) -> None:
        self.model = automaton.model
        self._automaton = automaton
        self._machine = machine
        self.players = players
        self._names = (*players, "")
        self._watchers: dict[ExitStack, Watcher] = {}
        self._busy = False
        self.moves = 0
        self.trace = None
        if machine is not None:
            made_from = getattr(machine, "definition", machine)
            if made_from != self.model:
                text = f"machine must be made from {self.model}, and not from {shown(made_from)}"
                raise FsmError(f"{text}; write fsm.engine.Machine.from_model(model)")
            self.watch(machine.hear)

    def _start(self, edge: Edge, calendar: Calendar) -> None:
        """Stand where the game begins. A collection of coverage hears of it here."""
        self.number = self.turn = 0
        self._go_along(edge, calendar)
        if self._machine is not None:
            self._machine.follow(records_of(edge.fired, self.players, 0), self.run)

    def _go_along(self, edge: Edge, calendar: Calendar) -> None:
        """Stand where an edge leads, and ask with the news of the way."""
        self.calendar, news = self._automaton.news(edge, calendar)
        self._node = edge.node
        self.turn += edge.turns
        self.request = edge.node.ask(self._names, self.turn, *news)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.model.name}, {self.request}>"

    # what a host uses ----------------------------------------------------------------------------

    def answer(self, answer: Answer, *, to: int | None = None) -> Request | Over:
        """Process the answer to `request`.

        Parameters
        ----------
        answer
            A word that `request` allows, the facts it asks for, and orders.
        to
            The `number` of the request that is answered. An answer to an earlier request is
            refused, so that a click that comes twice does not pass twice.

        Returns
        -------
        Request
            The next request. It is also in `request`.

        Raises
        ------
        AnswerError
            If the answer does not fit the request, or while another answer is being processed.
        StaleAnswerError
            If the request `to` is not the one that waits.
        OrderError
            If an order names something that the model or the game does not have.
        StuckError
            If the run comes to a state where no transition can fire.

        If an error is raised, also one of a watcher, nothing has changed, and the request can be
        answered again.
        """
        if self._busy:  # with no call between the two, no other thread comes in between
            raise _busy()
        self._busy = True
        try:
            if to is not None and to != self.number:
                text = f"the answer is to request {to}, and request {self.number} waits"
                raise StaleAnswerError(text)
            edge = self._node.edges.get(id(answer))
            if edge is None or self._watchers or edge.results:
                return self._go(answer, edge)
            if edge.moments and self.calendar:
                return self._go(answer, edge)
            self._node = edge.node
            self.number += 1
            if edge.turns:
                self.turn += edge.turns
            self.request = edge.node.ask(self._names, self.turn)
            return self.request
        finally:
            self._busy = False

    def _go(self, answer: Answer, edge: Edge | None) -> Request | Over:
        """Process any answer. If it is refused, or a watcher raises, the game is where it was."""
        before = self.standing
        calendar = self.calendar
        request: Any = self.request
        try:
            if edge is None:
                edge, calendar = self._automaton.follow(self._node, answer, self.players, calendar)
            self.number += 1
            self._go_along(edge, calendar)
            answered = Answered(self, request, answer, edge.fired)
            for watcher in [*self._watchers.values()]:
                watcher(answered)
        except BaseException:
            self._put(before)
            raise
        return self.request

    def order(self, *orders: Order, **facts: bool) -> Request | Over:
        """Give orders between two answers: somebody concedes, or an effect outside the turn begins.

        Nobody's pass is undone. The request stays as it is, unless a player who has priority
        leaves.

        Parameters
        ----------
        *orders
            The orders.
        **facts
            Facts that the transitions for players who leave may read.

        Returns
        -------
        Request
            The request that is to be answered now.

        Raises
        ------
        AnswerError, OrderError, StuckError
            As `answer` does.
        """
        return self.answer(Answer("", facts, orders))

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, to be answered in the body of the loop, until the game
        is over.
        """
        while not isinstance(self.request, Over):
            number = self.number
            yield self.request
            if self.number == number:
                raise AnswerError("the loop went on without an answer: give one to each request")

    # looking -------------------------------------------------------------------------------------

    @property
    def over(self) -> Over | None:
        """The end of the game, or None while it goes on."""
        return self.request if isinstance(self.request, Over) else None

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.request.at

    @property
    def run(self) -> Run:
        """All that the game remembers beside its calendar. It is to be read, not changed."""
        return self._node.run

    @property
    def semantics(self) -> Semantics:
        """What fires the transitions of the game."""
        return self._automaton.semantics

    @property
    def waiting(self) -> State:
        """The state that waits for the answer."""
        return self.semantics.waiting(self.run)

    def possible(self) -> tuple[Option, ...]:
        """Return what can be answered and ordered now, and what cannot, with the reason.

        Returns
        -------
        tuple of Option
            The answers to the request, then the orders that interrupt the turn.
        """
        return possible(self)

    def why_not(self, asked: str | type[Order]) -> str:
        """Say why something is not possible now.

        Parameters
        ----------
        asked
            The name of an option, of an event of the model, or the class of an order.

        Returns
        -------
        str
            A sentence with the reasons and with what is possible, or "" exactly if it is possible.

        Raises
        ------
        AnswerError
            If the model has no such event.
        """
        return why_not(self, asked)

    def watch(self, watcher: Watcher) -> ExitStack:
        """Call a function after each answer, until the subscription ends.

        Parameters
        ----------
        watcher
            The function. If it raises, the answer is refused: the game is where it was.

        Returns
        -------
        ExitStack
            Close it to end the subscription, or use it in a `with` statement.
        """
        subscription = ExitStack()
        self._watchers[subscription] = watcher  # one function may watch twice
        subscription.callback(self._watchers.pop, subscription)
        return subscription

    # keeping -------------------------------------------------------------------------------------

    @property
    def standing(self) -> Standing:
        """Where the game stands, as a value that is kept in no time, and can be set again."""
        return self._node, self.turn, self.number, self.calendar, self.request

    @standing.setter
    def standing(self, standing: Standing) -> None:
        if self._busy:
            raise _busy()
        self.moves += 1
        self._put(standing)

    def _put(self, standing: Standing) -> None:
        self._node, self.turn, self.number, self.calendar, self.request = standing
        if self._machine is not None:
            self._machine.stand(self.run)

    def fork(self) -> TurnController:
        """Return an independent controller of the same game. Nobody watches it."""
        twin = object.__new__(TurnController)
        twin._begin(self._automaton, self.players)
        twin._put(self.standing)
        twin.moves = self.moves
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its model and its snapshot."""
        return TurnController.restore, (self.model, self.snapshot())

    def snapshot(self) -> dict[str, Any]:
        """Return the game as plain JSON values, for `restore`. They name no code."""
        return dump(self)

    def token(self) -> str:
        """Return the game as compact text, for `restore`: its snapshot, compressed."""
        return packed(self.snapshot())

    @staticmethod
    def restore(
        model: ModelLike,
        data: object,
        *,
        machine: Machine | None = None,
        migrate: Migrate | None = None,
    ) -> TurnController:
        """Return the game that was saved.

        Parameters
        ----------
        model
            The model with which it was saved.
        data
            What `snapshot` or `token` returned.
        machine
            The machine on which the game goes on, as for a new game.
        migrate
            A function that gets the snapshot of a game of another model, as plain values, and
            returns it as one of this model.

        Returns
        -------
        TurnController
            The game.

        Raises
        ------
        SnapshotError
            If the data is damaged, or of another model.
        """
        game = object.__new__(TurnController)
        automaton = automaton_of(as_model(model))
        saved, node = load(automaton, data, migrate)
        game._begin(automaton, saved.players, machine)
        request = node.ask(game._names, saved.turn, *saved.news)
        game._put((node, saved.turn, saved.number, saved.calendar, request))
        return game


def _busy() -> AnswerError:
    return AnswerError(
        "another answer is being processed: a game is answered by one thread at a time, and not "
        "by its own watchers"
    )
