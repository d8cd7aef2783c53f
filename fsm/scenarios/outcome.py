"""The result of a scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from fsm.engine.records import Record
from fsm.engine.trace import Trace
from fsm.model import Model
from fsm.runs.visits import Stage, Visit, stages_of
from fsm.scenarios.log import GameLog
from fsm.scenarios.scenario import Scenario


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
        The firings of the turns that were to be played. After a rollback, only those that were not
        taken back.
    visits
        The steps that were visited, as for `records`.
    turns
        The turns that began, as for `records`.
    log
        What the scripted game noted.
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
    log: GameLog
    over: bool = False
    winners: tuple[str, ...] = ()
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    bounded: str | None = None

    @cached_property
    def stages(self) -> list[Stage]:
        """The actions that were performed and the windows that opened, in order."""
        return list(stages_of(self.records, self.model))

    @property
    def ok(self) -> bool:
        """Whether all expectations hold."""
        return not self.failures
