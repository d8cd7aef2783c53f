"""The asyncio front: a game whose methods may be coroutines, so that players can be waited for on sockets.

    await fsm.embedding.aio.drive(controller, host)

The controller itself never waits. An answer is taken in at once or not at all, so that whatever ends the waiting
(a cancelled task, a timeout) leaves the controller where it was: the same request is made again.
"""

from __future__ import annotations

from asyncio import timeout
from collections.abc import Awaitable, Callable, Mapping
from inspect import isawaitable
from typing import Protocol, TypeVar

from fsm.embedding.host import Way, missing_facts, ways_of, went_on, with_facts
from fsm.embedding.stops import PASS, Stops
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Request, Resolve

_T = TypeVar("_T")


class Host(Protocol):
    """As `fsm.Host`, but each method may be a coroutine function, too."""

    def perform(self, request: Perform) -> Answer | Awaitable[Answer]:
        """Perform the turn-based action `request.action` for `request.players`."""

    def priority(self, request: Priority) -> Answer | Awaitable[Answer]:
        """`request.player` has priority: answer with the word "acted" or "passed"."""

    def check(self, request: CheckState) -> Answer | Awaitable[Answer]:
        """Perform the state-based actions that apply now; tell whether any was performed."""

    def place(self, request: PlaceTriggers) -> Answer | Awaitable[Answer]:
        """Put waiting triggers on the stack, `request.players` in this order."""

    def resolve(self, request: Resolve) -> Answer | Awaitable[Answer]:
        """Resolve the top of the stack."""

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool] | Awaitable[Mapping[str, bool]]:
        """The values, now, of these game facts; asked after each of the methods above."""

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> Awaitable[None] | None:
        """These durations have run out and these triggers have triggered, in this order."""


async def drive(controller: TurnController, host: Host, *, until: Callable[[Request], bool] | None = None) -> Request:
    """Let `host` answer until the game is over, or `until` says so of the next request; as `fsm.drive`.

    Two tasks that drive one controller are told so: the slower one gets AnswerError.
    """
    ways, request = ways_of(host), controller.request
    while not isinstance(request, Over) and not (until and until(request)):
        request = _take(controller, request, await _answered(host, ways, request))
    return request


async def ask(controller: TurnController, host: Host) -> Request:
    """Let `host` answer one request; returns the next."""
    request = controller.request
    return _take(controller, request, await _answered(host, ways_of(host), request))


def _take(controller: TurnController, request: Request, answer: Answer) -> Request:
    if controller.request is not request:
        raise went_on()
    return controller.answer(answer)


async def _answered(host: Host, ways: Mapping[type[Request], Way], request: Request) -> Answer:
    """The host's answer, with every fact that the request asks for."""
    if request.expired or request.triggered:
        await _value(host.notice(request.expired, request.triggered))
    answer: Answer = await _value(ways[type(request)](request))
    missing = missing_facts(request, answer)
    return with_facts(answer, await _value(host.facts(missing))) if missing else answer


class AutoPass:
    """As `fsm.embedding.autopass.AutoPass`, for a host whose methods may be coroutines."""

    def __init__(self, host: Host, stops: Stops) -> None:
        self.host, self.stops = host, stops
        self.perform, self.check, self.facts, self.notice = host.perform, host.check, host.facts, host.notice

    async def priority(self, request: Priority) -> Answer:
        """Ask the host, if somebody wishes it."""
        answer = await _value(self.host.priority(request)) if self.stops.asks(request) else PASS
        self.stops.heard(request, answer)
        return answer

    async def place(self, request: PlaceTriggers) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = await _value(self.host.place(request))
        self.stops.heard(request, answer)
        return answer

    async def resolve(self, request: Resolve) -> Answer:
        """The host's; it wakes who sleeps."""
        answer = await _value(self.host.resolve(request))
        self.stops.heard(request, answer)
        return answer


class TimeLimit:
    """A host whose methods have so long to answer; who is late is answered for.

    `seconds` says how long each request may take, None for as long as it likes; `late` gives the answer when that time
    is over, and the host's method is cancelled. `facts` and `notice` have no limit.
    """

    def __init__(
        self, host: Host, seconds: Callable[[Request], float | None], late: Callable[[Request], Answer]
    ) -> None:
        self.ways, self.seconds, self.late = ways_of(host), seconds, late
        self.facts, self.notice = host.facts, host.notice

    async def _in_time(self, request: Request) -> Answer:
        try:
            async with timeout(self.seconds(request)):
                return await _value(self.ways[type(request)](request))
        except TimeoutError:
            return self.late(request)

    perform = priority = check = place = resolve = _in_time


async def _value(found: _T | Awaitable[_T]) -> _T:
    """What a method returned, waited for if it is a coroutine."""
    if isawaitable(found):
        return await found
    return found
