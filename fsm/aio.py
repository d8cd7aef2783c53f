"""Driving a game with asyncio: the methods of a host may be coroutines, for instance to wait for
players on sockets.

    await fsm.aio.drive(game, host)

The controller itself never waits. It processes an answer completely or not at all. If the wait ends
early, by a cancelled task or a timeout, the game has not changed and makes the same request again.
"""

from __future__ import annotations

from asyncio import CancelledError, current_task, timeout
from collections.abc import Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.trace import Answered
from fsm.hosts.driving import LIMIT, Changed, Conversation, Host, Until, same
from fsm.hosts.history import History
from fsm.hosts.host import WrappingHost

__all__ = ["TimeLimit", "drive"]


async def drive(
    game: TurnController, host: Host, *, until: Until = None, limit: int = LIMIT
) -> Request | Over:
    """Let a host answer until the game is over, as `fsm.drive` does.

    If the request changes while the host is waited for, because a player left or the `History` went
    back, what waits is cancelled and the new request is asked.

    Parameters, what is returned, and errors are those of `fsm.drive`. An AnswerError also says that
    another task drives the same game.
    """
    steps = Conversation(game, host).run(until, limit)
    value: Any = None
    changed = False
    try:
        while True:
            awaited, wrappers = steps.throw(Changed()) if changed else steps.send(value)
            request: Any = game.request
            for wrapper in reversed(wrappers):
                awaited = wrapper.waiting(request, awaited)
            value, changed = await _unless_changed(game, awaited)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


async def _unless_changed(game: TurnController, awaited: Awaitable[Any]) -> tuple[Any, bool]:
    """Return what is awaited, and whether the request has changed: a player left, or the game went
    back. Then the task is cancelled, as `asyncio.timeout` does it.
    """
    task, request, left = current_task(), game.request, len(game.run.left)
    assert task is not None
    changed = False

    def cancel() -> None:
        nonlocal changed
        if not changed and task is not current_task():
            task.cancel()
        changed = True

    def moved(_: int) -> None:
        if task is not current_task():  # else the conversation finds it out itself
            cancel()

    def answered(_: Answered) -> None:
        if len(game.run.left) > left and not same(game.request, request):
            cancel()

    with ExitStack() as stops:
        stops.enter_context(game.watch(answered))
        if isinstance(game, History):
            stops.enter_context(game.watch_moves(moved))
        try:
            return await awaited, changed
        except CancelledError:
            if changed and task.uncancel() == 0:
                return None, True
            raise


@dataclass(eq=False)
class TimeLimit(WrappingHost):
    """A host that limits the time for an answer. If the time is over, it cancels the method and
    gives another answer.

    What the host is told, and the facts that it tells, have no limit. A method that is not a
    coroutine cannot be cancelled, and is never late.

    Parameters
    ----------
    host
        The host that answers. It may itself wrap another.
    seconds
        A function that returns how many seconds a request may take, or None for no limit.
    late
        A function that returns the answer to a request if its time is over. It is marked as
        automatic.
    """

    host: Host
    seconds: Callable[[Request], float | None]
    late: Callable[[Request], Answer]

    async def waiting(self, request: Request, awaitable: Awaitable[Any]) -> Any:
        """Return what is awaited, or the late answer."""
        limit = timeout(self.seconds(request))
        try:
            async with limit:
                return await awaitable
        except TimeoutError:
            if not limit.expired():
                raise
            return replace(self.late(request), automatic=True)
