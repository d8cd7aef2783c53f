"""Stops a host that keeps a turn where it is: the same step without end, and nobody acts."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Position, Request
from fsm.errors import FsmError, HostError
from fsm.wording import listed, position_words, value_words

if TYPE_CHECKING:
    from fsm.hosts.history import Game

LIMIT = 10_000
ACTS = 100
SHOWN = 100
"""The facts of at most this many answers are examined."""


class Watch:
    """Looks at the answers of a host once many were given, and raises HostError if they lead
    nowhere.

    It first looks after `limit` answers, and then at each answer until the turn has gone on.
    Players who act may do so `ACTS` times as long.
    """

    def __init__(self, game: Game, limit: int) -> None:
        self.game, self.limit = game, limit
        self._where: object = None
        self._acting: object = None
        self._count = self._acts = 0
        self._last: deque[tuple[TurnController, Answer]] = deque(maxlen=SHOWN)

    def look(self, request: Request, answer: Answer) -> int:
        """Look at an answer before it is given. Return after how many more answers this is to be
        called again.
        """
        at = request.at
        where = at.turn, at.phase, at.step
        if self._where is None:
            self._where, self._count = where, 0
        elif where != self._where or (answer.word == "acted" and not answer.automatic):
            self._goes_on(at, where)
            return self.limit
        self._count += 1
        self._last.append((self.game.fork(), answer))
        if self._count > self.limit:
            facts = [value_words(name, value) for name, value in self._kept_by().items()]
            why = f": the host always tells that {listed(facts)}" if facts else ""
            raise _endless(at, self.limit, f"nobody has acted{why}")
        return 1

    def _goes_on(self, at: Position, where: object) -> None:
        """Begin to count anew. Players who act may do so for long, but not without end."""
        self._acts = self._acts + 1 if where == self._acting else 0
        self._acting, self._where = where, None
        self._last.clear()
        if self._acts > ACTS:
            raise _endless(at, ACTS * self.limit, "players act without end")

    def _kept_by(self) -> dict[str, bool]:
        """Return the facts that, told otherwise, would have led on."""
        visited = {(game.run.state, game.run.frame) for game, _ in self._last}
        found = dict[str, bool]()
        for game, answer in self._last:
            for name, value in answer.facts.items():
                if name not in found and _leads_on(game, answer, name, visited):
                    found[name] = value
        return found


def _endless(at: Position, answers: int, why: str) -> HostError:
    where = position_words(at.turn, at.step or at.phase or at.stage, player=at.active)
    return HostError(f"{where}: more than {answers:,} answers, and {why}", kind="endless")


def _leads_on(
    game: TurnController, answer: Answer, name: str, visited: set[tuple[str, str]]
) -> bool:
    """Would this answer lead on if this fact were told otherwise?"""
    fork = game.fork()
    told = {**answer.facts, name: not answer.facts[name]}
    try:
        fork.answer(Answer(answer.word, told, answer.orders))
    except FsmError:
        return False
    return (fork.run.state, fork.run.frame) not in visited
