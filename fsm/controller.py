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
from fsm.errors import Stuck
from fsm.machine import Machine, Refusal, machine_of, stuck
from fsm.model import Model, State, Transition
from fsm.orders import Order
from fsm.recording import record_of
from fsm.requests import Answer, Position, Request, Signal
from fsm.run import Run
from fsm.scheduling import apply
from fsm.seating import settings_of, sides_of
from fsm.trace import Head, Record, Trace

SILENT_LIMIT = 10_000
"""How many firings may follow one another without a request, before the run counts as stuck."""


class TurnController:
    """Runs the turns of one game by its Model.

    `players` are their names in seat order, the first takes turn 1. `teams` are groups of them that
    share turns. `settings` switch the model's settings, by name; `orders` are in force before turn 1.
    Raises FsmError when they do not fit.
    """

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
        self.trace = Trace(
            Head(model.name, model.fingerprint, tuple(players), tuple(map(tuple, teams)), chosen, tuple(orders))
        )
        self._watchers: list[Callable[[Record], None]] = []
        self._run = Run(model, Agenda(sides), settings=chosen, state=model.initial)
        for order in orders:
            apply(order, self._run)
        self._turn, self._window = _machines(model)
        self._pending: list[Record] = []
        self.request: Request = self._advance()
        self._commit(None)

    # what a host uses ----------------------------------------------------------------------------

    def answer(self, answer: Answer) -> Request:
        """Take the answer to `request`; returns the next request.

        Raises AnswerError, OrderError or Stuck, or what a watcher raises; then nothing has changed and it
        can be answered again.
        """
        before, request, recorded = self._run.copy(), self.request, len(self.trace.entries)
        self._pending = []
        try:
            self._take(answer)
            if answer.signal is not None:
                self._signal(answer.signal)
            self.request = self._advance()
            self._run.told = {}
            self._commit(answer)
        except BaseException:
            self._run, self.request = before, request
            del self.trace.entries[recorded:]
            raise
        return self.request

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
        refusal = (self._turn if event in heard else self._machine()).explain(self._run, event)
        if event == "player_left" and self.model.rows(self._run.state, event):
            return None
        if refusal is None or not self._run.frame:
            return refusal
        heard = tuple(name for name in heard if self.model.rows(self._run.state, name))
        return replace(refusal, possible=tuple(dict.fromkeys((*refusal.possible, *heard))))

    def watch(self, watcher: Callable[[Record], None]) -> None:
        """Call `watcher` with every record, once the answer that caused it is taken in."""
        self._watchers.append(watcher)

    def snapshot(self) -> dict[str, object]:
        """Everything about this game's turn as plain JSON values; `restore` takes it."""
        from fsm.snapshot import dump

        return dump(self.model, self._run, self.trace.head)

    @classmethod
    def restore(cls, model: Model, data: object) -> TurnController:
        """The controller a snapshot was taken of. Raises SnapshotError when it does not fit."""
        from fsm.snapshot import load

        run, head = load(model, data)
        controller = cls.__new__(cls)
        controller.model, controller._run, controller._watchers = model, run, []
        controller.trace = Trace(head, complete=False)
        controller._turn, controller._window = _machines(model)
        controller._pending = []
        controller.request = controller._advance()
        return controller

    # taking an answer ------------------------------------------------------------------------------

    def _take(self, answer: Answer) -> None:
        run, known = self._run, game_facts(self.model)
        check_answer(run, self._waiting(), answer)
        run.expired = run.triggered = ()
        run.told = dict(answer.facts)
        run.latched |= {name for name, value in answer.facts.items() if value and known[name].timing == "latched"}
        for order in answer.orders:
            apply(order, run)
        self._fire(self._machine(), answer.word)

    def _signal(self, signal: Signal) -> None:
        run, window = self._run, self.model.window
        if signal.event == "player_left":
            run.agenda.left = (*run.agenda.left, signal.player)
        if not self.model.rows(run.state, signal.event):
            return
        if self._fire(self._turn, signal.event).target is not None:
            run.frame = ""
        elif window is not None and run.frame and self._window and window.rows(run.frame, signal.event):
            self._fire(self._window, signal.event)

    # going on until something is asked --------------------------------------------------------------

    def _advance(self) -> Request:
        for _ in range(SILENT_LIMIT):
            state = self._waiting()
            if state.kind == "final" and not self._run.frame:
                return request_of(self._run, state)
            if state.kind == "final":
                self._run.frame = ""
                self._fire(self._turn, "closed")
            elif state.kind == "window":
                self._open(state)
            elif state.kind == "action":
                return request_of(self._run, state)
            else:
                self._fire(self._machine(), "done")
        raise Stuck(f"{SILENT_LIMIT} transitions fired and nothing was asked; every phase and turn seems to be skipped")

    def _waiting(self) -> State:
        window = self.model.window
        if self._run.frame and window is not None:
            return window.state(self._run.frame)
        return self.model.state(self._run.state)

    def _machine(self) -> Machine:
        return self._window if self._run.frame and self._window is not None else self._turn

    def _open(self, state: State) -> None:
        if self.model.window is None:
            raise Stuck(f"nothing can fire here: {state.id!r} is a window, and {self.model.name} has no window model")
        self._run.frame = self.model.window.initial

    def _fire(self, machine: Machine, event: str) -> Transition:
        run = self._run
        source: str = getattr(run, machine.model_attribute)
        firing = machine.fire(run, event)
        if firing is None or firing.transition is None:
            raise stuck(machine, run, event)
        ends, which = (source, getattr(run, machine.model_attribute)), "turn" if machine is self._turn else "window"
        self._pending.append(record_of(run, which, ends, event, firing.transition, firing.guards))
        return firing.transition

    def _commit(self, answer: Answer | None) -> None:
        if answer is not None:
            self.trace.entries.append(answer)
        fired, self._pending = self._pending, []
        self.trace.entries.extend(fired)
        for watcher in self._watchers:
            for record in fired:
                watcher(record)


def _machines(model: Model) -> tuple[Machine, Machine | None]:
    window = machine_of(model.window, "frame") if model.window is not None else None
    return machine_of(model, "state"), window
