"""What an answer made fire, for whoever watches, traces or measures a game.

What fires along an edge of the memo of positions is always the same, but for the number of the turn, the name of the
active player and the ids of phase and step. So the interpreter fires it once for all games, and the records of one game
are made from that when somebody reads them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsm.compiled.quickinit import twin_of
from fsm.engine.askers import Players
from fsm.engine.interpreter import Interpreter
from fsm.engine.requests import Answer
from fsm.engine.trace import Record
from fsm.state.run import Run

_BEING_MADE: Any = twin_of(Record)


class Firings:
    """What fires after one answer. All games that go along the same edge share it.

    Attributes
    ----------
    answer
        The answer.
    records
        The records of the game in which it was first seen.
    noted
        What instruments have worked out from it.
    """

    __slots__ = ("_base", "_players", "_seats", "_turn", "answer", "noted", "records")
    answer: Answer
    records: list[Record]

    def __init__(
        self, answer: Answer, records: list[Record], players: Players = (), turn: int = 0, base: int = 0
    ) -> None:
        self.answer, self.records, self._players, self._turn, self._base = answer, records, players, turn, base
        self.noted: dict[object, Any] = {}
        self._seats = tuple([players.index(record.active) for record in records]) if players else ()

    def of(self, players: Players, turn: int, base: int) -> list[Record]:
        """Return the records of a game of these players that has come to a turn, where ids count from `base`."""
        turns, ids = turn - self._turn, base - self._base
        if not turns and not ids and players == self._players:
            return self.records
        return later(self.records, [players[seat] for seat in self._seats], turns, ids)


def later(records: Sequence[Record], active: Sequence[str], turns: int, ids: int) -> list[Record]:
    """Return records as of a game that has come further by so many turns and ids.

    `active` has the active player of each.
    """
    found = list[Record]()
    for r, player in zip(records, active, strict=True):  # as `fsm.compiled.quickinit` makes objects
        made = _BEING_MADE()
        made.machine = r.machine
        made.event = r.event
        made.transition = r.transition
        made.source = r.source
        made.target = r.target
        made.guards = r.guards
        made.actions = r.actions
        made.turn = r.turn + turns
        made.active = player
        made.extra = r.extra
        made.phase = r.phase
        made.step = r.step
        made.iteration = r.iteration
        made.extra_phase = r.extra_phase
        made.extra_step = r.extra_step
        made.phase_id = r.phase_id and r.phase_id + ids
        made.step_id = r.step_id and r.step_id + ids
        made.__class__ = Record
        found.append(made)
    return found


def firings_of(run: Run, answer: Answer, turn: int, base: int) -> Firings:
    """Return what an answer makes fire in a run, which has come to a turn where ids count from `base`."""
    made, players, run = list[Record](), run.agenda.players, run.copy()
    Interpreter(run.model).answered(run, answer, made.append)
    return Firings(answer, made, players, turn, base)
