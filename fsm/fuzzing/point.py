"""A waiting point of a game, as the invariants see it: what stands there, and what stood at the point before."""

from __future__ import annotations

from typing import NamedTuple

from fsm.agenda import Agenda, Occurrence, PendingSkip, Suspended
from fsm.controller import TurnController
from fsm.fuzzing.known import Known, known_of
from fsm.fuzzing.turnorder import Expected, TurnOrder
from fsm.orders import Skip
from fsm.requests import Answer, Perform, Priority, Request
from fsm.seating import Head, sides_of


class Before(NamedTuple):
    """What stood at the waiting point before this one."""

    request: Request
    turn: int
    phase: Occurrence | None
    step: Occurrence | None
    begun: tuple[Occurrence, ...]


NOWHERE = Before(Request.__new__(Request), 0, None, None, ())


class Point:
    """Where a game waits. `arrive` at each of them, look, then `leave`.

    `answer` led here. `expected`: whose turn it must be, if one has begun. `ended`: for "phase" and "step", has the
    action that ends it been asked for since anybody could act? `excused`: an effect skips the last step of this turn;
    `signalled`: this turn has been broken off by a signal.
    """

    def __init__(self, controller: TurnController, head: Head) -> None:
        self.controller, self.model, self.known = controller, controller.model, known_of(controller.model)
        self.order = TurnOrder(sides_of(head.players, head.teams), self.known.tests)
        self.order.ordered(head.orders)
        self.ended = {"phase": False, "step": False}
        self.excused = self.signalled = False
        self.expected: Expected | None = None
        self.before: Before = NOWHERE
        self.answer: Answer | None = None
        self.arrive(None)

    known: Known
    request: Request
    agenda: Agenda

    def arrive(self, answer: Answer | None) -> None:
        """The controller has taken this answer, and waits again."""
        self.answer, self.request, self.agenda = answer, self.controller.request, self.controller.agenda
        if answer is not None and (answer.orders or answer.signal):
            self.order.heard(answer)
            self.signalled = self.signalled or answer.signal is not None
            self.excused = self.excused or any(
                isinstance(o, Skip) and (o.level, self._family(o)) in self.known.last_families for o in answer.orders
            )
        for _ in range(self.agenda.turn - self.before.turn):
            self.expected = self.order.begin()

    @property
    def new_turn(self) -> bool:
        """Has a turn begun since the point before?"""
        return self.agenda.turn != self.before.turn

    def left(self, level: str) -> Occurrence | None:
        """The phase or step that was under way at the point before, and is no longer; nor does it wait."""
        old = self.before.phase if level == "phase" else self.before.step
        new = self.agenda.current_phase if level == "phase" else self.agenda.current_step
        if old is None or (new is not None and new.id == old.id) or _waits(self.agenda.suspended, old):
            return None
        return old

    def leave(self) -> None:
        """All has been seen here: note what the next point is to be held against."""
        agenda, request = self.agenda, self.request
        phase, step = agenda.current_phase, agenda.current_step
        if self.new_turn:
            self.excused = self.signalled = False
        if agenda.skips and not self.excused:
            self.excused = _skipped(agenda.skips, self.known.last_families)
        self._note_end("phase", self.before.phase, phase)
        self._note_end("step", self.before.step, step)
        self.before = Before(request, agenda.turn, phase, step, agenda.begun)

    def _note_end(self, level: str, old: Occurrence | None, new: Occurrence | None) -> None:
        if new is None or old is None or old.id != new.id:
            self.ended[level] = False
        if isinstance(self.request, Priority):
            self.ended[level] = False
        elif new is not None and isinstance(self.request, Perform):
            ends = self.known.ends.get((level, new.name), ())
            self.ended[level] = self.ended[level] or self.request.action in ends

    def _family(self, order: Skip) -> str:
        states = (s for s in self.model.of_kind(order.level) if order.what in (s.name, s.family))
        return next((s.family if order.level == "phase" else s.name for s in states), order.what)


def _waits(suspended: tuple[Suspended, ...], old: Occurrence) -> bool:
    return any(o is not None and o.id == old.id for s in suspended for o in (s.phase, s.step))


def _skipped(skips: tuple[PendingSkip, ...], families: frozenset[tuple[str, str]]) -> bool:
    return any((skip.level, skip.what) in families for skip in skips)
