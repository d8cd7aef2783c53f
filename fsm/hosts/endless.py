"""Stops a host that keeps a turn where it is: the same step without end."""

from __future__ import annotations

from fsm.engine.requests import Answer, Request
from fsm.errors import HostError
from fsm.wording import listed, value_words

LIMIT = 10_000


class Watch:
    """Looks at one answer in `limit` of a host, and at all of them while the turn stays in a step.
    Raises HostError if these are more than the limit.
    """

    def __init__(self, limit: int) -> None:
        self.limit, self.place = limit, (0, "", "")
        self.seen, self.told = 0, dict[str, bool]()

    def look(self, request: Request, answer: Answer) -> int:
        """Look at an answer before it is given. Return after how many more answers this is to be
        called again.
        """
        at = request.at
        place = at.turn, at.phase, at.step
        if place != self.place:
            self.place, self.seen = place, 0
            self.told.clear()
            return self.limit
        self.seen += 1
        self.told |= answer.facts.items() - request.facts.items()
        if self.seen > self.limit:
            facts = [value_words(name, value) for name, value in self.told.items()]
            why = f"; the host tells that {listed(facts)}" if facts else ""
            raise HostError(f"{at}: more than {self.limit:,} answers{why}", kind="endless")
        return 1
