"""Checks the invariants of one game after each answer, and reports the first one that is broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over
from fsm.errors import AnswerError, OrderError, Stuck
from fsm.model import Model
from fsm.state.setup import Head
from fsm.testing.fuzzing.invariants import EVERYWHERE, LEAVING, NEW_TURN, SCHEDULED
from fsm.testing.fuzzing.point import Point
from fsm.testing.fuzzing.recorded import every_begun_phase_ends, trace_replays
from fsm.testing.fuzzing.situations import Broke, first_broken
from fsm.testing.fuzzing.twins import Twins

OTHERS = (
    "facts_are_enough",
    "orders_are_taken",
    "never_stuck",
    "nothing_crashes",
    "snapshot_is_restored",
    "fork_is_parent",
    "fork_leaves_its_parent",
    "every_begun_phase_ends",
    "trace_replays",
)
"""The invariants that are not functions of a wait point."""


@dataclass(frozen=True, slots=True)
class Broken:
    """An invariant that does not hold: its name, what the ruleset's rulebook says of it ("" if it does not say),
    what is wrong, and after how many answers it showed."""

    name: str
    rule: str
    what: str
    answers: int


@dataclass(slots=True)
class Looks:
    """How often was looked: answers given, turns begun, snapshots and forks compared, traces replayed."""

    answers: int = 0
    turns: int = 0
    twins: int = 0
    traces: int = 0

    def add(self, other: Looks) -> None:
        """These looks are of several games."""
        self.answers += other.answers
        self.turns += other.turns
        self.twins += other.twins
        self.traces += other.traces


@dataclass(slots=True)
class Thorough:
    """How closely to look. `random` chooses the points for snapshots and forks; `share` is their share.

    `trace`: is the record of the whole game looked at as well?
    """

    share: float = 1.0
    trace: bool = True
    random: Random = field(default_factory=lambda: Random(0))


class Watch:
    """One game under watch. Give it answers; `broken` is set as soon as an invariant is."""

    def __init__(self, model: Model, head: Head, thorough: Thorough) -> None:
        self.thorough, self.looks = thorough, Looks()
        self.share, self.chance = thorough.share, thorough.random.random
        self.broken: Broken | None = None
        self.twins: Twins | None = None
        self.controller = self._controller(model, head)
        if self.controller is not None:
            self.point = Point(self.controller, head)
            self._look(None)

    def _controller(self, model: Model, head: Head) -> TurnController | None:
        try:
            return TurnController(model, head.players, teams=head.teams, settings=head.settings, orders=head.orders)
        except Exception as error:
            self.broken = raised(error, self.looks.answers)
            return None

    @property
    def goes_on(self) -> bool:
        """Can another answer be given?"""
        return self.broken is None and self.controller is not None and not isinstance(self.controller.request, Over)

    def answer(self, answer: Answer) -> None:
        """Give this answer, and look."""
        controller, twins = self.controller, self.twins
        assert controller is not None
        self.looks.answers += 1
        if twins is not None:
            wrong = twins.answer(answer)
            if wrong:
                self._break("fork_leaves_its_parent", wrong)
                return
        try:
            controller.answer(answer)
        except Exception as error:
            self.broken = raised(error, self.looks.answers)
            return
        self._look(answer)

    def close(self) -> None:
        """The game is over, or goes no further: look at its record."""
        if self.broken is not None or self.controller is None or not self.thorough.trace:
            return
        self.looks.traces += 1
        try:
            wrong = every_begun_phase_ends(self.controller.trace)
            again = None if wrong else trace_replays(self.controller)
        except Exception as error:
            wrong, again = None, f"its record cannot be made or replayed: {type(error).__name__}: {error}"
        if wrong or again:
            self._break("every_begun_phase_ends" if wrong else "trace_replays", wrong or again or "")

    def _look(self, answer: Answer | None) -> None:
        point = self.point
        if answer is not None:
            point.arrive(answer)
        broke = self._first(point)
        if broke is not None:
            self._break(broke.invariant.name, broke.what)
            return
        if self.twins is not None:
            self._compare(self.twins)
            self.twins = None
        if self.broken is None:
            point.leave()
            if self.share >= 1 or self.chance() < self.share:
                self._take_twins()

    def _first(self, point: Point) -> Broke | None:
        """The first invariant that is broken here: of those that can have been, since the point before."""
        before, broke = point.before, point.view.broke or first_broken(EVERYWHERE, point)
        if broke is None and point.schedule != before.schedule:
            broke = first_broken(SCHEDULED, point)
        if broke is None and (point.step is not before.step or point.phase is not before.phase):
            broke = first_broken(LEAVING, point)
        turns = point.agenda.turn - before.turn
        if turns:
            self.looks.turns += turns
            broke = broke or first_broken(NEW_TURN, point)
        return broke

    def _take_twins(self) -> None:
        controller = self.controller
        assert controller is not None
        self.looks.twins += 1
        try:
            self.twins = Twins(controller)
        except Exception as error:
            self._break("snapshot_is_restored", f"its snapshot cannot be restored: {error}")
            return
        wrong = self.twins.snapshot_is_equal()
        if wrong:
            self._break("snapshot_is_restored", wrong)
        else:
            self._compare(self.twins)

    def _compare(self, twins: Twins) -> None:
        wrong = twins.restored_is_equal()
        if wrong:
            self._break("snapshot_is_restored", wrong)
            return
        wrong = twins.fork_is_equal()
        if wrong:
            self._break("fork_is_parent", wrong)

    def _break(self, name: str, what: str) -> None:
        controller = self.controller
        at = controller.request.at if controller is not None else None
        where = f"turn {at.turn}, {at.step or at.stage}: " if at is not None else ""
        self.broken = Broken(name, self.point.known.rules.get(name, ""), f"{where}{what}", self.looks.answers)


def raised(error: Exception, answers: int) -> Broken:
    """The invariant that is broken when this error is raised after so many answers."""
    kinds = {AnswerError: "facts_are_enough", OrderError: "orders_are_taken", Stuck: "never_stuck"}
    name = next((name for kind, name in kinds.items() if isinstance(error, kind)), "nothing_crashes")
    what = str(error) if name != "nothing_crashes" else f"{type(error).__name__}: {error}"
    return Broken(name, "", what, answers)
