"""Play a scenario: a TurnController runs the turns, a scripted game answers it, and the outcome is
checked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fsm.engine.controller import Standing, TurnController
from fsm.engine.records import Record
from fsm.engine.requests import Answer, Over, Request
from fsm.model import Model
from fsm.runs.visits import begun_level, visits_of
from fsm.scenarios.expectations import check
from fsm.scenarios.log import GameLog
from fsm.scenarios.outcome import Outcome, TurnTaken
from fsm.scenarios.scenario import Scenario, every_item
from fsm.scenarios.scriptedgame import ScriptedGame
from fsm.wording import position_words

MAX_STEPS = 2000
MAX_REQUESTS = 10_000
"""A run is stopped as endless after this many requests in one visit of a step."""


def play(
    scenario: Scenario,
    *,
    max_steps: int = MAX_STEPS,
    strict: bool = False,
    model: Model | None = None,
) -> Outcome:
    """Play a scenario and check its expectations.

    The run stops after `through_turn` turns, when the game is over, or at `max_steps`.

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
    player = _Player(scenario, model or scenario.model, max_steps)
    outcome = player.run()
    outcome.failures += check(outcome)
    if outcome.bounded:
        outcome.failures.append(f"{scenario.id}: {outcome.bounded}")
    if strict:
        outcome.failures += [f"{scenario.id}: {text}" for text in outcome.warnings]
    return outcome


@dataclass
class _Saved:
    """The game at the start of a turn, for a rollback."""

    standing: Standing
    game: ScriptedGame
    entries: int


class _Player:
    """One run of a scenario."""

    def __init__(self, scenario: Scenario, model: Model, max_steps: int) -> None:
        self.scenario, self.model, self.max_steps = scenario, model, max_steps
        self.game = ScriptedGame(scenario, model)
        self.controller = TurnController(
            model,
            scenario.players,
            teams=scenario.teams,
            settings=scenario.settings,
            orders=self.game.orders,
            start=scenario.start,
            trace=True,
        )
        assert self.controller.trace is not None
        self.trace = self.controller.trace
        self.saved: dict[int, _Saved] = {}
        self.rolls_back = any(item.do == "rollback" for item in every_item(scenario.given))
        self.steps = sum(map(self._begins_step, self.trace.records))
        self.requests = 0

    def run(self) -> Outcome:
        """Play until the run ends or a limit is reached."""
        bounded = None
        while self._goes_on(self.controller.request):
            bounded = self._bound()
            if bounded:
                break
            self._once()
        self.game.close()
        return self._outcome(bounded)

    def _goes_on(self, request: Request | Over) -> bool:
        return not isinstance(request, Over) and request.at.turn <= self.scenario.through_turn

    def _once(self) -> None:
        request = self.controller.request
        if self.rolls_back and request.at.turn not in self.saved:
            self.saved[request.at.turn] = _Saved(
                self.controller.standing, self.game.copy(), len(self.trace.entries)
            )
        answer = self.game.answer(request)
        if self.game.back_to:
            self._go_back(self.saved[min(turn for turn in self.saved if turn >= self.game.back_to)])
        else:
            self._give(answer)

    def _give(self, answer: Answer) -> None:
        fresh = len(self.trace.entries)
        self.controller.answer(answer)
        fired = [e for e in self.trace.entries[fresh:] if isinstance(e, Record)]
        self.game.notice(fired)
        begun = sum(map(self._begins_step, fired))
        self.steps += begun
        self.requests = 0 if begun else self.requests + 1

    def _go_back(self, saved: _Saved) -> None:
        """Continue from a saved turn, and drop everything that happened after its start."""
        self.controller.standing = saved.standing
        self.game = saved.game.copy()
        del self.trace.entries[saved.entries :]
        turn = self.controller.request.at.turn
        self.saved = {t: s for t, s in self.saved.items() if t <= turn}

    def _bound(self) -> str | None:
        at = self.controller.request.at
        if self.steps > self.max_steps:
            return (
                f"stopped after {self.max_steps} visited steps, in {position_words(at.turn, at.step)}: "
                f"{self._most_visited(at.turn)}; name fewer turns by through_turn, or allow more steps"
            )
        if self.requests > MAX_REQUESTS:
            where = position_words(at.turn, at.step)
            return f"stopped after {MAX_REQUESTS} requests in one step, in {where}: what is given never lets it end"
        return None

    def _most_visited(self, turn: int) -> str:
        """Say which step was visited most in the last turn, if it begins again and again."""
        begun = (
            record.target
            for record in self.trace.records
            if record.turn == turn and self._begins_step(record)
        )
        state, times = Counter(begun).most_common(1)[0]
        name = next(
            (holder.name for holder in self.model.path(state) if holder.kind == "step"), state
        )
        return f"this turn visited {name} {times} times" if times > 2 else f"it came to turn {turn}"

    def _begins_step(self, record: Record) -> bool:
        return begun_level(self.model, record) == "step"

    def _outcome(self, bounded: str | None) -> Outcome:
        last = self.scenario.through_turn
        records = [r for r in self.trace.records if r.turn <= last]
        if self.steps > self.max_steps:
            records = self._without_last_step(records)
        visits = list(visits_of(records, self.model))
        for visit in visits:
            visit.priority = bool(self.game.log.visit(visit.where).priority)
        last_request = self.controller.request
        over = last_request if isinstance(last_request, Over) else None
        turns = list(_turns(records, self.game.log))
        return Outcome(
            self.scenario,
            self.model,
            self.trace,
            records,
            visits,
            turns,
            self.game.log,
            over is not None,
            over.winners if over is not None else (),
            warnings=self._warnings(),
            bounded=bounded,
        )

    def _without_last_step(self, records: list[Record]) -> list[Record]:
        """Return the records without the step that exceeded the limit, since it was not played."""
        begun = [i for i, record in enumerate(records) if self._begins_step(record)]
        return records[: begun[-1]] if begun else records

    def _warnings(self) -> list[str]:
        given = (
            item for item in self.scenario.given if item.place not in self.game.history.carried_out
        )
        return [
            f"{item.place}: {item.do} never came up ({item.when})" for item in given
        ] + self.game.world.complaints


def _turns(records: Iterable[Record], log: GameLog) -> Iterator[TurnTaken]:
    """Yield the turns in which something fired. A game that starts in the middle of one has no
    record of its start.
    """
    turn = 0
    for r in records:
        if r.turn != turn:
            turn = r.turn
            yield TurnTaken(r.turn, r.active, r.extra, log.deciders.get(r.turn, r.active))
