"""Makes a game that breaks an invariant smaller: it leaves out everything that is not needed to break it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fsm.engine.requests import Answer
from fsm.model import Model
from fsm.scenarios.departures import Case, Departure, Player, RequestId, Spots, departures
from fsm.state.setup import settings_of, sides_of
from fsm.testing.fuzzing.instrumentation import Broken, Thorough, Watch
from fsm.testing.fuzzing.playing import GameUnderWay, Plan

MOST_TRIES = 1500
POINTS = ("snapshot_is_restored", "fork_is_parent", "fork_leaves_its_parent")
RECORDS = ("every_begun_phase_ends", "trace_replays")


@dataclass(frozen=True)
class Replayed:
    """A case played: the answers given, the one that was refused last, and what was broken."""

    answers: tuple[Answer, ...]
    broken: Broken | None


def case_of(model: Model, plan: Plan, number: int) -> Case:
    """The random game of this number, up to where it breaks an invariant, as a quiet game and what departs from it."""
    table, spots, found = GameUnderWay(model, plan, number), Spots(), list[Departure]()
    given = table.wanderer.answer
    controller = table.watch.controller
    while controller is not None and table.watch.goes_on:
        if controller.request.at.turn > plan.turns or table.watch.looks.answers >= table.most:
            break
        request, answer = controller.request, given(controller)
        found += departures(model, spots.name(request), request, answer)
        table.watch.answer(answer)
    return Case(table.wanderer.head, tuple(found), table.watch.looks.answers)


def replay_case(model: Model, case: Case, name: str = "") -> Replayed:
    """Play a case, looking for the invariant of this name (for all, if "") at every point."""
    thorough = Thorough(1.0 if not name or name in POINTS else 0.0, not name or name in RECORDS)
    watch, player, given = Watch(model, case.head, thorough), Player(model, case.departures), list[Answer]()
    while watch.goes_on and len(given) < case.answers:
        assert watch.controller is not None
        given.append(player.answer(watch.controller))
        watch.answer(given[-1])
    watch.close()
    return Replayed(tuple(given), watch.broken)


class Shrinker:
    """Tries smaller cases, as long as they break the same invariant."""

    def __init__(self, model: Model, broken: Broken, tries: int = MOST_TRIES) -> None:
        self.model, self.name, self.tries = model, broken.name, tries

    def breaks(self, case: Case) -> Broken | None:
        """Does this case break the same invariant?"""
        if self.tries <= 0:
            return None
        self.tries -= 1
        broken = replay_case(self.model, case, self.name).broken
        return broken if broken is not None and broken.name == self.name else None

    def shrink(self, case: Case) -> Case:
        """The smallest that was found."""
        before: Case | None = None
        while before != case and self.tries > 0:
            before = case
            for make in (self._shorter, self._fewer, self._sooner, self._earlier, self._plainer):
                case = make(case)
        return case

    def _shorter(self, case: Case) -> Case:
        """As few answers as break it."""
        broken = self.breaks(case)
        if broken is None:
            return case
        least, most = 0, min(case.answers, broken.answers)
        while least < most and self.tries > 0:
            middle = (least + most) // 2
            if self.breaks(replace(case, answers=middle)):
                most = middle
            else:
                least = middle + 1
        return replace(case, answers=most)

    def _fewer(self, case: Case) -> Case:
        """Delta debugging: leave out ever smaller parts of what departs from a quiet game."""
        given, size = list(case.departures), max(1, len(case.departures) // 2)
        while given and self.tries > 0:
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
        """The same at an earlier request of the same kind, in the same visit of a step or an earlier one."""
        for spot in dict.fromkeys(d.spot for d in case.departures):
            places = [(spot.iteration, time) for time in range(1, spot.time)]
            places += [(iteration, time) for iteration in range(1, spot.iteration) for time in (1, spot.time)]
            case = self._first(case, (_sooner(case, spot, *place) for place in places))
        return case

    def _plainer(self, case: Case) -> Case:
        """Two players, no teams, and settings as they are by default, if that does as well."""
        return self._first(case, _heads(self.model, case))

    def _earlier(self, case: Case) -> Case:
        """The same in an earlier turn."""
        first = min((d.spot.turn for d in case.departures), default=1)
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


def _sooner(case: Case, spot: RequestId, iteration: int, time: int) -> Case:
    there = spot._replace(iteration=iteration, time=time)
    moved = (replace(d, spot=there) if d.spot == spot else d for d in case.departures)
    return replace(case, departures=tuple(moved))


def _moved(case: Case, turns: int) -> Case:
    moved = (replace(d, spot=d.spot._replace(turn=d.spot.turn - turns)) for d in case.departures)
    return replace(case, departures=tuple(moved))
