"""The TurnController: a game's turn, step by step. No I/O, and it never waits.

It says what it needs next (`request`) and takes the answer (`answer`). Between two requests it fires
whatever needs no answer. It knows the kinds of states, never their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from fsm.agenda import Agenda
from fsm.answers import check_answer, signals, take_facts
from fsm.asking import request_of
from fsm.calendar import Calendar
from fsm.chains import Chain
from fsm.given import Given
from fsm.machine import Refusal
from fsm.model import Model
from fsm.orders import Order
from fsm.places import ODD, Place, Reply, places_of
from fsm.recorder import Recorder
from fsm.recording import position_of
from fsm.requests import Answer, Position, Request
from fsm.run import Run
from fsm.seating import run_of, settings_of, sides_of
from fsm.stepwise import SILENT_LIMIT, endless, stepwise_of
from fsm.trace import Head, Record, Trace

MOST_STARTS = 256
"""How many ways to start a game (who plays) are remembered of a model, so that the next one starts at once."""
_NOTHING: Mapping[str, bool] = MappingProxyType({})


class TurnController:
    """Runs the turns of one game by its Model.

    `players` are their names in seat order, the first takes turn 1. `teams` are groups of them that
    share turns. `settings` switch the model's settings, by name; `orders` are in force before turn 1.
    Raises FsmError when they do not fit.
    """

    __slots__ = (
        *("_begun", "_given", "_head", "_place", "_places", "_recorder", "_run", "_watchers"),
        *("model", "request"),
    )
    _place: Place

    def __init__(
        self,
        model: Model,
        players: Sequence[str],
        *,
        teams: Sequence[Sequence[str]] = (),
        settings: Mapping[str, bool] | None = None,
        orders: Sequence[Order] = (),
    ) -> None:
        self.model = model
        start = () if teams or settings or orders or isinstance(players, str) else tuple(players)
        started = model.kept("started", dict[Sequence[str], TurnController]) if start else {}
        if start in started:
            self._begin_like(started[start])
            return
        sides = sides_of(players, teams)
        chosen = settings_of(model, sides, settings or {})
        self._head = Head(
            model.name, model.fingerprint, tuple(players), tuple(map(tuple, teams)), chosen, tuple(orders)
        )
        self._run = run_of(model, self._head)
        self._begin(None)
        chain = self._places.chains.start(self._run)
        if chain is not None:
            _finish(self._run, chain)
        self.request: Request = self._ask(self._run)
        if start and len(started) < MOST_STARTS:
            started[start] = twin = TurnController.__new__(TurnController)
            twin._begin_like(self)

    def _begin(self, recorder: Recorder | None) -> None:
        self._places = places_of(self.model)
        self._recorder, self._given, self._begun = recorder, Given(), -1
        self._watchers: tuple[Callable[[Record], None], ...] = ()

    def _begin_like(self, other: TurnController) -> None:
        """Be at the start of a game as that other is: what never changes is shared."""
        self.model, self._head, self._places = other.model, other._head, other._places
        self._run, self._place, self.request, self._begun = other._run.copy(), other._place, other.request, other._begun
        self._recorder, self._given, self._watchers = None, Given(), ()

    # what a host uses ----------------------------------------------------------------------------

    def answer(self, answer: Answer) -> Request:
        """Take the answer to `request`; returns the next request.

        Raises AnswerError, OrderError or Stuck, or what a watcher raises; then nothing has changed and it
        can be answered again.
        """
        run, place = self._run, self._place
        reply = place.reply(answer)
        if reply is None or self._watchers:
            check_answer(run, place.state, answer)
            self._safely(self._follow, answer)
        elif not run.agenda.idle:
            self._safely(self._go_on, reply, reply.chain)
        elif reply.sure:
            self._go_on(reply, reply.idle)
        else:
            self._safely(self._go_on, reply, reply.idle)
        self._given.add(answer, ODD if reply is None else reply.code)
        return self.request

    @property
    def trace(self) -> Trace:
        """The record of the run so far: the answers, and every firing that they led to."""
        if self._recorder is None:
            self._recorder = Recorder(self._head, run_of(self.model, self._head))
        return self._recorder.upto(self._given)

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

    def why_not(self, event: str) -> Refusal | None:
        """Why this event cannot fire now (or nothing would come of it), as data; None when it can.

        A player can leave at any time while the game goes on.
        """
        heard = signals(self.model)
        stepwise = stepwise_of(self.model)
        refusal = (stepwise.turn if event in heard else stepwise.machine(self._run)).explain(self._run, event)
        if event == "player_left" and self.model.rows(self._run.state, event):
            return None
        if refusal is None or not self._run.frame:
            return refusal
        heard = tuple(name for name in heard if self.model.rows(self._run.state, name))
        return replace(refusal, possible=tuple(dict.fromkeys((*refusal.possible, *heard))))

    def watch(self, watcher: Callable[[Record], None]) -> None:
        """Call `watcher` with every record, once the answer that caused it is taken in."""
        self._watchers = (*self._watchers, watcher)

    def snapshot(self) -> dict[str, object]:
        """Everything about this game's turn as plain JSON values; `restore` takes it."""
        from fsm.snapshot import dump

        return dump(self.model, self._run, self._head)

    @classmethod
    def restore(cls, model: Model, data: object) -> TurnController:
        """The controller a snapshot was taken of. Raises SnapshotError when it does not fit."""
        from fsm.snapshot import load

        run, head = load(model, data)
        controller = cls.__new__(cls)
        controller.model, controller._run, controller._head = model, run, head
        controller._begin(Recorder(head, run.copy(), complete=False))
        controller.request = controller._ask(run)
        return controller

    # taking an answer ------------------------------------------------------------------------------

    def _safely(self, take: Callable[..., None], *answer: object) -> None:
        """Take an answer; if anything goes wrong on the way, nothing has changed."""
        saved, request, place, begun = self._run.save(), self.request, self._place, self._begun
        try:
            take(*answer)
        except BaseException:
            self._run.restore(saved)
            self.request, self._place, self._begun = request, place, begun
            raise

    def _go_on(self, reply: Reply, chain: Chain) -> None:
        """Take a plain answer: its facts, and the chain that its word begins."""
        run = self._run
        take_facts(run, reply.answer.facts, reply.latches)
        following = chain(run)
        if following is not None:
            _finish(run, following)
        run.told = _NOTHING
        self.request = self._ask(run)

    def _follow(self, answer: Answer) -> None:
        """Take any answer, firing by firing; who watches is told before it counts."""
        run, fired = self._run, list[Record]()
        stepwise_of(self.model).answered(run, answer, fired.append)
        self.request = self._ask(run)
        run.told = _NOTHING
        for watcher in self._watchers:
            for record in fired:
                watcher(record)

    def _ask(self, run: Run) -> Request:
        agenda = run.agenda
        place = self._place = self._places.at(run.state, run.frame)
        if self._begun == agenda.occurrences and self.request.at.stage == run.state:
            at = self.request.at
        else:
            at, self._begun = position_of(run), agenda.occurrences
        detours = bool(agenda.extras or agenda.returns_phase or agenda.returns_step)
        return request_of(run, place.state, place.facts[detours], at)


def _finish(run: Run, chain: Chain) -> None:
    """A chain goes on in other functions, until something is asked."""
    following: Chain | None = chain
    for _ in range(SILENT_LIMIT):
        if following is None:
            return
        following = following(run)
    raise endless()
