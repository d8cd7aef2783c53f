"""A host between the controller and a game: it passes for players who do not wish to be asked."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.host import Host
from fsm.requests import Answer, Check, Perform, Place, Priority, Resolve
from fsm.stops import PASS, Stops


class AutoPass:
    """The host's answers, but for priority that nobody wishes to be asked about: that is passed.

    What `Stops` say holds for the next request; they are the players' to change at any time.
    """

    def __init__(self, host: Host, stops: Stops) -> None:
        self.host, self.stops = host, stops

    def priority(self, request: Priority) -> Answer:
        """Ask the host, if somebody wishes it."""
        answer = self.host.priority(request) if self.stops.asks(request) else PASS
        self.stops.heard(request, answer)
        return answer

    def place(self, request: Place) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = self.host.place(request)
        self.stops.heard(request, answer)
        return answer

    def resolve(self, request: Resolve) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = self.host.resolve(request)
        self.stops.heard(request, answer)
        return answer

    def perform(self, request: Perform) -> Answer:
        """The host's."""
        return self.host.perform(request)

    def check(self, request: Check) -> Answer:
        """The host's."""
        return self.host.check(request)

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        """The host's."""
        return self.host.facts(names)

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """The host's."""
        self.host.notice(expired, triggered)
