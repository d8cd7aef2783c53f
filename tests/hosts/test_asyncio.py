"""The loop for asyncio: coroutines play the same game, and whatever ends the waiting changes
nothing.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from hosts.conftest import turn

import fsm
from fsm import Answer, Priority, Request, Resolve, TurnController, aio
from fsm.hosts import StackHost
from fsm.model import Model


class Waiting(fsm.BaseHost):
    """Attacks, and else does nothing; every answer is waited for."""

    attackers_declared = True

    async def on_perform(self, request: Any) -> Answer | None:
        await asyncio.sleep(0)
        return None

    on_priority = on_check_state = on_perform


class Never(fsm.BaseHost):
    """Nobody ever presses a button once they have priority."""

    async def on_priority(self, request: Priority) -> Answer | None:
        await asyncio.Event().wait()
        return None


def test_many_games_of_coroutines_go_as_one_of_plain_methods(magic: Model) -> None:
    plain, *others = (TurnController(magic, ["Ann", "Ben"]) for _ in range(4))
    host: Any = fsm.BaseHost()
    host.attackers_declared = True
    fsm.drive(plain, host, until=turn(3))

    async def together() -> None:
        await asyncio.gather(*(aio.drive(game, Waiting(), until=turn(3)) for game in others))

    asyncio.run(together())
    assert all(game.snapshot() == plain.snapshot() for game in others)


class Slow(StackHost):
    """Casts a spell that waits while it resolves, until it may go on."""

    def __init__(self) -> None:
        super().__init__()
        self.may = asyncio.Event()

    async def on_priority(self, request: Priority) -> Answer | None:
        if self.stack or self.may.is_set():
            return None
        self.stack.append("Shock")
        return request.acted()

    async def resolve(self, top: Any, request: Resolve) -> Answer | None:
        await self.may.wait()
        return None


def test_what_is_cancelled_while_it_resolves_stays_on_the_stack(game: TurnController) -> None:
    host = Slow()
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(aio.drive(game, host), 0.01))
    assert isinstance(game.request, Resolve)
    assert host.stack == ["Shock"]

    host.may.set()
    asyncio.run(aio.drive(game, host, until=turn(2)))
    assert host.stack == []


class Asking(fsm.BaseHost):
    """Notes who is asked for priority, and who no longer. Ben takes his time."""

    def __init__(self) -> None:
        self.asked, self.cancelled = list[str](), list[str]()

    async def on_priority(self, request: Priority) -> Answer | None:
        self.asked.append(request.player)
        try:
            for _ in range(30 if request.player == "Ben" else 0):
                await asyncio.sleep(0)
        except asyncio.CancelledError:
            self.cancelled.append(request.player)
            raise
        return None


@pytest.mark.parametrize(
    ("leaver", "asked", "cancelled"),
    [("Ben", ["Ann", "Ben", "Cleo"], ["Ben"]), ("Cleo", ["Ann", "Ben"], [])],
)
def test_who_leaves_is_waited_for_no_longer(
    leaver: str, asked: list[str], cancelled: list[str], magic: Model
) -> None:
    game, host = TurnController(magic, ["Ann", "Ben", "Cleo"]), Asking()

    async def leaving() -> None:
        until = aio.drive(game, host, until=lambda request: request.at.step == "draw")
        task = asyncio.create_task(until)
        while "Ben" not in host.asked:
            await asyncio.sleep(0)
        game.order(fsm.Leave(leaver))
        await task

    asyncio.run(leaving())
    assert host.asked == asked
    assert host.cancelled == cancelled


def test_an_open_question_is_cancelled_when_the_game_goes_back(game: TurnController) -> None:
    """And when it goes forth again. Then the new request is asked."""
    host: Any = Asking()
    past = fsm.History(game)

    async def going_back() -> None:
        until = aio.drive(past, host, until=lambda request: request.at.turn == 2)
        task = asyncio.create_task(until)
        while host.asked.count("Ben") < 2:
            await asyncio.sleep(0)
        past.undo_to(lambda request: request.at.step == "upkeep")
        await task

    host.on_priority = decides(host.on_priority)
    asyncio.run(going_back())
    assert host.cancelled == ["Ben"]
    assert host.asked[:5] == ["Ann", "Ben", "Ann", "Ben", "Ben"]


def decides(ask: Callable[[Priority], Any]) -> Callable[[Priority], Any]:
    """The handler, but for a player who decides to pass."""

    async def asked(request: Priority) -> Answer:
        await ask(request)
        return request.passed()

    return asked


def test_of_two_loops_over_one_game_the_slower_is_refused(game: TurnController) -> None:
    async def both() -> list[Any]:
        loops = (aio.drive(game, Waiting(), until=turn(2)) for _ in range(2))
        return await asyncio.gather(*loops, return_exceptions=True)

    ends = asyncio.run(both())
    assert sorted(type(end).__name__ for end in ends) == ["AnswerError", "Perform"]


def test_who_is_late_is_answered_for(game: TurnController) -> None:
    late, past = list[Request](), fsm.History(game)

    def passes(request: Request) -> Answer:
        late.append(request)
        return Answer("passed")

    host = aio.TimeLimit(Never(), lambda r: 0.001 if r.kind == "priority" else None, passes)
    asyncio.run(aio.drive(past, host, until=lambda r: r.at.step == "precombat_main"))
    assert [request.by for request in late] == [("Ann",), ("Ben",)]
    assert past.decisions == ()


def test_a_timeout_of_the_host_is_not_that_of_the_limit(game: TurnController) -> None:
    class Offline(fsm.BaseHost):
        async def on_priority(self, request: Priority) -> Answer | None:
            raise TimeoutError("offline")

    host = aio.TimeLimit(Offline(), lambda request: 60, lambda request: request.quiet())
    with pytest.raises(TimeoutError, match="offline"):
        asyncio.run(aio.drive(game, host))
    assert isinstance(game.request, Priority)


def test_before_asking_may_be_a_coroutine(game: TurnController) -> None:
    heard = list[str]()

    class Showing(Waiting):
        async def before_asking(self, request: Request) -> None:
            await asyncio.sleep(0)
            heard.append(request.kind)

    asyncio.run(aio.drive(game, Showing(), until=lambda request: request.at.step == "upkeep"))
    assert heard == ["perform"] * 4
