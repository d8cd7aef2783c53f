"""One wait point of a game, together with the wait point before it, as the invariants see it."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.state.agenda import Agenda
from fsm.state.entries import Occurrence, PendingSkip, Suspended
from fsm.state.orders import Order, SkipPhase, SkipStep
from fsm.state.setup import GameHeader, sides_of
from fsm.testing.fuzzing.modelparameters import ModelParameters
from fsm.testing.fuzzing.situations import SituationResult, situations_of
from fsm.testing.fuzzing.turnorder import ExpectedTurn, TurnOrder

_SCHEDULE = attrgetter(
    "turn", "current_turn", "extras", "skips", "returns_phase", "returns_step", "suspended"
)


@dataclass(slots=True)
class PreviousPoint:
    """What was true at the previous wait point. It is updated in place, because there are very many
    points.

    `schedule` is all that was scheduled or interrupted then.
    """

    request: Request | Over
    turn: int = 0
    phase: Occurrence | None = None
    step: Occurrence | None = None
    begun: tuple[Occurrence, ...] = ()
    skips: tuple[PendingSkip, ...] = ()
    schedule: tuple[Any, ...] = ()


class ObservedPoint:
    """The current wait point of a game. Call `arrive` at each of them, check the invariants, then
    call `leave`.

    `answer` led to this point. `result` is the result of checking its situation. `expected` is the
    turn that must have begun. `ended` says, for "phase" and "step", whether its last action was
    requested since players could act. The turn is `excused` if an effect skips its last step, and
    `signalled` if a signal has ended it. `schedule` is all that is scheduled or interrupted.
    """

    def __init__(self, controller: TurnController, head: GameHeader) -> None:
        self.controller, self.model, self.situations = (
            controller,
            controller.model,
            situations_of(controller.model),
        )
        self.parameters: ModelParameters = self.situations.parameters
        self.order = TurnOrder(
            sides_of(head.players, head.teams), self.parameters.tests, self.model.leaving
        )
        if head.start is not None and head.start.player:
            self.order.start_with(head.start.player, head.start.turn)
        if head.start is None:
            self.order.note_orders(head.orders)
        self.ended = {"phase": False, "step": False}
        self.excused = self.signalled = False
        self.expected: ExpectedTurn | None = None
        self.before = PreviousPoint(controller.request)
        self.arrive(None)
        if head.start is not None:
            self.order.note_orders(head.orders)

    answer: Answer | None
    request: Request | Over
    agenda: Agenda
    phase: Occurrence | None
    step: Occurrence | None
    result: SituationResult
    schedule: tuple[Any, ...]

    def arrive(self, answer: Answer | None) -> None:
        """Update the point after the controller has accepted this answer."""
        controller = self.controller
        request, agenda = controller.request, controller.agenda
        phase, step = agenda.current_phase, agenda.current_step
        self.answer, self.request, self.agenda, self.phase, self.step = (
            answer,
            request,
            agenda,
            phase,
            step,
        )
        self.result, self.schedule = self.situations.of(request, phase, step), _SCHEDULE(agenda)
        if answer is not None and (answer.orders or answer.signal):
            self._note_answer(answer)
        if agenda.turn != self.before.turn:
            for _ in range(agenda.turn - self.before.turn):
                self.expected = self.order.begin()

    def _note_answer(self, answer: Answer) -> None:
        self.order.note_answer(answer)
        self.signalled = self.signalled or bool(answer.interruptions)
        self.excused = self.excused or any(
            self._skipped(o) in self.parameters.last_families for o in answer.orders
        )

    def left(self, level: str) -> Occurrence | None:
        """Return the phase or step that has ended since the previous point, or None. A suspended
        one has not ended.
        """
        old = self.before.phase if level == "phase" else self.before.step
        new = self.phase if level == "phase" else self.step
        if (
            old is None
            or (new is not None and new.id == old.id)
            or _waits(self.agenda.suspended, old)
        ):
            return None
        return old

    def leave(self) -> None:
        """Note what the next point is compared with."""
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
        before.skips, before.schedule = skips, self.schedule
        if (
            agenda.current_turn is not None
        ):  # between two turns, the turn before is still compared with
            before.begun = agenda.begun

    def _note_gone(self, level: str, old: Occurrence | None, new: Occurrence | None) -> None:
        if new is None or old is None or old.id != new.id:
            self.ended[level] = False

    def _note_end(self) -> None:
        result, ended = self.result, self.ended
        if result.acts:
            ended["phase"] = ended["step"] = False
        elif result.phase_ends or result.step_ends:
            action = getattr(self.request, "action", "")
            ended["phase"] = ended["phase"] or action in result.phase_ends
            ended["step"] = ended["step"] or action in result.step_ends

    def _note_skips(self, skips: tuple[PendingSkip, ...]) -> None:
        self.excused = self.excused or any(
            (s.level, s.what) in self.parameters.last_families for s in skips
        )

    def _skipped(self, order: Order) -> tuple[str, str] | None:
        """Return the phase family or the step that this order skips, or None."""
        match order:
            case SkipPhase(phase=phase):
                families = (
                    s.family for s in self.model.of_kind("phase") if phase in (s.name, s.family)
                )
                return "phase", next(families, phase)
            case SkipStep(step=step):
                names = (s.name for s in self.model.of_kind("step") if step in (s.name, s.family))
                return "step", next(names, step)
            case _:
                return None


def _waits(suspended: tuple[Suspended, ...], old: Occurrence) -> bool:
    return any(o is not None and o.id == old.id for s in suspended for o in (s.phase, s.step))
