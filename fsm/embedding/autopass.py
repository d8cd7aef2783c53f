"""A host that passes for players who do not want to be asked, and lets another host answer everything else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsm.embedding.host import OPTIONAL, Host
from fsm.embedding.stops import PASS, Stops
from fsm.engine.requests import Answer, CheckState, Perform, PlaceTriggers, Priority, Resolve


class AutoPass(Host):
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
        self.host: Host = host
        self.stops: Stops = stops

    def __getattr__(self, name: str) -> Any:
        """Return the method of the host, if it is one that a host may have."""
        if name in OPTIONAL:
            return getattr(self.host, name)
        raise AttributeError(f"{type(self).__name__} has no {name!r}", name=name, obj=self)

    def perform(self, request: Perform) -> Answer:
        """Return the host's answer."""
        return self.host.perform(request)

    def check(self, request: CheckState) -> Answer:
        """Return the host's answer."""
        return self.host.check(request)

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        """Return the facts that the host returns."""
        return self.host.facts(names)

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """Pass the notice on to the host."""
        self.host.notice(expired, triggered)

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
