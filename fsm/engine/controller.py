"""The TurnController runs the turns of one game. It does no I/O, and it never waits.

It says what it needs next (`request`) and takes the answer (`answer`). Between two requests it
fires every transition that needs no answer. It knows the kinds of states, never their names.

A controller may be used by several threads, one at a time. If a thread or a watcher answers while
another answer is being processed, it gets an AnswerError. Different games share nothing that an
answer changes.

A quiet game stands at a node of `fsm.engine.positions`, a memo of positions: an answer that was
given there before leads along an edge to the next node. Then the game has no `Run`; one is made
when somebody asks for it. Any other answer is processed by the generated code, and any other game
has a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from fsm.engine.answer_log import NO_ANSWERS, AnswerLog
from fsm.engine.answers import checked
from fsm.engine.positions import Edge, Node, Progress, difference, positions_of, progress, total
from fsm.engine.requesting import SILENT_LIMIT, endless, position_of, request_of
from fsm.engine.requests import Answer, Over, Position, Request
from fsm.engine.wait_points import ODD, Reply, WaitPoint, WaitPoints, wait_points_of
from fsm.engine.watching import Answered, Watching
from fsm.errors import AnswerError, StaleAnswerError
from fsm.model import Model, State
from fsm.model.likeness import ModelLike, as_model
from fsm.model.shown import Shown
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.setup import GameHeader, StartAt, checked_seats, run_of, settings_of
from fsm.state.sides import sides_among

if TYPE_CHECKING:
    from fsm.engine.answered import Firings
    from fsm.engine.generated import GeneratedFunction
    from fsm.engine.interpreter import Interpreter
    from fsm.engine.machine import Machine
    from fsm.engine.options import Option
    from fsm.engine.order_results import OrderResults, Result
    from fsm.engine.recorder import Recorder
    from fsm.engine.refusals import Refusal
    from fsm.engine.snapshot import Migrate
    from fsm.engine.trace import Record, Trace

    AnswerWatcher = Callable[[Answered], object]

_NOTHING: Mapping[str, bool] = MappingProxyType({})
LOGGED = 128
"""So many plain answers are kept as one value, before they become a part of the log."""


class _Beside:
    """What few games have: watchers, a machine, a recorder, or a run from which they were restored."""

    __slots__ = ("_restored", "interpreter", "recorder", "results", "stood", "watchers")

    def __init__(
        self,
        restored: Run | None = None,
        stood: tuple[Node, tuple[str, ...], Progress] | None = None,
    ) -> None:
        self._restored, self.stood = restored, stood
        self.interpreter: Interpreter | None = None  # only with a machine
        self.recorder: Recorder | None = None
        self.results: OrderResults | None = None
        self.watchers: tuple[AnswerWatcher, ...] = ()

    @property
    def restored(self) -> Run | None:
        """The run from which the game was restored. That of a game which stood at a node is made
        when it is needed.
        """
        if self._restored is None and self.stood is not None:
            node, players, progress = self.stood
            self._restored = node.made_run(players, progress)
        return self._restored

    @property
    def origin(self) -> object:
        """What the game was restored from, or None."""
        return self._restored if self.stood is None else self.stood

    def like(self) -> _Beside:
        """What a fork of the game has."""
        return (
            _Beside(self._restored, self.stood)
            if self._restored is not None or self.stood is not None
            else _ALONE
        )


_ALONE = _Beside()
"""That of all other games. It never changes."""


_STARTED = "games that have just started, by their number of players: others start like them"


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
        callbacks. Without it, the game is several times as fast.

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

    remembered: ClassVar[int] = 10_000
    """How many positions are remembered for each Model, at most. When there are more, all are
    forgotten. A position takes about three kilobytes. With 0, none is remembered, and an answer
    takes several times as long."""

    __slots__ = (
        *(
            "_beside",
            "_busy",
            "_codes",
            "_head",
            "_log",
            "_node",
            "_players",
            "_points",
            "_progress",
            "_saved_run",
        ),
        "request",
    )
    _head: GameHeader
    _players: tuple[str, ...]
    _log: AnswerLog
    _codes: bytes
    _node: Node | None
    _progress: Progress
    _saved_run: Run | None
    _points: WaitPoints
    request: Request | Over

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
        if not isinstance(model, Model):
            model = as_model(model)
        seats = checked_seats(players, teams)
        plain = not (teams or settings or orders or start or machine)
        started: dict[int, TurnController] = model.kept(_STARTED, dict)
        if plain and len(seats) in started:
            self._start_like(started[len(seats)], seats)
            return
        chosen = settings_of(model, sides_among(seats, teams), settings or {})
        given = (orders,) if isinstance(orders, Order) else tuple(orders)
        head = GameHeader(
            model.name, model.fingerprint, seats, tuple(map(tuple, teams)), chosen, given
        )
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
        run = self._run
        function = self._points.code.start(run)
        if function is not None:
            _finish(run, function)
        self.request = self._ask(run)
        self._settle(run)

    def _start_at(
        self, model: Model, head: GameHeader, start: StartAt, machine: Machine | None
    ) -> None:
        """Start in the middle."""
        from fsm.engine.starting import checked_start, first_run  # few games do

        head = replace(head, start=checked_start(model, start, head.players))
        self._begin(first_run(model, head), head, machine=machine)
        self._start_slowly()

    def _start_slowly(self) -> None:
        """Go on to the first request, firing by firing."""
        run = self._run
        self._interpreter().onward(run, lambda record: None)
        self.request, run.told = self._ask(run), _NOTHING
        self._settle(run)

    def _start_like(self, first: TurnController, seats: tuple[str, ...]) -> None:
        """Stand where that game stood at its start: another one of as many players differs in their
        names alone.
        """
        node = first._node
        if node is not None:
            self._node, self._progress, self._saved_run = node, first._progress, None
            self._head, self._points, self._players, self._busy = (
                first._head,
                first._points,
                seats,
                False,
            )
            self._log, self._codes, self._beside = NO_ANSWERS, b"", _ALONE
            self.request = node.arrive(seats, first._progress.turn)
            return
        self._begin_like(first)
        self._players, run = seats, self._run
        run.seat(seats)
        self.request = request_of(run, self._point.state, first.request.facts, position_of(run))

    def _begin(
        self,
        run: Run,
        head: GameHeader,
        restored: Run | None = None,
        machine: Machine | None = None,
    ) -> None:
        self._run, self._players, self._head, self._points = (
            run,
            head.players,
            head,
            wait_points_of(run.model),
        )
        self._log, self._codes, self._busy = NO_ANSWERS, b"", False
        self._beside = _Beside(restored) if restored is not None or machine is not None else _ALONE
        if machine is not None:
            from fsm.engine.onmachine import MachineInterpreter  # few games run on a machine

            self._beside.interpreter = MachineInterpreter(run.model, machine)

    def _begin_like(self, other: TurnController) -> None:
        """Stand where that other does, with its answers: what never changes is shared."""
        self._head, self._points, self._players, self._busy = (
            other._head,
            other._points,
            other._players,
            False,
        )
        self._beside = other._beside.like()  # before the log: see `origin`
        self._log, self._codes, self.request = other._log, other._codes, other.request
        if other._node is None:
            self._run = other._run.copy()
        else:
            self._node, self._progress, self._saved_run = other._node, other._progress, None

    def _interpreter(self) -> Interpreter:
        """Return what fires transitions one at a time."""
        from fsm.engine.interpreter import Interpreter  # many games are played without one

        return self._beside.interpreter or Interpreter(self.model)

    # where it stands -----------------------------------------------------------------------------

    @property
    def _run(self) -> Run:
        """The run. That of a game at a node is made when it is first asked for."""
        run = self._saved_run
        if run is None:
            assert self._node is not None
            run = self._saved_run = self._node.made_run(self._players, self._progress)
        return run

    @_run.setter
    def _run(self, run: Run) -> None:
        self._node, self._saved_run = None, run

    @property
    def _point(self) -> WaitPoint:
        """The wait point."""
        if self._node is not None:
            return self._node.point
        run = self._run
        return self._points.at(run.state, run.frame)

    def _settle(self, run: Run) -> Node | None:
        """Stand at the node of a run, if it has one."""
        if self._beside.interpreter is not None:
            return None
        node = positions_of(run.model).node(run, self.request, self._point, self.remembered)
        if node is not None:
            self._progress, self._node, self._saved_run = progress(run), node, None
        return node

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
                raise _stale(to, self.number)
            node = self._node
            if node is not None:
                edge = node.edges.get(id(answer)) or node.edge(answer)
                if edge is not None:
                    following, players, along, codes = (
                        edge.node,
                        self._players,
                        self._progress,
                        self._codes,
                    )
                    watchers = self._beside.watchers
                    if watchers:
                        answered = Answered()
                        answered.request, answered.firings = (
                            self.request,
                            edge.firings or node.firings(edge),
                        )
                        answered.players, answered.progress = players, along
                        log, logged = self._log, codes
                        asked, come = self.request, along
                    if edge.later is not None:
                        along = total(along, edge.later)
                    if edge.stays:
                        request = following.stay(players, self.request.at)
                    else:
                        request = following.arrive(players, along.turn)
                    if len(codes) == LOGGED:
                        full, codes = codes, b""
                        self._codes, self._log = (
                            b"",
                            self._log.plus(full),
                        )  # in this order: see `answers_given`
                    self._progress, self._node, self._saved_run = along, following, None
                    self._codes = codes + edge.code
                    self.request = request
                    if watchers:
                        try:
                            for watcher in watchers:
                                watcher(answered)
                        except BaseException:
                            self._forget()
                            self._node, self._saved_run, self._codes = node, None, b""
                            self._log, self._codes = log, logged
                            self._progress, self.request = come, asked
                            raise
                    return request
            return self._process(answer)
        finally:
            self._busy = False

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

    @property
    def over(self) -> Over | None:
        """The end of the game, or None while it goes on."""
        return self.request if isinstance(self.request, Over) else None

    @property
    def number(self) -> int:
        """The number of `request`: how many answers were given before it, since the game began or
        was restored.
        """
        return self._log.count + len(self._codes)

    @property
    def model(self) -> Model:
        """The Model whose turns it runs."""
        return self._points.model

    @property
    def trace(self) -> Trace:
        """The record of the run so far: the answers, and every firing that they led to."""
        beside = self._own_beside()
        if beside.recorder is None:
            from fsm.engine.recorder import Recorder  # few games are recorded

            beside.recorder = Recorder(self.model, self.head, beside.restored)
        return beside.recorder.upto(self._logged())

    @property
    def results(self) -> tuple[Result, ...]:
        """What became of orders by the last answer: first those that it gave, then earlier ones
        that waited until then.

        Before the first answer, they are the orders in force before turn 1. It is worked out when
        it is asked for. A restored game knows nothing of the orders that were given before its
        snapshot.
        """
        beside = self._own_beside()
        if beside.results is None:
            from fsm.engine.order_results import OrderResults  # few games ask for it

            beside.results = OrderResults(self.model, self.head, beside.restored)
        return beside.results.upto(self._logged())

    def _own_beside(self) -> _Beside:
        if self._beside is _ALONE:
            self._beside = _Beside()
        return self._beside

    def _logged(self) -> AnswerLog:
        """Return the log of all answers."""
        if self._codes:
            self._codes, self._log = (
                b"",
                self._log.plus(self._codes),
            )  # in this order: see `answers_given`
        return self._log

    def answers_given(self) -> AnswerLog:
        """Return the answers so far, as a value that never changes. Instruments use it.

        Any thread may ask at any time, also while an answer is being processed. It may then lack
        the last answers.

        Returns
        -------
        AnswerLog
            The answers, most of them as numbers.
        """
        while True:  # `_codes` is emptied before it becomes a part of `_log`: with the same log, both fit together
            log, codes = self._log, self._codes
            if self._log is log and self._codes is codes:
                return log.plus(codes) if codes else log

    @property
    def origin(self) -> tuple[object, object]:
        """What the game began with: it is other objects after `become` took over another game.
        Instruments use it.
        """
        return self._head, self._beside.origin

    def beginning(self) -> TurnController:
        """Return a controller of the same game as it began, or as it was restored. Instruments use
        it.

        Returns
        -------
        TurnController
            The controller. Watchers and the machine stay with this one.
        """
        restored, head = self._beside.restored, self.head
        if restored is not None:
            return self._at(restored.copy(), head, None)
        more = {
            "teams": head.teams,
            "settings": head.settings,
            "orders": head.orders,
            "start": head.start,
        }
        return TurnController(self.model, head.players, **more)  # type: ignore[arg-type]

    def numbered(self, code: int) -> Answer:
        """Return the answer that has this number where the game waits. Instruments use it.

        Parameters
        ----------
        code
            A number of `answers_given`.

        Returns
        -------
        Answer
            The answer. It is not given.
        """
        return self._point.numbered[code].answer

    @property
    def head(self) -> GameHeader:
        """How the game was set up: its model, players, teams, settings and first orders."""
        head, players = (
            self._head,
            self._players,
        )  # games that start alike share one but for the players
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
        node = self._node
        return (self._run if node is None else node.run).latched

    def possible(self) -> tuple[Option, ...]:
        """Return what can be answered and ordered now, and what cannot with the reason. Everything
        is tried on forks.

        Returns
        -------
        tuple of Option
            First the answers to `request`, then the events that an answer can raise: an effect ends
            the phase, a player leaves.
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
            The reasons, as data, or None if it is possible. An event that would change nothing has
            a Refusal too.

        Raises
        ------
        AnswerError
            If the model has no such event.
        """
        from fsm.engine.options import why_not

        return why_not(self, asked)

    def watch(self, watcher: Callable[[Record], object]) -> Watching:
        """Call a function with every record, after the answer that caused it has been processed.

        Watchers are called in the order in which they were added. Each gets all records of the
        answer. If a watcher raises, the answer is undone, and `answer` raises the same error.

        Parameters
        ----------
        watcher
            The function to call.

        Returns
        -------
        Watching
            Call it to end the watching, or use it in a `with` statement.
        """
        from fsm.engine.records import tell  # few games are watched

        def each(answered: Answered) -> None:
            firings = answered.firings
            if answered.progress is not None:
                tell(firings.shared, answered, watcher)
            else:
                for record in firings.records:
                    watcher(record)

        return self.watch_answers(each)

    def watch_answers(self, watcher: Callable[[Answered], object]) -> Watching:
        """Call a function once for each answer that has been processed, also for one after which
        nothing fires.

        It costs little: the records are made only if the function reads them. Otherwise it is as
        with `watch`.

        Parameters
        ----------
        watcher
            The function to call. It gets the request, the answer and the records.

        Returns
        -------
        Watching
            Call it to end the watching, or use it in a `with` statement.
        """
        beside = self._own_beside()
        beside.watchers = (*beside.watchers, watcher)
        return Watching(partial(self._unwatch, watcher))

    def _unwatch(self, watcher: AnswerWatcher) -> None:
        self._beside.watchers = tuple(w for w in self._beside.watchers if w is not watcher)

    def firings(self, answer: Answer) -> Firings | None:
        """Return what fires after an answer that was given before where the game stands.
        Instruments use it.

        Parameters
        ----------
        answer
            The answer. It is not given.

        Returns
        -------
        Firings or None
            What fires, as all games share it, or None if it is not known.
        """
        node = self._node
        if node is None:
            return None
        edge = node.edges.get(id(answer)) or node.edge(answer)
        return None if edge is None else edge.firings or node.firings(edge)

    def fork(self) -> TurnController:
        """Return an independent controller of the same game, at the same request.

        The trace of the fork begins with the trace of this controller. Watchers and the machine
        stay with this controller, so a fork calls nothing.
        """
        fork: TurnController = self.__class__.__new__(self.__class__)
        fork._begin_like(self)
        return fork

    def __copy__(self) -> TurnController:
        """A fork: two controllers never share what changes."""
        return self.fork()

    def __deepcopy__(self, memo: object) -> TurnController:
        """A fork; the Model, which never changes, is shared."""
        return self.fork()

    def __reduce__(self) -> tuple[Callable[..., TurnController], tuple[object, ...]]:
        """Pickle its Model and its token. Watchers and the machine stay behind, as those of a fork
        do.
        """
        return self.__class__.restore, (self.model, self.token())

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
            raise AnswerError(
                f"a game of {self.model.name} cannot become one of {other.model.name}"
            )
        old = self._beside
        self._codes, self._log = (
            b"",
            NO_ANSWERS,
        )  # another thread finds no answers that do not follow its beginning
        self._begin_like(other)
        if old.watchers or old.interpreter is not None:
            beside = self._own_beside()
            beside.watchers, beside.interpreter = old.watchers, old.interpreter
        if old.interpreter is not None:
            self._run = self._run  # a game on a machine has no node
            old.interpreter.show(self._run)
        return self.request

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, to be answered in the body of the loop, until the game
        is over.

        Raises
        ------
        AnswerError
            If the body of the loop has not answered the last request.
        """
        while not isinstance(self.request, Over):
            number = self.number
            yield self.request
            if self.number == number:
                raise AnswerError("the loop went on without an answer: give one to each request")

    def snapshot(self) -> dict[str, object]:
        """Return the state of the turn as plain JSON values, for `restore`. It names no code."""
        from fsm.engine.snapshot import dump

        return dump(self.model, self._run, self.head)

    def token(self) -> str:
        """Return the snapshot as compact text, for `restore`, of letters, digits, "-" and "_"."""
        from fsm.engine.snapshot import packed  # few games travel

        return packed(self.snapshot())

    @classmethod
    def restore(
        cls,
        model: ModelLike,
        data: object,
        *,
        migrate: Migrate | None = None,
        machine: Machine | None = None,
    ) -> TurnController:
        """Return a controller in the state that a snapshot describes. Its trace begins there.

        Parameters
        ----------
        model
            The model with which the snapshot was taken, or what names it.
        data
            What `snapshot` returned, perhaps after a way through JSON, or what `token` returned.
        migrate
            A function for snapshots of another model. It gets a copy of the snapshot and returns it
            as this model would have written it, for instance with renamed states.
        machine
            A machine to go on with, as in the constructor. No callback is called for what was
            before.

        Returns
        -------
        TurnController
            The controller. It makes the request that the snapshot was taken at.

        Raises
        ------
        SnapshotError
            If the snapshot is damaged, describes no game, or was taken with another model and
            `migrate` is not given. The message says what changed in the model.
        """
        model = as_model(model)
        from fsm.engine.snapshot import load, unpacked

        snapshot = unpacked(data) if isinstance(data, str) else data
        return cls._at(*load(model, snapshot, migrate), machine)

    @classmethod
    def _at(cls, run: Run, head: GameHeader, machine: Machine | None) -> TurnController:
        """Return a controller of a run that has been read."""
        controller: TurnController = cls.__new__(cls)
        controller._begin(run, head, run.copy(), machine)
        if controller._beside.interpreter is not None:
            controller._beside.interpreter.show(run)
        controller.request = controller._ask(run)
        controller._settle(run)
        return controller

    # taking an answer -----------------------------------------------------------------------------

    def _process(self, answer: Answer) -> Request | Over:
        """Process any answer, and remember where it has led."""
        node, point, run, old_at = self._node, self._point, self._run, self.request.at
        before = self._progress if node is not None else None
        self._run = run  # from here on it changes
        reply, beside = point.reply(answer), self._beside
        if reply is None:
            self._safely(self._follow, checked(run, point.state, answer), ODD)
        elif beside.watchers or beside.interpreter is not None:
            self._safely(self._follow, reply.answer, reply.code)
        else:
            if not run.agenda.idle:
                self._safely(self._go_on, reply, reply.function)
            elif reply.sure:
                self._go_on(reply, reply.idle)
            else:
                self._safely(self._go_on, reply, reply.idle)
            self._add(reply.answer, reply.code)
        after = self._settle(run)
        if (
            node is not None
            and after is not None
            and before is not None
            and reply is not None
            and reply.code != ODD
        ):
            later = difference(self._progress, before)
            node.learn(reply.answer, Edge(after, reply.code, later, self.request.at == old_at))
        return self.request

    def _add(self, answer: Answer, code: int) -> None:
        """Add an answer to the log."""
        if code == ODD:
            self._codes, self._log = b"", self._log.plus(self._codes, answer)
        else:
            self._add_code(bytes((code,)))

    def _add_code(self, code: bytes) -> None:
        if len(self._codes) == LOGGED:
            self._logged()
        self._codes += code

    def _safely(self, take: Callable[..., None], *answer: object) -> None:
        """Take an answer; if anything goes wrong on the way, nothing has changed."""
        run, request = self._run, self.request
        saved = run.save()
        try:
            take(*answer)
        except BaseException:
            run.restore(saved)
            self.request = request
            if self._beside.interpreter is not None:
                self._beside.interpreter.show(run)
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
        from fsm.engine.answered import Firings  # few answers are followed

        run, fired, answered = self._run, list["Record"](), Answered()
        answered.request = self.request
        self._interpreter().answered(run, answer, fired.append)
        self.request = self._ask(run)
        log, codes = self._log, self._codes
        self._add(answer, code)
        answered.firings, answered.players, answered.progress = (
            Firings(answer, fired),
            self._players,
            None,
        )
        try:
            for watcher in self._beside.watchers:
                watcher(answered)
        except BaseException:
            self._forget()
            self._codes = b""
            self._log, self._codes = log, codes
            raise

    def _forget(self) -> None:
        """Forget what was worked out from answers, of which the last is undone: a watcher may have
        asked for it.
        """
        self._beside.recorder = self._beside.results = None

    def _ask(self, run: Run) -> Request | Over:
        agenda, point = run.agenda, self._points.at(run.state, run.frame)
        busy = bool(agenda.extras or agenda.returns_phase or agenda.returns_step)
        busy = busy or bool(agenda.skips and point.state.role == "end")
        return request_of(run, point.state, point.facts[busy], position_of(run))


def _busy() -> AnswerError:
    return AnswerError(
        "the controller is taking in an answer already: watchers and callbacks cannot give another, and "
        "threads must take turns"
    )


def _stale(to: int, number: int) -> StaleAnswerError:
    return StaleAnswerError(
        f"the answer is to request {to}, and request {number} waits: answer that one"
    )


def _finish(run: Run, function: GeneratedFunction) -> None:
    """Call the functions that follow, until something is asked."""
    following: GeneratedFunction | None = function
    for _ in range(SILENT_LIMIT):
        if following is None:
            return
        following = following(run)
    raise endless()
