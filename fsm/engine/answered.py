"""What an answer made fire, for whoever watches, traces or measures a game.

What fires along an edge of the memo of positions is always the same, but for the number of the
turn, the name of the active player and the ids of phase and step. So the interpreter fires it once
for all games, and the records of one game refer to that (`fsm.engine.records`).
"""

from __future__ import annotations

from typing import Any

from fsm.engine.interpreter import Interpreter
from fsm.engine.records import Moment, Record, Values, shared, told
from fsm.engine.requests import Answer
from fsm.state.run import Run


class Firings:
    """What fires after one answer. All games that go along the same edge share it.

    Attributes
    ----------
    answer
        The answer.
    records
        The records of the game in which it was first seen.
    shared
        Their values, as the games share them.
    noted
        What instruments have worked out from it.
    """

    __slots__ = ("answer", "noted", "records", "shared")
    answer: Answer
    records: list[Record]
    shared: list[Values]

    def __init__(
        self, answer: Answer, records: list[Record], shared: list[Values] | None = None
    ) -> None:
        self.answer, self.records, self.shared = answer, records, shared or []
        self.noted: dict[object, Any] = {}

    def of(self, moment: Moment) -> list[Record]:
        """Return the records of a game at this moment of it."""
        return told(self.shared, moment)


def firings_of(run: Run, answer: Answer, turn: int, base: int) -> Firings:
    """Return what an answer makes fire in a run, which has come to a turn where ids count from
    `base`.
    """
    made, players, run = list[Record](), run.agenda.players, run.copy()
    Interpreter(run.model).answered(run, answer, made.append)
    return Firings(answer, made, shared(made, players, turn, base))
