"""Play a scenario: a TurnController runs the turns, a scripted game answers it, and the outcome is
checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from fsm.engine.controller import TurnController
from fsm.engine.records import Record
from fsm.engine.requests import Over
from fsm.engine.trace import Trace
from fsm.model import Model
from fsm.runs.visits import Stage, Visit, begun_level, stages_of, visits_of
from fsm.scenarios.expect import failures_of
from fsm.scenarios.game import Game
from fsm.scenarios.scenario import Scenario
from fsm.wording import position_words

MAX_STEPS = 2000
MAX_REQUESTS = 10_000
"""A run is stopped as endless after this many requests in one visit of a step."""


@dataclass(frozen=True, slots=True)
class TurnTaken:
    """A turn that really began.

    Attributes
    ----------
    turn
        The number of the turn, counted from 1.
    active
        The player whose turn it is.
    extra
        Whether it is an extra turn.
    controller
        The player who decides in it.
    """

    turn: int
    active: str
    extra: bool
    controller: str


@dataclass
class Outcome:
    """The result of a scenario.

    Attributes
    ----------
    scenario
        The scenario that was played.
    model
        The model with which it was played.
    trace
        The whole run. It can be replayed.
    records
        The firings of the turns that were to be played.
    visits
        The steps that were visited, as for `records`.
    turns
        The turns that began, as for `records`.
    game
        The scripted game, with what it noted.
    over
        Whether the game is over.
    winners
        Who has won. It is empty if nobody has, or if the game is not over.
    failures
        One sentence for each expectation that does not hold.
    warnings
        One sentence for each given item that never came up or had no effect.
    bounded
        Why the run was stopped, or None if it came to its end.
    """

    scenario: Scenario
    model: Model
    trace: Trace
    records: list[Record]
    visits: list[Visit]
    turns: list[TurnTaken]
    game: Game
    over: bool
    winners: tuple[str, ...]
    warnings: list[str]
    bounded: str | None
    failures: list[str] = field(default_factory=list)

    @cached_property
    def stages(self) -> list[Stage]:
        """The actions that were performed and the windows that opened, in order."""
        return list(stages_of(self.records, self.model))

    @property
    def ok(self) -> bool:
        """Whether all expectations hold."""
        return not self.failures

    def taken(self, turn: int) -> TurnTaken:
        """Return the turn with this number, which has begun."""
        return next(taken for taken in self.turns if taken.turn == turn)

    def visits_in(self, turn: int) -> list[Visit]:
        """Return the visits of a turn."""
        return [visit for visit in self.visits if visit.turn == turn]

    def steps_in(self, turn: int) -> list[str]:
        """Return the names of the steps that were visited in a turn."""
        return [visit.step for visit in self.visits_in(turn)]


def play(
    scenario: Scenario,
    *,
    max_steps: int = MAX_STEPS,
    strict: bool = False,
    model: Model | None = None,
) -> Outcome:
    """Play a scenario and check its expectations.

    The run stops after `through_turn` turns, when the game is over, or at `max_steps`. After a
    rollback, the game is played anew, and only what was not taken back is in the outcome.

    Parameters
    ----------
    scenario
        The scenario.
    max_steps
        How many steps may be visited. The rules allow a cleanup that never ends.
    strict
        Whether warnings count as failures.
    model
        The model with which the scenario is played instead of its own, for instance a changed one.

    Returns
    -------
    Outcome
        The result, with the expectations that do not hold.

    Raises
    ------
    FsmError
        If the run comes to a hole in the model, or if the model refuses what the scenario orders.
    """
    undone, carried_out = frozenset[str](), set[str]()
    while True:
        run = _Run(scenario, model or scenario.model, max_steps, undone)
        bounded = run.play()
        carried_out |= run.game.carried_out
        if not run.game.rollback:
            break
        undone |= {run.game.rollback}
    outcome = run.outcome(bounded, carried_out)
    outcome.failures += failures_of(outcome)
    if bounded:
        outcome.failures.append(f"{scenario.id}: {bounded}")
    if strict:
        outcome.failures += [f"{scenario.id}: {text}" for text in outcome.warnings]
    return outcome


class _Run:
    """One run of a scenario, up to a rollback or its end."""

    def __init__(
        self, scenario: Scenario, model: Model, max_steps: int, undone: frozenset[str]
    ) -> None:
        self.scenario, self.model, self.max_steps = scenario, model, max_steps
        self.game = Game(scenario, model, undone)
        self.controller = TurnController(
            model,
            scenario.players,
            teams=scenario.teams,
            settings=scenario.settings,
            orders=self.game.opening,
            start=scenario.start,
            trace=True,
        )
        assert self.controller.trace is not None
        self.trace = self.controller.trace
        self.steps, self.requests = self._steps_in(self.trace.records), 0

    def play(self) -> str | None:
        """Play until the run ends. Return why it was stopped, if it was."""
        bounded = None
        while self._goes_on():
            bounded = self._bound()
            if bounded:
                break
            answer = self.game.answer(self.controller)
            if self.game.rollback:
                break
            fresh = len(self.trace.entries)
            self.controller.answer(answer)
            fired = [entry for entry in self.trace.entries[fresh:] if isinstance(entry, Record)]
            self.game.notice(fired)
            begun = self._steps_in(fired)
            self.steps += begun
            self.requests = 0 if begun else self.requests + 1
        self.game.leave_visit()
        return bounded

    def _goes_on(self) -> bool:
        request = self.controller.request
        return not isinstance(request, Over) and request.at.turn <= self.scenario.through_turn

    def _bound(self) -> str | None:
        """Return why the run goes on for too long, or None."""
        at = self.controller.request.at
        where = position_words(at.turn, at.step)
        if self.steps > self.max_steps:
            stopped = f"stopped after {self.max_steps} visited steps, in {where}"
            remedy = "name fewer turns by through_turn, or allow more steps"
            return f"{stopped}: {self._most_visited(at.turn)}; {remedy}"
        if self.requests > MAX_REQUESTS:
            stopped = f"stopped after {MAX_REQUESTS} requests in one step, in {where}"
            return f"{stopped}: what is given never lets it end"
        return None

    def _most_visited(self, turn: int) -> str:
        """Say which step was visited most in the last turn, if it begins again and again."""
        records = [record for record in self.trace.records if record.turn == turn]
        begun = [record.target for record in records if self._steps_in([record])]
        state, times = Counter(begun).most_common(1)[0]
        step = self.model.enclosing(state, "step")
        name = step.name if step else state
        return f"this turn visited {name} {times} times" if times > 2 else f"it came to turn {turn}"

    def _steps_in(self, records: Sequence[Record]) -> int:
        """Return how many steps begin in these records."""
        return sum(begun_level(self.model, record) == "step" for record in records)

    def outcome(self, bounded: str | None, carried_out: set[str]) -> Outcome:
        """Return what came of the scenario. Its expectations are still to be checked."""
        records = [r for r in self.trace.records if r.turn <= self.scenario.through_turn]
        if self.steps > self.max_steps:
            records = self._without_last_step(records)
        visits = list(visits_of(records, self.model))
        for visit in visits:
            visit.priority = bool(self.game.visits[visit.where].priority)
        end = self.controller.request
        return Outcome(
            scenario=self.scenario,
            model=self.model,
            trace=self.trace,
            records=records,
            visits=visits,
            turns=list(self._turns(records)),
            game=self.game,
            over=isinstance(end, Over),
            winners=end.winners if isinstance(end, Over) else (),
            warnings=[*self._never(carried_out), *self.game.complaints],
            bounded=bounded,
        )

    def _without_last_step(self, records: list[Record]) -> list[Record]:
        """Return the records without the step that exceeded the limit, since it was not played."""
        begun = [i for i, record in enumerate(records) if self._steps_in([record])]
        return records[: begun[-1]] if begun else records

    def _never(self, carried_out: set[str]) -> Iterator[str]:
        for item in self.scenario.given:
            if item.place not in carried_out:
                yield f"{item.place}: {item.do} never came up ({item.when})"

    def _turns(self, records: Sequence[Record]) -> Iterator[TurnTaken]:
        """Yield the turns in which something fired. A game that starts in the middle of one has no
        record of its start.
        """
        turn = 0
        for record in records:
            if record.turn != turn:
                turn = record.turn
                decider = self.game.deciders.get(turn, record.active)
                yield TurnTaken(turn, record.active, record.extra, decider)
