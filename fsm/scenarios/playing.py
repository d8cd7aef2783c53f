"""Play a scenario: a TurnController runs the turns, a scripted game answers it, and the outcome is
checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fsm.engine.controller import TurnController
from fsm.engine.requests import Over
from fsm.engine.trace import Record, Trace
from fsm.model import Model
from fsm.runs.turns import Visit, Where, read_turns, visits_of
from fsm.scenarios.expect import failures_of
from fsm.scenarios.game import Game, VisitLog
from fsm.scenarios.scenario import Scenario

MAX_STEPS = 2000
MAX_REQUESTS = 10_000
"""A run is stopped as endless after this many requests in one visit of a step."""


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
    stages
        The states of the actions that were performed, and of the windows in which somebody received
        priority, in order, by turn.
    turns
        The first record of each turn that began, as for `records`.
    deciders
        Who decides in each turn, by its number.
    logs
        What the scripted game noted in each visit of a step.
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
    stages: Mapping[int, list[str]]
    turns: list[Record]
    deciders: Mapping[int, str]
    logs: Mapping[Where, VisitLog]
    over: bool
    winners: tuple[str, ...]
    bounded: str | None
    warnings: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether all expectations hold."""
        return not self.failures

    def steps_in(self, turn: int) -> list[str]:
        """Return the names of the steps that were visited in a turn."""
        return [visit.step for visit in self.visits if visit.turn == turn]


def play(scenario: Scenario, *, max_steps: int = MAX_STEPS, strict: bool = False) -> Outcome:
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
        game = Game(scenario, undone)
        controller = TurnController(
            scenario.model,
            scenario.players,
            teams=scenario.teams,
            settings=scenario.settings,
            orders=game.opening,
            start=scenario.start,
            trace=True,
        )
        bounded = _run(controller, game, scenario.through_turn, max_steps)
        carried_out |= game.carried_out
        if not game.rollback:
            break
        undone |= {game.rollback}
    outcome = _outcome(scenario, game, controller, bounded)
    never = [item for item in scenario.given if item.place not in carried_out]
    outcome.warnings += [f"{item.place}: {item.do} never came up ({item.when})" for item in never]
    outcome.warnings += game.complaints
    outcome.failures += failures_of(outcome)
    if bounded:
        outcome.failures.append(f"{scenario.id}: {bounded}")
    if strict:
        outcome.failures += [f"{scenario.id}: {text}" for text in outcome.warnings]
    return outcome


def _run(controller: TurnController, game: Game, through: int, max_steps: int) -> str | None:
    """Play until the run ends, or a rollback. Return why it was stopped, if it was."""
    assert controller.trace is not None
    entries, fresh, requests = controller.trace.entries, 0, 0
    while not isinstance(controller.request, Over) and controller.request.at.turn <= through:
        at = controller.request.at
        here = Where(at.turn, at.step, at.iteration)
        requests = requests + 1 if here in game.visits else 0
        if at.step and here not in game.visits and len(game.visits) > max_steps:
            del entries[fresh:]  # the step that would be one too many has begun
            remedy = "name fewer turns by through_turn, or allow more steps"
            return f"stopped after {max_steps} visited steps, in {here}; {remedy}"
        if requests > MAX_REQUESTS:
            stopped = f"stopped after {MAX_REQUESTS} requests in one step, in {here}"
            return f"{stopped}: what is given never lets it end"
        answer = game.answer(controller)
        if game.rollback:
            break
        fresh = len(entries)
        controller.answer(answer)
        game.notice(entry for entry in entries[fresh:] if isinstance(entry, Record))
    game.leave_visit()
    return None


def _outcome(
    scenario: Scenario, game: Game, controller: TurnController, bounded: str | None
) -> Outcome:
    """Return what came of a scenario. Its expectations are still to be checked."""
    assert controller.trace is not None
    records = [r for r in controller.trace.records if r.turn <= scenario.through_turn]
    played = list(read_turns(records, controller.model))
    visits = list(visits_of(played, controller.model))
    stages = {turn.number: turn.stages for turn in played}
    turns = dict[int, Record]()
    for record in records:  # a game that starts in the middle has none of its turn's beginning
        if record.turn:
            turns.setdefault(record.turn, record)
    end = controller.request
    return Outcome(
        scenario=scenario,
        model=controller.model,
        trace=controller.trace,
        records=records,
        visits=visits,
        stages=stages,
        turns=[*turns.values()],
        deciders=game.deciders,
        logs=game.visits,
        over=isinstance(end, Over),
        winners=end.winners if isinstance(end, Over) else (),
        bounded=bounded,
    )
