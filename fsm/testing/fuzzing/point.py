"""One wait point of a game, together with the wait point before it, as the invariants see it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Request
from fsm.state.agenda import Agenda, Occurrence, PendingSkip, Suspended
from fsm.state.orders import Order, SkipPhase, SkipStep
from fsm.state.setup import Head, sides_of
from fsm.testing.fuzzing.known import Known
from fsm.testing.fuzzing.situations import View, views_of
from fsm.testing.fuzzing.turnorder import Expected, TurnOrder

_SCHEDULE = attrgetter("turn", "current_turn", "extras", "skips", "returns_phase", "returns_step", "suspended")


@dataclass(slots=True)
class Before:
    """What stood at the waiting point before this one: taken over in place, for there are very many points.

    `schedule` is all that was scheduled or interrupted then.
    """

    request: Request
    turn: int = 0
    phase: Occurrence | None = None
    step: Occurrence | None = None
    begun: tuple[Occurrence, ...] = ()
    skips: tuple[PendingSkip, ...] = ()
    schedule: tuple[Any, ...] = ()


class Point:
    """Where a game waits. `arrive` at each of them, look, then `leave`.

    `answer` led here. `view`: what is known of such situations. `expected`: whose turn it must be, if one has begun.
    `ended`: for "phase" and "step", has the action that ends it been asked for since anybody could act? `excused`: an
    effect skips the last step of this turn; `signalled`: this turn has been broken off by a signal. `schedule`: all
    that is scheduled or interrupted.
    """

    def __init__(self, controller: TurnController, head: Head) -> None:
        self.controller, self.model, self.views = controller, controller.model, views_of(controller.model)
        self.known: Known = self.views.known
        self.order = TurnOrder(sides_of(head.players, head.teams), self.known.tests)
        self.order.ordered(head.orders)
        self.ended = {"phase": False, "step": False}
        self.excused = self.signalled = False
        self.expected: Expected | None = None
        self.before = Before(controller.request)
        self.arrive(None)

    answer: Answer | None
    request: Request
    agenda: Agenda
    phase: Occurrence | None
    step: Occurrence | None
    view: View
    schedule: tuple[Any, ...]

    def arrive(self, answer: Answer | None) -> None:
        """The controller has taken this answer, and waits again."""
        controller = self.controller
        request, agenda = controller.request, controller.agenda
        phase, step = agenda.current_phase, agenda.current_step
        self.answer, self.request, self.agenda, self.phase, self.step = answer, request, agenda, phase, step
        self.view, self.schedule = self.views.of(request, phase, step), _SCHEDULE(agenda)
        if answer is not None and (answer.orders or answer.signal):
            self._hear(answer)
        if agenda.turn != self.before.turn:
            for _ in range(agenda.turn - self.before.turn):
                self.expected = self.order.begin()

    def _hear(self, answer: Answer) -> None:
        self.order.heard(answer)
        self.signalled = self.signalled or answer.signal is not None
        self.excused = self.excused or any(self._skipped(o) in self.known.last_families for o in answer.orders)

    def left(self, level: str) -> Occurrence | None:
        """The phase or step that was under way at the point before, and is no longer; nor does it wait."""
        old = self.before.phase if level == "phase" else self.before.step
        new = self.phase if level == "phase" else self.step
        if old is None or (new is not None and new.id == old.id) or _waits(self.agenda.suspended, old):
            return None
        return old

    def leave(self) -> None:
        """All has been seen here: note what the next point is to be held against."""
        agenda, before, phase, step = self.agenda, self.before, self.phase, self.step
        if phase is not before.phase or step is not before.step:
            self._note_gone("phase", before.phase, phase)
            self._note_gone("step", before.step, step)
        self._note_end()
        turn, skips = agenda.turn, agenda.skips
        if turn != before.turn:
            self.excused = self.signalled = False
            self._note_skips(skips)
        elif skips is not before.skips:
            self._note_skips(skips)
        before.request, before.turn, before.phase, before.step = self.request, turn, phase, step
        before.begun, before.skips, before.schedule = agenda.begun, skips, self.schedule

    def _note_gone(self, level: str, old: Occurrence | None, new: Occurrence | None) -> None:
        if new is None or old is None or old.id != new.id:
            self.ended[level] = False

    def _note_end(self) -> None:
        view, ended = self.view, self.ended
        if view.acts:
            ended["phase"] = ended["step"] = False
        elif view.phase_ends or view.step_ends:
            action = getattr(self.request, "action", "")
            ended["phase"] = ended["phase"] or action in view.phase_ends
            ended["step"] = ended["step"] or action in view.step_ends

    def _note_skips(self, skips: tuple[PendingSkip, ...]) -> None:
        self.excused = self.excused or any((s.level, s.what) in self.known.last_families for s in skips)

    def _skipped(self, order: Order) -> tuple[str, str] | None:
        """The phase family or the step that this order skips."""
        match order:
            case SkipPhase(phase=phase):
                families = (s.family for s in self.model.of_kind("phase") if phase in (s.name, s.family))
                return "phase", next(families, phase)
            case SkipStep(step=step):
                names = (s.name for s in self.model.of_kind("step") if step in (s.name, s.family))
                return "step", next(names, step)
            case _:
                return None


def _waits(suspended: tuple[Suspended, ...], old: Occurrence) -> bool:
    return any(o is not None and o.id == old.id for s in suspended for o in (s.phase, s.step))
