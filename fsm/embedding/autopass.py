"""A host that passes for players who do not want to be asked, and lets another host answer everything else."""

from __future__ import annotations

from fsm.embedding.host import Host
from fsm.embedding.stops import PASS, Stops
from fsm.engine.requests import Answer, PlaceTriggers, Priority, Resolve


class AutoPass:
    """A host that passes for players who do not want to be asked.

    Parameters
    ----------
    host
        The host that answers everything else.
    stops
        When players want to be asked for priority. You may change the stops at any time. A change holds from the next
        request on.
    """

    def __init__(self, host: Host, stops: Stops) -> None:
        self.host, self.stops = host, stops
        self.perform, self.check, self.facts, self.notice = host.perform, host.check, host.facts, host.notice

    def priority(self, request: Priority) -> Answer:
        """Ask the host if a player wants to be asked, else pass."""
        answer = self.host.priority(request) if self.stops.asks(request) else PASS
        self.stops.heard(request, answer)
        return answer

    def place(self, request: PlaceTriggers) -> Answer:
        """Return the host's answer. It wakes players who are asleep."""
        answer = self.host.place(request)
        self.stops.heard(request, answer)
        return answer

    def resolve(self, request: Resolve) -> Answer:
        """Return the host's answer. It wakes players who are asleep."""
        answer = self.host.resolve(request)
        self.stops.heard(request, answer)
        return answer
