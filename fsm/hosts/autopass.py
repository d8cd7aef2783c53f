"""A host that passes for players who do not want to be asked, and lets another host answer
everything else.
"""

from __future__ import annotations

from typing import Any

from fsm.engine.requests import Priority, Request
from fsm.hosts.game import Game
from fsm.hosts.responding import Responder, Steps, WrappingHost, WrappingResponder
from fsm.hosts.stops import PASS, Stops


class AutoPass(WrappingHost):
    """A host that passes for players who do not want to be asked.

    Parameters
    ----------
    host
        The host that answers everything else. It may be one for asyncio.
    stops
        When players want to be asked for priority. You may change the stops at any time. A change
        holds from the next request on.
    """

    def __init__(self, host: object, stops: Stops) -> None:
        self.host: object = host
        self.stops: Stops = stops

    def responder(self, game: Game) -> Responder:
        """Return what answers for a game."""
        return _Passing(self, self.host, game)


class _Passing(WrappingResponder[AutoPass]):
    """Asks the host of an AutoPass unless a player does not want to be asked."""

    def asking(self, request: Request) -> Steps[Any]:
        """Pass for a player who does not want to be asked. What happens wakes players who are
        asleep.
        """
        stops = self.wrapping.stops
        if isinstance(request, Priority) and not stops.asks(request):
            given: Any = PASS
        else:
            given = yield from self.inner.asking(request)
        self.wrapping.stops.heard(request, request.quiet() if given is None else given)
        return given
