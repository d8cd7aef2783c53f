"""The TurnController: a game's turn, step by step. No I/O, and it never waits.

It says what it needs next (`request`) and takes the answer (`answer`). Between two requests it fires
whatever needs no answer. It knows the kinds of states, never their names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from fsm.agenda import Agenda
from fsm.answers import check_answer, game_facts, signals
from fsm.asking import request_of
from fsm.calendar import Calendar
from fsm.chains import Chain
from fsm.machine import Refusal
from fsm.model import Model
from fsm.orders import Order
from fsm.places import Place, places_of
from fsm.recording import position_of
from fsm.requests import Answer, Position, Request
from fsm.run import Run
from fsm.scheduling import apply
from fsm.seating import settings_of, sides_of
from fsm.stepwise import SILENT_LIMIT, endless, stepwise_of
from fsm.trace import Head, Record, Trace


class TurnController:
    """Runs the turns of one game by its Model.

    `players` are their names in seat order, the first takes turn 1. `teams` are groups of them that
    share turns. `settings` switch the model's settings, by name; `orders` are in force before turn 1.
    Raises FsmError when they do not fit.
    """

    __slots__ = ("_answers", "_begun", "_head", "_place", "_places", "_recorder", "_run", "_watchers", "model", "request")

    def __init__(
        self,
        model: Model,
        players: Sequence[str],
        *,
        teams: Sequence[Sequence[str]] = (),
        settings: Mapping[str, bool] | None = None,
        orders: Sequence[Order] = (),
    ) -> None:
        sides = sides_of(players, teams)
        chosen = settings_of(model, sides, settings or {})
        self.model = model
        self._head = Head(
            model.name, model.fingerprint, tuple(players), tuple(map(tuple, teams)), chosen, tuple(orders)
        )
        self._run = _fresh(model, self._head)
        self._begin(None)
        self._go(self._places.chains.start)
        self.request: Request = self._ask()

    def _begin(self, recorder: _Recorder | None) -> None:
        self._places = places_of(self.model)
        self._place: Place = self._places.at(self._run.state, self._run.frame)
        self._recorder, self._answers, self._begun = recorder, list[Answer](), -1
        self._watchers: tuple[Callable[[Record], None], ...] = ()

    # what a host uses ----------------------------------------------------------------------------

    def answer(self, answer: Answer) -> Request:
        """Take the answer to `request`; returns the next request.

        Raises AnswerError, OrderError or Stuck, or what a watcher raises; then nothing has changed and it
        can be answered again.
        """
        run, place = self._run, self._place
        check_answer(run, place.state, answer)
        saved, request, begun = run.save(), self.request, self._begun
        try:
            _take(run, answer)
            fired = self._follow(answer, place)
            self.request = self._ask()
            run.told = {}
            for watcher in self._watchers:
                for record in fired:
                    watcher(record)
        except BaseException:
            run.restore(saved)
            self.request, self._place, self._begun = request, place, begun
            raise
        self._answers.append(answer)
        return self.request

    @property
    def trace(self) -> Trace:
        """The record of the run so far: the answers, and every firing that they led to."""
        if self._recorder is None:
            self._recorder = _Recorder(self._head, _fresh(self.model, self._head))
        return self._recorder.upto(self._answers)

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
        controller._begin(_Recorder(head, run.copy(), complete=False))
        controller.request = controller._ask()
        return controller

    # taking an answer ------------------------------------------------------------------------------

    def _follow(self, answer: Answer, place: Place) -> list[Record]:
        """All that the answer makes fire; noted only if somebody watches."""
        if self._watchers or answer.signal is not None:
            fired: list[Record] = []
            stepwise_of(self.model).answered(self._run, answer, fired.append)
            return fired
        chains = place.idle if self._run.agenda.idle else place.chains
        self._go(chains[answer.word])
        return []

    def _go(self, chain: Chain) -> None:
        run = self._run
        following = chain(run)
        for _ in range(SILENT_LIMIT):
            if following is None:
                return
            following = following(run)
        raise endless()

    def _ask(self) -> Request:
        run, agenda = self._run, self._run.agenda
        place = self._place = self._places.at(run.state, run.frame)
        if self._begun == agenda.occurrences and self.request.at.stage == run.state:
            at = self.request.at
        else:
            at, self._begun = position_of(run), agenda.occurrences
        detours = bool(agenda.extras or agenda.returns_phase or agenda.returns_step)
        return request_of(run, place.state, place.facts[detours], at)


def _fresh(model: Model, head: Head) -> Run:
    """The run of a game that is about to start."""
    run = Run(model, Agenda(sides_of(head.players, head.teams)), settings=head.settings, state=model.initial)
    for order in head.orders:
        apply(order, run)
    return run


def _take(run: Run, answer: Answer) -> None:
    """Take in the facts and orders of an answer, before anything fires. Raises OrderError."""
    run.expired = run.triggered = ()
    run.told = answer.facts
    if answer.facts:
        known = game_facts(run.model)
        held = {name for name, value in answer.facts.items() if value and known[name].timing == "latched"}
        if held:
            run.latched |= held
    for order in answer.orders:
        apply(order, run)


class _Recorder:
    """Makes a trace of answers, when it is asked for, by following them once more from where the game began."""

    def __init__(self, head: Head, start: Run, *, complete: bool = True) -> None:
        self.run, self.taken = start, 0
        self.trace = Trace(head, complete=complete)
        self.begun = not complete

    def upto(self, answers: Sequence[Answer]) -> Trace:
        """The trace, as far as these answers."""
        entries, stepwise = self.trace.entries, stepwise_of(self.run.model)
        if not self.begun:
            stepwise.onward(self.run, entries.append)
            self.begun = True
        for answer in answers[self.taken :]:
            entries.append(answer)
            _take(self.run, answer)
            stepwise.answered(self.run, answer, entries.append)
        self.taken = len(answers)
        return self.trace
