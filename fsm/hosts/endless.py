"""Stops a host that keeps a turn where it is: the same step without end, and nobody acts."""

from __future__ import annotations

from fsm.engine.requests import Answer, Request
from fsm.errors import HostError
from fsm.wording import listed, position_words, value_words

LIMIT = 10_000
ACTS = 100
"""Players who act may do so this many times as long."""


class Watch:
    """Looks at some answers of a host, and raises HostError if they lead nowhere.

    One answer in `limit` is enough while the turn goes on or somebody acts.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.place = limit, (0, "", "")
        self.idle = self.acts = 0
        self.told = dict[str, bool]()

    def look(self, request: Request, answer: Answer) -> int:
        """Look at an answer before it is given. Return after how many more answers this is to be
        called again.
        """
        at = request.at
        place = at.turn, at.phase, at.step
        if place != self.place:
            self.place, self.idle, self.acts = place, 0, 0
            return self.limit
        if answer.word == "acted" and not answer.automatic:
            self.idle, self.acts = 0, self.acts + 1
            if self.acts > ACTS:
                raise self._endless(request, ACTS * self.limit, "players act without end")
            return self.limit
        self.idle += 1
        self.told |= answer.facts.items() - request.facts.items()
        if self.idle > self.limit:
            facts = [value_words(name, value) for name, value in self.told.items()]
            why = f": the host tells that {listed(facts)}" if facts else ""
            raise self._endless(request, self.limit, f"nobody has acted{why}")
        return 1

    def _endless(self, request: Request, answers: int, why: str) -> HostError:
        at = request.at
        where = position_words(at.turn, at.step or at.phase or at.stage, player=at.active)
        return HostError(f"{where}: more than {answers:,} answers, and {why}", kind="endless")
