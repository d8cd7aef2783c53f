"""Makes a game that breaks an invariant smaller: it leaves out everything that is not needed to
break it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.scenarios.departures import Case, Departure, DeparturePlayer, GameDepartures, RequestId
from fsm.state.setup import settings_of, sides_of
from fsm.testing.budget import Budget
from fsm.testing.fuzzing.checkedgame import Broken, CheckedGame, Thoroughness
from fsm.testing.fuzzing.playing import Plan, RandomGame

MOST_TRIES = 1500
POINT_INVARIANTS = ("snapshot_is_restored", "fork_is_parent", "fork_leaves_its_parent")
TRACE_INVARIANTS = ("every_begun_phase_ends", "trace_replays")


@dataclass(frozen=True)
class Replayed:
    """The result of a case: the answers given, including a refused last one, and the broken
    invariant.
    """

    answers: tuple[Answer, ...]
    broken: Broken | None


def case_of(model: Model, plan: Plan, number: int) -> Case:
    """Return the random game of this number, up to where it breaks an invariant, as departures from
    a quiet game.
    """
    game, departures, found = (
        RandomGame(model, plan, number),
        GameDepartures(model),
        list[Departure](),
    )
    given = game.wanderer.answer
    controller = game.checked.controller
    while controller is not None and game.checked.goes_on:
        if controller.request.at.turn > plan.turns or game.checked.counts.answers >= game.most:
            break
        request, answer = controller.request, given(controller)
        found += departures.of(request, answer)
        game.checked.answer(answer)
    return Case(game.wanderer.head, tuple(found), game.checked.counts.answers)


def replay_case(model: Model, case: Case, name: str = "") -> Replayed:
    """Play a case and check the invariant of this name at every point, or all invariants if it is
    "".
    """
    thorough = Thoroughness(
        1.0 if not name or name in POINT_INVARIANTS else 0.0, not name or name in TRACE_INVARIANTS
    )
    checked, given = CheckedGame(model, case.head, thorough), list[Answer]()
    player = DeparturePlayer(model, case.departures)
    while checked.goes_on and len(given) < case.answers:
        assert checked.controller is not None
        given.append(player.answer(checked.controller))
        checked.answer(given[-1])
    checked.close()
    return Replayed(tuple(given), checked.broken)


class Shrinker:
    """Tries smaller cases and keeps those that break the same invariant."""

    def __init__(self, model: Model, broken: Broken) -> None:
        self.model, self.name, self.budget = model, broken.name, Budget(MOST_TRIES)

    def breaks(self, case: Case) -> Broken | None:
        """Return how this case breaks the same invariant, or None."""
        if not self.budget.lasts:
            return None
        self.budget.spend()
        broken = replay_case(self.model, case, self.name).broken
        return broken if broken is not None and broken.name == self.name else None

    def shrink(self, case: Case) -> Case:
        """Return the smallest case that was found."""
        before: Case | None = None
        while before != case and self.budget.lasts:
            before = case
            for make in (self._shorter, self._fewer, self._sooner, self._earlier, self._plainer):
                case = make(case)
        return case

    def _shorter(self, case: Case) -> Case:
        """Find the least number of answers by bisection."""
        broken = self.breaks(case)
        if broken is None:
            return case
        least, most = 0, min(case.answers, broken.answers)
        while least < most and self.budget.lasts:
            middle = (least + most) // 2
            if self.breaks(replace(case, answers=middle)):
                most = middle
            else:
                least = middle + 1
        return replace(case, answers=most)

    def _fewer(self, case: Case) -> Case:
        """Leave out smaller and smaller parts of the departures: delta debugging."""
        given, size = list(case.departures), max(1, len(case.departures) // 2)
        while given and self.budget.lasts:
            kept = self._without_parts(case, given, size)
            if len(kept) == len(given) and size == 1:
                break
            size = max(1, min(size // 2 if len(kept) == len(given) else size, len(kept) // 2))
            given = kept
        return replace(case, departures=tuple(given))

    def _without_parts(self, case: Case, given: list[Departure], size: int) -> list[Departure]:
        at = len(given)
        while at > 0:
            start = max(0, at - size)
            fewer = [*given[:start], *given[at:]]
            if self.breaks(replace(case, departures=tuple(fewer))):
                given = fewer
            at = start
        return given

    def _sooner(self, case: Case) -> Case:
        """Move departures to an earlier request of the same kind, in the same visit of a step or an
        earlier one.
        """
        for request in dict.fromkeys(d.request for d in case.departures):
            places = [(request.iteration, time) for time in range(1, request.time)]
            places += [
                (iteration, time)
                for iteration in range(1, request.iteration)
                for time in (1, request.time)
            ]
            case = self._first(case, (_sooner(case, request, *place) for place in places))
        return case

    def _plainer(self, case: Case) -> Case:
        """Try fewer players, no teams, and the default settings."""
        return self._first(case, _heads(self.model, case))

    def _earlier(self, case: Case) -> Case:
        """Move all departures to earlier turns."""
        first = min((d.request.turn for d in case.departures), default=1)
        return self._first(case, (_moved(case, turns) for turns in range(first - 1, 0, -1)))

    def _first(self, case: Case, others: Iterator[Case]) -> Case:
        return next((other for other in others if self.breaks(other)), case)


def _heads(model: Model, case: Case) -> Iterator[Case]:
    head = case.head
    for players in (head.players[:2], head.players[:3], head.players):
        for teams in ((), head.teams):
            if teams and players != head.players:
                continue
            plain = settings_of(model, sides_of(players, teams), {})
            for settings in (plain, dict(head.settings)):
                made = replace(head, players=players, teams=teams, settings=settings)
                if made != head:
                    yield replace(case, head=made)


def _sooner(case: Case, request: RequestId, iteration: int, time: int) -> Case:
    there = request._replace(iteration=iteration, time=time)
    moved = (replace(d, request=there) if d.request == request else d for d in case.departures)
    return replace(case, departures=tuple(moved))


def _moved(case: Case, turns: int) -> Case:
    moved = (
        replace(d, request=d.request._replace(turn=d.request.turn - turns)) for d in case.departures
    )
    return replace(case, departures=tuple(moved))
