"""A host between the controller and a game: it passes for players who do not wish to be asked."""

from __future__ import annotations

from fsm.embedding.host import Host
from fsm.embedding.stops import PASS, Stops
from fsm.engine.requests import Answer, PlaceTriggers, Priority, Resolve


class AutoPass:
    """The host's answers, but for priority that nobody wishes to be asked about: that is passed.

    What `Stops` say holds for the next request; they are the players' to change at any time.
    """

    def __init__(self, host: Host, stops: Stops) -> None:
        self.host, self.stops = host, stops
        self.perform, self.check, self.facts, self.notice = host.perform, host.check, host.facts, host.notice

    def priority(self, request: Priority) -> Answer:
        """Ask the host, if somebody wishes it."""
        answer = self.host.priority(request) if self.stops.asks(request) else PASS
        self.stops.heard(request, answer)
        return answer

    def place(self, request: PlaceTriggers) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = self.host.place(request)
        self.stops.heard(request, answer)
        return answer

    def resolve(self, request: Resolve) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = self.host.resolve(request)
        self.stops.heard(request, answer)
        return answer
