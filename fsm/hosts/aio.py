"""Hosts for asyncio. The methods of a host may be coroutines, for instance to wait for players on
sockets.

    await fsm.aio.drive(game, host)

The controller itself never waits. It processes an answer completely or not at all. If the wait ends
early, by a cancelled task or a timeout, the game has not changed and makes the same request again.
"""

from __future__ import annotations

from asyncio import CancelledError, current_task, timeout
from collections.abc import Awaitable, Callable
from dataclasses import replace
from inspect import isawaitable
from typing import Any, TypeAlias, TypeVar

from fsm.engine.order_results import Result
from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
)
from fsm.engine.watching import Answered
from fsm.hosts.autopass import AutoPass as AutoPass
from fsm.hosts.endless import LIMIT, Watch
from fsm.hosts.game import Game
from fsm.hosts.host import BaseHost as PlainBaseHost
from fsm.hosts.host import Stacked
from fsm.hosts.responding import (
    HandlerHost,
    Responder,
    Steps,
    Stopped,
    WrappingHost,
    WrappingResponder,
    default,
    is_awaited,
    over,
    responder_of,
    went_on,
)

_T = TypeVar("_T")


class BaseHost(HandlerHost):
    """A host with a default for everything, as `fsm.BaseHost`. Its methods may be plain or
    coroutines.

    It is a class of its own, since to type checkers a coroutine does not override a plain method.
    What each method gets and returns is written at `fsm.BaseHost`.
    """

    @default
    def on_perform(self, request: Perform) -> Answer | Awaitable[Answer | None] | None:
        """Perform the turn-based action `request.action` for `request.by`."""
        return None

    @default
    def on_priority(self, request: Priority) -> Answer | Awaitable[Answer | None] | None:
        """Let the player who has priority act or pass."""
        return None

    @default
    def on_check_state(self, request: CheckState) -> Answer | Awaitable[Answer | None] | None:
        """Perform the state-based actions that apply now."""
        return None

    @default
    def on_place_triggers(self, request: PlaceTriggers) -> Answer | Awaitable[Answer | None] | None:
        """Put the waiting triggers on the stack."""
        return None

    @default
    def on_resolve(self, request: Resolve) -> Answer | Awaitable[Answer | None] | None:
        """Resolve the top of the stack."""
        return None

    @default
    def on_result(self, result: Result) -> Awaitable[None] | None:
        """Process what became of an order."""
        return None

    @default
    def on_expired(self, id: str) -> Awaitable[None] | None:
        """Process that a duration has ended."""
        return None

    @default
    def on_triggered(self, id: str) -> Awaitable[None] | None:
        """Process that an "at the beginning of" trigger has triggered."""
        return None

    @default
    def fact(self, name: str) -> bool | Awaitable[bool | None] | None:
        """Tell a fact that an answer left out and for which the host has no member."""
        return None


class StackHost(Stacked, BaseHost):
    """A host that keeps the stack, as `fsm.hosts.StackHost`. Its methods may be plain or
    coroutines.

    Parameters
    ----------
    stack
        What is on the stack, the top last.
    waiting
        The triggers that wait to be put on the stack.
    """

    def resolve(self, top: Any, request: Resolve) -> Answer | Awaitable[Answer | None] | None:
        """Resolve the top of the stack. It is taken off when this has returned; if this raises, it
        stays.

        Parameters
        ----------
        top
            The top of the stack.
        request
            The request.

        Returns
        -------
        Answer or None
            `request.done(...)`, with the orders of what resolves, or None if there is nothing to
            tell.
        """
        return None

    async def on_resolve(self, request: Resolve) -> Answer | None:
        """Resolve the top of the stack by `resolve`, then take it off."""
        top = self._top()
        answer = await value_of(self.resolve(top, request))
        self._resolved(top)
        return answer


AnyHost: TypeAlias = BaseHost | PlainBaseHost | WrappingHost
"""A host whose methods may be plain or coroutines."""


async def drive(
    game: Game, host: AnyHost, *, until: Callable[[Request], bool] | None = None, limit: int = LIMIT
) -> Request | Over:
    """Let a host answer until the game is over, as `fsm.drive` does.

    If the request changes while the host is waited for, because a player left, what waits is
    cancelled and the new request is asked.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.
    until
        A function that gets each request before it is answered. If it returns True, `drive` stops
        there.
    limit
        A host is stopped if it gives more than this many answers in the same step of a turn, and
        nobody acts.

    Returns
    -------
    Request or Over
        The request that was not answered, or how the game ended.

    Raises
    ------
    HostError
        As `fsm.drive` does.
    AnswerError
        If something else answered the request while the host was asked, for instance another task
        that drives the same game.

    An error of the host is passed on. The game then still has the request that the host was asked.
    """
    responder, watch, left = responder_of(host, game), Watch(game, limit), limit
    while not isinstance(request := game.request, Over) and not (until and until(request)):
        answer = await _answer(responder, request)
        if answer is None:
            continue
        left -= 1
        if not left:
            left = watch.look(request, answer)
        game.answer(answer)
    return request


async def ask(game: Game, host: AnyHost) -> Request | Over:
    """Let a host answer one request.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.

    Returns
    -------
    Request or Over
        The next request.

    Raises
    ------
    AnswerError
        If the game is over, or if something else answered the request while the host was asked.
    HostError
        As `fsm.drive` does.
    """
    responder, answer = responder_of(host, game), None
    while answer is None:
        request = game.request
        if isinstance(request, Over):
            raise over()
        answer = await _answer(responder, request)
    return game.answer(answer)


async def _answer(responder: Responder, request: Request) -> Answer | None:
    """Return the answer of a host, or None if the request has changed meanwhile because somebody
    left.
    """
    game, steps, value = responder.game, responder.answering(request), None
    try:
        while True:
            value = steps.send(value)
            if is_awaited(value):
                with _Waiting(game, request) as waiting:
                    value = await value
                if waiting.changed:
                    return None
    except StopIteration as end:
        answer: Answer = end.value
    now = game.request
    if now is not request and not _same(now, request):
        raise went_on()
    return answer


class _Waiting:
    """Cancels what waits for an answer when the request changes by an order that is given
    meanwhile.

    The task is cancelled as `asyncio.timeout` does it.
    """

    def __init__(self, game: Game, request: Request) -> None:
        self._game, self._request, self.changed = game, request, False

    def __enter__(self) -> _Waiting:
        """Watch the game."""
        self._task, self._count = current_task(), len(self._game.agenda.left)
        self._stop = self._game.watch_answers(self._watch)
        return self

    def _watch(self, answered: Answered) -> None:
        left = len(self._game.agenda.left) > self._count
        if self.changed or not left or _same(self._game.request, self._request):
            return
        self.changed = True
        if self._task is not None and self._task is not current_task():
            self._task.cancel()

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> bool:
        """End the watching. A cancellation of our own goes no further."""
        self._stop()
        cancelled = self.changed and kind is not None and issubclass(kind, CancelledError)
        return cancelled and self._task is not None and self._task.uncancel() == 0


def _same(now: Request | Over, request: Request) -> bool:
    """Say whether a request is still the same after an order that was given meanwhile."""
    return type(now) is type(request) and (now.at, now.state, now.by) == (
        request.at,
        request.state,
        request.by,
    )


class TimeLimit(WrappingHost):
    """A host that limits the time for an answer. If the time is over, it cancels the method and
    gives another answer.

    What the host is told, and the facts that it tells, have no limit.

    Parameters
    ----------
    host
        The host that answers.
    seconds
        A function that returns how many seconds a request may take, or None for no limit.
    late
        A function that returns the answer to a request if its time is over. It is marked as
        automatic.
    """

    def __init__(
        self,
        host: AnyHost,
        seconds: Callable[[Request], float | None],
        late: Callable[[Request], Answer],
    ) -> None:
        self.host: AnyHost = host
        self.seconds: Callable[[Request], float | None] = seconds
        self.late: Callable[[Request], Answer] = late

    def responder(self, game: Game) -> Responder:
        """Return what answers for a game."""
        return _Limiting(self, self.host, game)


class _Limiting(WrappingResponder[TimeLimit]):
    """Asks the host of a TimeLimit."""

    def asking(self, request: Request) -> Steps[Any]:
        """Ask the host, or give the late answer."""
        return (yield self._in_time(request))

    async def _in_time(self, request: Request) -> Any:
        try:
            async with timeout(self.wrapping.seconds(request)):
                return await _settled(self.inner.asking(request))
        except TimeoutError:
            return replace(self.wrapping.late(request), automatic=True)


async def _settled(steps: Steps[_T]) -> _T:
    """Run a conversation with a host that may wait."""
    value = None
    try:
        while True:
            value = await value_of(steps.send(value))
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    except Stopped as carried:
        raise carried.error from None  # a coroutine lets it out as a RuntimeError


async def value_of(found: _T | Awaitable[_T]) -> _T:
    """Return what a method returned. If it is awaitable, wait for its value."""
    return (await found) if isawaitable(found) else found
