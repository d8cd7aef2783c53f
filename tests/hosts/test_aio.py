"""The asyncio front: the same runs and traces as with callbacks; whatever ends the waiting changes
nothing.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Priority, Request, TurnController
from fsm.errors import AnswerError
from fsm.hosts import aio
from fsm.rulesets import names


class Waiting(aio.BaseHost):
    """Nobody does anything, but every answer is waited for."""

    async def on_perform(self, request: Any) -> Answer | None:
        await asyncio.sleep(0)
        return None

    on_check_state = on_place_triggers = on_resolve = on_perform

    async def on_priority(self, request: Priority) -> Answer | None:
        await asyncio.sleep(0)
        return None

    async def fact(self, name: str) -> bool | None:
        await asyncio.sleep(0)
        return None


def third_turn(request: Request | Over) -> bool:
    return request.at.turn == 3


@pytest.mark.parametrize("host", [fsm.BaseHost(), Waiting()], ids=["plain", "coroutines"])
@pytest.mark.parametrize("name", names())
def test_the_same_game_as_with_callbacks(name: str, host: Any) -> None:
    model = fsm.load(name)
    called, awaited = (TurnController(model, ["A", "B"]) for _ in "ab")
    last = fsm.drive(called, fsm.BaseHost(), until=third_turn)
    assert asyncio.run(aio.drive(awaited, host, until=third_turn)) == last
    assert awaited.trace.entries == called.trace.entries


def test_many_players_wait_at_once() -> None:
    """Tables take turns in one loop; each goes on by itself."""
    model = fsm.load("magic")
    tables = [TurnController(model, ["A", "B"]) for _ in range(20)]

    async def all_at_once() -> list[Request | Over]:
        return await asyncio.gather(
            *(aio.drive(table, Waiting(), until=third_turn) for table in tables)
        )

    assert {request.at.turn for request in asyncio.run(all_at_once())} == {3}


class Never(Waiting):
    """Nobody ever presses a button once they have priority."""

    async def on_priority(self, request: Priority) -> Answer | None:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("how", ["timeout", "cancelled"])
def test_what_ends_the_waiting_leaves_the_request(how: str) -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    fsm.drive(game, fsm.BaseHost(), until=lambda request: isinstance(request, Priority))

    async def interrupted() -> None:
        if how == "timeout":
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(aio.drive(game, Never()), 0.05)
            return
        task = asyncio.create_task(aio.drive(game, Never()))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(interrupted())
    assert isinstance(game.request, Priority)
    before = game.snapshot()
    assert asyncio.run(aio.drive(game, Waiting(), until=third_turn)).at.turn == 3
    assert TurnController.restore(game.model, before).request.at.turn == 1


def test_a_host_that_raises_changes_nothing() -> None:
    class Failing(Waiting):
        async def fact(self, name: str) -> bool | None:
            raise ConnectionError("gone")

    game = TurnController(fsm.load("magic"), ["A", "B"])
    with pytest.raises(ConnectionError):
        asyncio.run(aio.drive(game, Failing()))
    assert game.snapshot() == TurnController.restore(game.model, game.snapshot()).snapshot()
    assert asyncio.run(aio.drive(game, Waiting(), until=third_turn)).at.turn == 3


def test_who_is_late_is_answered_for() -> None:
    """Players who never answer have priority for an instant, and are passed for."""
    late: list[str] = []

    def passes(request: Request | Over) -> Answer:
        late.append(type(request).__name__)
        return Answer("passed")

    def limit(request: Request | Over) -> float | None:
        return 0.001 if isinstance(request, Priority) else None

    timed, quiet = (TurnController(fsm.load("magic"), ["A", "B"]) for _ in "ab")
    asyncio.run(
        aio.drive(
            timed, aio.TimeLimit(Never(), limit, passes), until=lambda request: request.at.turn == 2
        )
    )
    fsm.drive(quiet, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert timed.trace.entries == quiet.trace.entries
    assert set(late) == {"Priority"}


def test_a_host_that_answers_the_controller_itself_is_told_so() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])

    class Meddler(Waiting):
        async def on_perform(self, request: Any) -> Answer:
            game.answer(Answer())
            return Answer()

    with pytest.raises(AnswerError, match="the game went on while its host was asked"):
        asyncio.run(aio.ask(game, Meddler()))
    assert len(game.trace.answers) == 1
