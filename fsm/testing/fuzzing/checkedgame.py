"""Checks the invariants of one game after each answer, and reports the first one that is broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over
from fsm.errors import AnswerError, OrderError, StuckError
from fsm.model import Model
from fsm.state.setup import GameHeader
from fsm.testing.fuzzing.gamecopies import GameCopies
from fsm.testing.fuzzing.invariants import EVERYWHERE, LEAVING, NEW_TURN, SCHEDULED
from fsm.testing.fuzzing.observedpoint import ObservedPoint
from fsm.testing.fuzzing.situations import Violation, first_broken
from fsm.testing.fuzzing.traceinvariants import every_begun_phase_ends, trace_replays
from fsm.wording import position_words

OTHER_INVARIANTS = (
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
    """An invariant that does not hold: its name, its rule in the ruleset's rulebook, what is wrong,
    and after how many answers."""

    name: str
    rule: str
    what: str
    answers: int


@dataclass(slots=True)
class CheckCounts:
    """How much was checked: answers given, turns begun, snapshots and forks compared, traces
    replayed.
    """

    answers: int = 0
    turns: int = 0
    twins: int = 0
    traces: int = 0

    def add(self, other: CheckCounts) -> None:
        """Add the counts of another game."""
        self.answers += other.answers
        self.turns += other.turns
        self.twins += other.twins
        self.traces += other.traces


@dataclass(slots=True)
class Thoroughness:
    """How thoroughly a game is checked.

    `random` chooses the wait points for snapshots and forks, and `share` is their share. `trace`
    says whether the trace of the whole game is checked too.
    """

    share: float = 1.0
    trace: bool = True
    random: Random = field(default_factory=lambda: Random(0))


class CheckedGame:
    """One game whose invariants are checked after each answer. `broken` is the first broken one."""

    def __init__(self, model: Model, head: GameHeader, thorough: Thoroughness) -> None:
        self.thorough, self.counts = thorough, CheckCounts()
        self.share, self.chance = thorough.share, thorough.random.random
        self.broken: Broken | None = None
        self.copies: GameCopies | None = None
        self.controller = self._controller(model, head)
        if self.controller is not None:
            self.point = ObservedPoint(self.controller, head)
            self._check(None)

    def _controller(self, model: Model, head: GameHeader) -> TurnController | None:
        try:
            return TurnController(
                model,
                head.players,
                teams=head.teams,
                settings=head.settings,
                orders=head.orders,
                start=head.start,
            )
        except Exception as error:
            self.broken = raised(error, self.counts.answers)
            return None

    @property
    def goes_on(self) -> bool:
        """Whether another answer can be given."""
        return (
            self.broken is None
            and self.controller is not None
            and not isinstance(self.controller.request, Over)
        )

    def answer(self, answer: Answer) -> None:
        """Give this answer and check the invariants."""
        controller, copies = self.controller, self.copies
        assert controller is not None
        self.counts.answers += 1
        if copies is not None:
            wrong = copies.answer(answer)
            if wrong:
                self._break("fork_leaves_its_parent", wrong)
                return
        try:
            controller.answer(answer)
        except Exception as error:
            self.broken = raised(error, self.counts.answers)
            return
        self._check(answer)

    def close(self) -> None:
        """End the game and check its trace."""
        if self.broken is not None or self.controller is None or not self.thorough.trace:
            return
        self.counts.traces += 1
        try:
            wrong = every_begun_phase_ends(self.controller.trace)
            not_replayed = None if wrong else trace_replays(self.controller)
        except Exception as error:
            wrong, not_replayed = (
                None,
                f"its record cannot be made or replayed: {type(error).__name__}: {error}",
            )
        if wrong or not_replayed:
            self._break(
                "every_begun_phase_ends" if wrong else "trace_replays", wrong or not_replayed or ""
            )

    def _check(self, answer: Answer | None) -> None:
        point = self.point
        if answer is not None:
            point.arrive(answer)
        violation = self._first_violation(point)
        if violation is not None:
            self._break(violation.invariant.name, violation.what)
            return
        if self.copies is not None:
            self._compare(self.copies)
            self.copies = None
        if self.broken is None:
            point.leave()
            if self.share >= 1 or self.chance() < self.share:
                self._take_copies()

    def _first_violation(self, point: ObservedPoint) -> Violation | None:
        """Return the first broken invariant of those that can have broken since the previous wait
        point.
        """
        before, violation = point.before, point.result.violation or first_broken(EVERYWHERE, point)
        if violation is None and point.schedule != before.schedule:
            violation = first_broken(SCHEDULED, point)
        if violation is None and (point.step is not before.step or point.phase is not before.phase):
            violation = first_broken(LEAVING, point)
        turns = point.agenda.turn - before.turn
        if turns:
            self.counts.turns += turns
            violation = violation or first_broken(NEW_TURN, point)
        return violation

    def _take_copies(self) -> None:
        controller = self.controller
        assert controller is not None
        self.counts.twins += 1
        try:
            self.copies = GameCopies(controller)
        except Exception as error:
            self._break("snapshot_is_restored", f"its snapshot cannot be restored: {error}")
            return
        wrong = self.copies.snapshot_is_equal()
        if wrong:
            self._break("snapshot_is_restored", wrong)
        else:
            self._compare(self.copies)

    def _compare(self, copies: GameCopies) -> None:
        wrong = copies.restored_is_equal()
        if wrong:
            self._break("snapshot_is_restored", wrong)
            return
        wrong = copies.fork_is_equal()
        if wrong:
            self._break("fork_is_parent", wrong)

    def _break(self, name: str, what: str) -> None:
        controller = self.controller
        at = controller.request.at if controller is not None else None
        where = f"{position_words(at.turn, at.step or at.stage)}: " if at is not None else ""
        self.broken = Broken(
            name, self.point.parameters.rules.get(name, ""), f"{where}{what}", self.counts.answers
        )


def raised(error: Exception, answers: int) -> Broken:
    """Return the invariant that an error breaks when it is raised after this number of answers."""
    kinds = {
        AnswerError: "facts_are_enough",
        OrderError: "orders_are_taken",
        StuckError: "never_stuck",
    }
    name = next(
        (name for kind, name in kinds.items() if isinstance(error, kind)), "nothing_crashes"
    )
    what = str(error) if name != "nothing_crashes" else f"{type(error).__name__}: {error}"
    return Broken(name, "", what, answers)
