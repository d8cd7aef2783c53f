"""Hosts for asyncio. The methods of a host may be coroutines, for instance to wait for players on sockets.

    await fsm.embedding.aio.drive(controller, host)

The controller itself never waits. It processes an answer completely or not at all. If the wait ends early, by a
cancelled task or a timeout, the controller has not changed and makes the same request again.
"""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Any, Protocol, TypeVar

from fsm.embedding.host import OPTIONAL, Way, missing_facts, ways_of, went_on, with_facts
from fsm.embedding.stops import PASS, Stops
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Request, Resolve

_T = TypeVar("_T")


class Host(Protocol):
    """The methods that a game implements. They are those of `fsm.Host`, but each may be a coroutine function."""

    def perform(self, request: Perform) -> Answer | Awaitable[Answer]:
        """Perform the turn-based action `request.action` for `request.players`."""

    def priority(self, request: Priority) -> Answer | Awaitable[Answer]:
        """Answer for `request.player`, who has priority, with the word "acted" or "passed"."""

    def check(self, request: CheckState) -> Answer | Awaitable[Answer]:
        """Perform the state-based actions that apply now, and report whether any was performed."""

    def place(self, request: PlaceTriggers) -> Answer | Awaitable[Answer]:
        """Put waiting triggers on the stack, for `request.players` in this order."""

    def resolve(self, request: Resolve) -> Answer | Awaitable[Answer]:
        """Resolve the top of the stack."""

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool] | Awaitable[Mapping[str, bool]]:
        """Return the current values of these game facts, which the answer to a request has left out."""

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> Awaitable[None] | None:
        """Process that these durations have ended and these triggers have triggered, in this order."""


async def drive(
    controller: TurnController, host: Host, *, until: Callable[[Request], bool] | None = None
) -> Request | Over:
    """Let a host answer until the game is over, as `fsm.drive` does.

    Parameters
    ----------
    controller
        The controller of the game.
    host
        The host that answers.
    until
        A function that gets each request before it is answered. If it returns True, `drive` stops there.

    Returns
    -------
    Request
        The request that was not answered.

    Raises
    ------
    AnswerError
        If something else answered the request while the host was asked, for instance another task that drives the same
        controller.

    An error of the host is passed on. The controller then still has the request that the host was asked.
    """
    ways, request = ways_of(host), controller.request
    while not isinstance(request, Over) and not (until and until(request)):
        request = _take(controller, request, await _answered(host, ways, request))
    return request


async def ask(controller: TurnController, host: Host) -> Request | Over:
    """Let a host answer one request.

    Parameters
    ----------
    controller
        The controller of the game.
    host
        The host that answers.

    Returns
    -------
    Request
        The next request.

    Raises
    ------
    AnswerError
        If the game is over, or if something else answered the request while the host was asked.
    """
    request = controller.request
    return _take(controller, request, await _answered(host, ways_of(host), request))


def _take(controller: TurnController, request: Request | Over, answer: Answer) -> Request | Over:
    if controller.request is not request:
        raise went_on()
    return controller.answer(answer)


async def _answered(host: Host, ways: Mapping[type[Request | Over], Way], request: Request | Over) -> Answer:
    """Return the host's answer, completed by every fact that the request asks for."""
    if request.expired or request.triggered:
        await _value(host.notice(request.expired, request.triggered))
    answer: Answer = await _value(ways[type(request)](request))
    missing = missing_facts(request, answer)
    return with_facts(answer, await _value(host.facts(missing))) if missing else answer


class AutoPass(Host):
    """A host that passes for players who do not want to be asked, for methods that may be coroutines.

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

    def perform(self, request: Perform) -> Answer | Awaitable[Answer]:
        """Return the host's answer."""
        return self.host.perform(request)

    def check(self, request: CheckState) -> Answer | Awaitable[Answer]:
        """Return the host's answer."""
        return self.host.check(request)

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool] | Awaitable[Mapping[str, bool]]:
        """Return the facts that the host returns."""
        return self.host.facts(names)

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> Awaitable[None] | None:
        """Pass the notice on to the host."""
        return self.host.notice(expired, triggered)

    async def priority(self, request: Priority) -> Answer:
        """Ask the host if a player wants to be asked, else pass."""
        answer = await _value(self.host.priority(request)) if self.stops.asks(request) else PASS
        self.stops.heard(request, answer)
        return answer

    async def place(self, request: PlaceTriggers) -> Answer:
        """Return the host's answer. It wakes players who are asleep."""
        answer = await _value(self.host.place(request))
        self.stops.heard(request, answer)
        return answer

    async def resolve(self, request: Resolve) -> Answer:
        """Return the host's answer. It wakes players who are asleep."""
        answer = await _value(self.host.resolve(request))
        self.stops.heard(request, answer)
        return answer


class TimeLimit(Host):
    """A host that limits the time for an answer. If the time is over, it cancels the method and gives another answer.

    `facts` and `notice` have no limit.

    Parameters
    ----------
    host
        The host that answers.
    seconds
        A function that returns how many seconds a request may take, or None for no limit.
    late
        A function that returns the answer to a request if its time is over.
    """

    def __init__(
        self, host: Host, seconds: Callable[[Request], float | None], late: Callable[[Request], Answer]
    ) -> None:
        self.host: Host = host
        self.seconds: Callable[[Request], float | None] = seconds
        self.late: Callable[[Request], Answer] = late
        self._ways = ways_of(host)

    def __getattr__(self, name: str) -> Any:
        """Return the host's answer in time, if the method is one that a host may have and the host has it."""
        if name in OPTIONAL and hasattr(self.host, name):
            return self._in_time
        raise AttributeError(f"{type(self).__name__} has no {name!r}", name=name, obj=self)

    async def perform(self, request: Perform) -> Answer:
        """Return the host's answer, or the late one."""
        return await self._in_time(request)

    async def priority(self, request: Priority) -> Answer:
        """Return the host's answer, or the late one."""
        return await self._in_time(request)

    async def check(self, request: CheckState) -> Answer:
        """Return the host's answer, or the late one."""
        return await self._in_time(request)

    async def place(self, request: PlaceTriggers) -> Answer:
        """Return the host's answer, or the late one."""
        return await self._in_time(request)

    async def resolve(self, request: Resolve) -> Answer:
        """Return the host's answer, or the late one."""
        return await self._in_time(request)

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool] | Awaitable[Mapping[str, bool]]:
        """Return the facts that the host returns."""
        return self.host.facts(names)

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> Awaitable[None] | None:
        """Pass the notice on to the host."""
        return self.host.notice(expired, triggered)

    async def _in_time(self, request: Request) -> Answer:
        try:
            async with timeout(self.seconds(request)):
                return await _value(self._ways[type(request)](request))
        except TimeoutError:
            return self.late(request)


async def _value(found: _T | Awaitable[_T]) -> _T:
    """Return what a method returned. If it is awaitable, wait for its value."""
    if isawaitable(found):
        return await found
    return found
