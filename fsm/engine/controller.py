"""The TurnController runs the turns of one game. It does no I/O, and it never waits.

It says what it needs next (`request`) and takes the answer (`answer`). Between two requests it fires every transition
that needs no answer. It knows the kinds of states, never their names.

A controller may be used by several threads, one at a time. If a thread or a watcher answers while another answer is
being processed, it gets an AnswerError. Different games share nothing that an answer changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NoReturn

from fsm.engine.answer_log import AnswerLog
from fsm.engine.answers import checked
from fsm.engine.interpreter import Interpreter
from fsm.engine.requesting import SILENT_LIMIT, endless, position_of, request_of
from fsm.engine.requests import Answer, Over, Position, Request
from fsm.engine.wait_points import ODD, Reply, WaitPoint, wait_points_of
from fsm.engine.watching import Watching
from fsm.errors import AnswerError, StaleAnswerError
from fsm.extensions import Shown
from fsm.model import Model, State
from fsm.model.likeness import ModelLike, as_model
from fsm.model.permodel import per_model
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.setup import GameHeader, StartAt, check_seats, run_of, settings_of
from fsm.state.sides import sides_among

if TYPE_CHECKING:
    from fsm.engine.generated import GeneratedFunction
    from fsm.engine.machine import Machine
    from fsm.engine.options import Option
    from fsm.engine.order_results import OrderResults, Result
    from fsm.engine.recorder import Recorder
    from fsm.engine.refusals import Refusal
    from fsm.engine.snapshot import Migrate
    from fsm.engine.trace import Record, Trace

_NOTHING: Mapping[str, bool] = MappingProxyType({})


@per_model
def _started(model: Model) -> dict[int, TurnController]:
    """Return games of this model that have just started, by their number of players. New games are forks of them."""
    return {}


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
        What `fsm.Machine.from_model` made from the model, to run the game on it, with its callbacks. Without it, the
        game is several times as fast.

    Attributes
    ----------
    request
        What the controller needs next. `answer` takes the answer to it.

    Raises
    ------
    FsmError
        If players, teams, settings or the start do not fit the model or one another.
    OrderError
        If an order names something that the model or the game does not have.
    """

    __slots__ = (
        *(
            "_begun",
            "_busy",
            "_log",
            "_head",
            "_interpreter",
            "_point",
            "_points",
            "_recorder",
            "_restored",
            "_results",
            "_run",
            "_watchers",
        ),
        "request",
    )
    _point: WaitPoint

    def __init__(
        self,
        model: ModelLike,
        players: Sequence[str],
        *,
        teams: Sequence[Sequence[str]] = (),
        settings: Mapping[str, bool] | None = None,
        orders: Sequence[Order] | Order = (),
        start: StartAt | None = None,
        machine: Machine | None = None,
    ) -> None:
        model = as_model(model)
        check_seats(players, teams)
        seats = tuple(players)
        plain = not (teams or settings or orders or start or machine)
        started = _started(model)
        if plain and len(seats) in started:
            self._start_like(started[len(seats)], seats)
            return
        chosen = settings_of(model, sides_among(seats, teams), settings or {})
        given = (orders,) if isinstance(orders, Order) else tuple(orders)
        head = GameHeader(model.name, model.fingerprint, seats, tuple(map(tuple, teams)), chosen, given)
        if start is not None:
            self._start_at(model, head, start, machine)
            return
        self._begin(run_of(model, head), head, machine=machine)
        if machine is not None:
            self._start_slowly()
            return
        self._start()
        if plain and self.agenda.idle and self.calendar.empty:
            started[len(seats)] = self.fork()

    def _start(self) -> None:
        """Go on to the first request."""
        function = self._points.code.start(self._run)
        if function is not None:
            _finish(self._run, function)
        self.request: Request | Over = self._ask(self._run)

    def _start_at(self, model: Model, head: GameHeader, start: StartAt, machine: Machine | None) -> None:
        """Start in the middle."""
        from fsm.engine.starting import checked_start, first_run  # few games do

        head = replace(head, start=checked_start(model, start, head.players))
        self._begin(first_run(model, head), head, machine=machine)
        self._start_slowly()

    def _start_slowly(self) -> None:
        """Go on to the first request, firing by firing."""
        (self._interpreter or Interpreter(self.model)).onward(self._run, lambda record: None)
        self.request, self._run.told = self._ask(self._run), _NOTHING

    def _start_like(self, first: TurnController, seats: tuple[str, ...]) -> None:
        """Stand where that game stood at its start: another one of as many players differs in their names alone."""
        self._begin_like(first)
        run, point, asked = self._run, self._point, first.request
        run.seat(seats)
        self.request = request_of(run, point.state, asked.facts, position_of(run))

    def _begin(self, run: Run, head: GameHeader, restored: Run | None = None, machine: Machine | None = None) -> None:
        self._run, self._head, self._restored, self._points = run, head, restored, wait_points_of(run.model)
        self._recorder: Recorder | None = None
        self._results: OrderResults | None = None
        self._log, self._begun, self._busy = AnswerLog(), -1, False
        self._watchers: tuple[Callable[[Record], None], ...] = ()
        self._interpreter: Interpreter | None = None  # only with watchers or a machine; generated code is faster
        if machine is not None:
            from fsm.engine.onmachine import MachineInterpreter  # few games run on a machine

            self._interpreter = MachineInterpreter(run.model, machine)

    def _begin_like(self, other: TurnController) -> None:
        """Stand where that other does, which has been given nothing yet: what never changes is shared."""
        self._head, self._restored, self._points, self._busy = other._head, other._restored, other._points, False
        self._run, self._point, self.request, self._begun = other._run.copy(), other._point, other.request, other._begun
        self._recorder, self._results, self._log, self._watchers = None, None, AnswerLog(), ()
        self._interpreter = None

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
            The `number` of the request that is answered. An answer to an earlier request is refused, so that a click
            that comes twice does not pass twice.

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
        Stuck
            If the run comes to a state where no transition can fire.

        If an error is raised, also one of a watcher, nothing has changed, and the request can be answered again.
        """
        if self._busy:  # with no call between the two, no other thread comes in between
            raise _busy()
        self._busy = True
        try:
            if to is not None and to != len(self._log.codes):
                raise _stale(to, len(self._log.codes))
            run, point = self._run, self._point
            reply = point.reply(answer)
            if reply is None:
                self._safely(self._follow, checked(run, point.state, answer), ODD)
                return self.request
            if self._interpreter is not None:
                self._safely(self._follow, reply.answer, reply.code)
                return self.request
            if not run.agenda.idle:
                self._safely(self._go_on, reply, reply.function)
            elif reply.sure:
                self._go_on(reply, reply.idle)
            else:
                self._safely(self._go_on, reply, reply.idle)
            if reply.code == ODD:
                self._log.add(reply.answer, ODD)
            else:
                self._log.codes.append(reply.code)
            return self.request
        finally:
            self._busy = False

    def order(self, *orders: Order, **facts: bool) -> Request | Over:
        """Give orders between two answers: somebody concedes, or an effect outside the turn begins.

        Nobody's pass is undone. The request stays as it is, unless a player who has priority leaves.

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
        AnswerError, OrderError, Stuck
            As `answer` does.
        """
        return self.answer(Answer("", facts, orders))

    @property
    def over(self) -> Over | None:
        """The end of the game, or None while it goes on."""
        return self.request if isinstance(self.request, Over) else None

    @property
    def number(self) -> int:
        """The number of `request`: how many answers were given before it, since the game began or was restored."""
        return len(self._log.codes)

    @property
    def model(self) -> Model:
        """The Model whose turns it runs."""
        return self._run.model

    @property
    def trace(self) -> Trace:
        """The record of the run so far: the answers, and every firing that they led to."""
        if self._recorder is None:
            # The recorder needs the Machine, and the library with it. Few games are recorded.
            from fsm.engine.recorder import Recorder

            self._recorder = Recorder(self.model, self.head, self._restored)
        return self._recorder.upto(self._log)

    @property
    def results(self) -> tuple[Result, ...]:
        """What became of orders by the last answer: first those that it gave, then earlier ones that waited until then.

        Before the first answer, they are the orders in force before turn 1. It is worked out when it is asked for.
        A restored game knows nothing of the orders that were given before its snapshot.
        """
        if self._results is None:
            from fsm.engine.order_results import OrderResults  # few games ask for it

            self._results = OrderResults(self.model, self.head, self._restored)
        return self._results.upto(self._log)

    @property
    def head(self) -> GameHeader:
        """How the game was set up: its model, players, teams, settings and first orders."""
        head, players = self._head, self._run.agenda.players  # games that start alike share one but for the players
        return head if head.players == players else replace(head, players=players)

    @property
    def assumed(self) -> tuple[str, ...]:
        """What is taken for granted if the game started in the middle, one sentence each."""
        from fsm.engine.starting import assumptions

        return assumptions(self.model, self.head)

    @property
    def run(self) -> Run:
        """All that the run remembers; to be read, or copied, not changed."""
        return self._run

    @property
    def waiting(self) -> State:
        """The state of the turn, or of its window, that waits for the answer to `request`."""
        return self._point.state

    @property
    def agenda(self) -> Agenda:
        """What is scheduled; to be read, not changed."""
        return self._run.agenda

    @property
    def calendar(self) -> Calendar:
        """Durations and triggers waited for; to be read, not changed."""
        return self._run.calendar

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.request.at

    @property
    def facts(self) -> frozenset[str]:
        """The latched facts that hold now."""
        return self._run.latched

    def possible(self) -> tuple[Option, ...]:
        """Return what can be answered and ordered now, and what cannot with the reason. Everything is tried on forks.

        Returns
        -------
        tuple of Option
            First the answers to `request`, then the events that an answer can raise: an effect ends the phase, a player
            leaves.
        """
        from fsm.engine.options import possible

        return possible(self)

    def why_not(self, asked: str | type[Order]) -> Refusal | None:
        """Say why something is not possible now. It agrees with `possible`.

        Parameters
        ----------
        asked
            A word that may be answered, the name of an event, or the class of an order.

        Returns
        -------
        Refusal or None
            The reasons, as data, or None if it is possible. An event that would change nothing has a Refusal too.

        Raises
        ------
        AnswerError
            If the model has no such event.
        """
        from fsm.engine.options import why_not

        return why_not(self, asked)

    def watch(self, watcher: Callable[[Record], None]) -> Watching:
        """Call a function with every record, after the answer that caused it has been processed.

        Watchers are called in the order in which they were added. Each gets all records of the answer. If a watcher
        raises, the answer is undone, and `answer` raises the same error.

        Parameters
        ----------
        watcher
            The function to call.

        Returns
        -------
        Watching
            Call it to end the watching, or use it in a `with` statement.
        """
        self._watchers = (*self._watchers, watcher)
        self._interpreter = self._interpreter or Interpreter(self.model)
        return Watching(partial(self._unwatch, watcher))

    def _unwatch(self, watcher: Callable[[Record], None]) -> None:
        self._watchers = tuple(w for w in self._watchers if w is not watcher)
        if not self._watchers and type(self._interpreter) is Interpreter:
            self._interpreter = None

    def fork(self) -> TurnController:
        """Return an independent controller of the same game, at the same request.

        The trace of the fork begins with the trace of this controller. Watchers and the machine stay with this
        controller, so a fork calls nothing.
        """
        fork: TurnController = self.__class__.__new__(self.__class__)
        fork._begin_like(self)
        fork._log = self._log.copy()
        return fork

    def __copy__(self) -> TurnController:
        """A fork: two controllers never share what changes."""
        return self.fork()

    def __deepcopy__(self, memo: object) -> TurnController:
        """A fork; the Model, which never changes, is shared."""
        return self.fork()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a TurnController cannot be pickled: keep its snapshot(), and restore it with its Model")

    def become(self, other: TurnController) -> Request | Over:
        """Take over the state of another controller of the same model, for instance of a fork.

        Watchers and the machine stay. No callback is called.

        Parameters
        ----------
        other
            The controller whose state is taken over. It is not changed.

        Returns
        -------
        Request
            The request of that state.

        Raises
        ------
        AnswerError
            If the other controller has another model, or while an answer is being processed.
        """
        if self._busy:
            raise _busy()
        if other.model.fingerprint != self.model.fingerprint:
            raise AnswerError(f"a game of {self.model.name} cannot become one of {other.model.name}")
        watchers, interpreter, given = self._watchers, self._interpreter, other._log.copy()
        self._begin_like(other)
        self._watchers, self._interpreter, self._log = watchers, interpreter, given
        if interpreter is not None:
            interpreter.show(self._run)
        return self.request

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, to be answered in the body of the loop, until the game is over.

        Raises
        ------
        AnswerError
            If the body of the loop has not answered the last request.
        """
        while not isinstance(self.request, Over):
            count = len(self._log.codes)
            yield self.request
            if len(self._log.codes) == count:
                raise AnswerError("the loop went on without an answer: give one to each request")

    def snapshot(self) -> dict[str, object]:
        """Return the state of the turn as plain JSON values, for `restore`. It names no code."""
        from fsm.engine.snapshot import dump

        return dump(self.model, self._run, self.head)

    def token(self) -> str:
        """Return what `snapshot` returns as compact text, for `restore`."""
        from fsm.engine.snapshot import token

        return token(self.snapshot())

    @classmethod
    def restore(
        cls, model: ModelLike, data: object, *, migrate: Migrate | None = None, machine: Machine | None = None
    ) -> TurnController:
        """Return a controller in the state that a snapshot describes. Its trace begins there.

        Parameters
        ----------
        model
            The model with which the snapshot was taken, or what names it.
        data
            What `snapshot` returned, perhaps after a way through JSON, or what `token` returned.
        migrate
            A function for snapshots of another model. It gets a copy of the snapshot and returns it as this model would
            have written it, for instance with renamed states.
        machine
            A machine to go on with, as in the constructor. No callback is called for what was before.

        Returns
        -------
        TurnController
            The controller. It makes the request that the snapshot was taken at.

        Raises
        ------
        SnapshotError
            If the snapshot is damaged, describes no game, or was taken with another model and `migrate` is not given.
            The message says what changed in the model.
        """
        from fsm.engine.snapshot import load

        run, head = load(as_model(model), data, migrate)
        controller: TurnController = cls.__new__(cls)
        controller._begin(run, head, run.copy(), machine)
        if controller._interpreter is not None:
            controller._interpreter.show(run)
        controller.request = controller._ask(run)
        return controller

    # taking an answer ------------------------------------------------------------------------------

    def _safely(self, take: Callable[..., None], *answer: object) -> None:
        """Take an answer; if anything goes wrong on the way, nothing has changed."""
        saved, request, point, begun = self._run.save(), self.request, self._point, self._begun
        try:
            take(*answer)
        except BaseException:
            self._run.restore(saved)
            self.request, self._point, self._begun = request, point, begun
            if self._interpreter is not None:
                self._interpreter.show(self._run)
            raise

    def _go_on(self, reply: Reply, function: GeneratedFunction) -> None:
        """Process a plain answer: its facts, and the generated function of its word."""
        run = self._run
        run.expired = run.triggered = ()  # as take_facts does, which costs a call
        run.told = reply.answer.facts
        if reply.latches:
            run.latched |= reply.latches
        following = function(run)
        if following is not None:
            _finish(run, following)
        run.told = _NOTHING
        self.request = self._ask(run)

    def _follow(self, answer: Answer, code: int) -> None:
        """Take any answer, firing by firing; who watches is told before it counts."""
        run, fired, count = self._run, list["Record"](), len(self._log.codes)
        (self._interpreter or Interpreter(self.model)).answered(run, answer, fired.append)
        if answer.signal is not None or answer.orders:
            self._begun = -1  # who decides may have left
        self.request = self._ask(run)
        run.told = _NOTHING
        self._log.add(answer, code)
        try:
            for watcher in self._watchers:
                for record in fired:
                    watcher(record)
        except BaseException:
            self._log.cut(count)
            self._recorder = self._results = None  # a watcher may have asked for the trace
            raise

    def _ask(self, run: Run) -> Request | Over:
        agenda = run.agenda
        points = self._points
        point = self._point = points.found.get((run.state, run.frame)) or points.at(run.state, run.frame)
        if self._begun == agenda.occurrences and self.request.at.stage == run.state:
            at = self.request.at
        else:
            at, self._begun = position_of(run), agenda.occurrences
        busy = bool(agenda.extras or agenda.returns_phase or agenda.returns_step)
        busy = busy or bool(agenda.skips and point.state.role == "end")
        return request_of(run, point.state, point.facts[busy], at)


def _busy() -> AnswerError:
    return AnswerError(
        "the controller is taking in an answer already: watchers and callbacks cannot give another, and "
        "threads must take turns"
    )


def _stale(to: int, number: int) -> StaleAnswerError:
    return StaleAnswerError(f"the answer is to request {to}, and request {number} waits: answer that one")


def _finish(run: Run, function: GeneratedFunction) -> None:
    """Call the functions that follow, until something is asked."""
    following: GeneratedFunction | None = function
    for _ in range(SILENT_LIMIT):
        if following is None:
            return
        following = following(run)
    raise endless()
