"""Whatever goes wrong around a game, it stays as it was, and there is one clear error."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from hosts.conftest import Busy

import fsm
from fsm import Answer, Over, Priority, Request, TurnController
from fsm.errors import AnswerError


class Failing(Busy):
    """Fails in each of its methods once for each request, before it has done anything."""

    def __init__(self, game: TurnController) -> None:
        super().__init__()
        self.game, self.failed = game, set[tuple[str, int]]()

    def fail(self, where: str) -> None:
        if (where, self.game.number) not in self.failed:
            self.failed.add((where, self.game.number))
            raise ConnectionError

    def on_priority(self, request: Priority) -> Answer | None:
        self.fail("priority")
        return super().on_priority(request)

    def resolve(self, top: Any, request: fsm.Resolve) -> None:
        self.fail("resolve")

    def on_perform(self, request: fsm.Perform) -> None:
        self.fail("perform")

    def on_result(self, result: fsm.Result) -> None:
        self.fail("result")

    def on_triggered(self, id: str) -> None:
        self.fail("triggered")

    def on_expired(self, id: str) -> None:
        self.fail("expired")

    def fact(self, name: str) -> None:
        self.fail("fact")

    @property
    def sba_performed(self) -> bool:
        self.fail("property")
        return False


def test_a_host_that_fails_at_every_call_loses_nothing(game: TurnController) -> None:
    straight, host = game.fork(), Failing(game)
    fsm.drive(straight, Busy(), until=lambda request: request.at.turn == 3)
    before: Any = None

    def noted(request: Request) -> bool:
        nonlocal before
        before = game.snapshot()
        return request.at.turn == 3

    while game.position.turn < 3:
        try:
            fsm.drive(game, host, until=noted)
        except ConnectionError:
            assert game.snapshot() == before
    assert game.snapshot() == straight.snapshot()
    assert len({where for where, _ in host.failed}) == 8


# answers at a bad moment --------------------------------------------------------------------------


def test_a_watcher_can_neither_answer_nor_put_another_game_in_place(game: TurnController) -> None:
    fork, before = game.fork(), game.snapshot()
    meddling: list[Callable[[Any], object]] = [
        lambda answered: game.answer(Answer()),
        lambda answered: setattr(game, "standing", fork.standing),
    ]
    for meddle in meddling:
        with game.watch(meddle), pytest.raises(AnswerError, match="another answer is being"):
            game.answer(Answer())
        assert game.snapshot() == before
    game.answer(Answer())
    assert game.snapshot() != before


def test_a_host_that_answers_itself_is_told_so(
    game: TurnController, drive: Callable[..., Request | Over]
) -> None:
    """Its answer counts, and the one that it returns does not."""
    other = game.fork()
    host: Any = fsm.BaseHost()

    def answer_itself(request: fsm.Perform) -> None:
        game.answer(request.done())

    host.on_perform = answer_itself
    other.answer(Answer())
    with pytest.raises(AnswerError, match="a host returns its answer"):
        drive(game, host)
    assert game.snapshot() == other.snapshot()


# threads ------------------------------------------------------------------------------------------


def test_threads_that_share_a_game_are_refused_or_in_turn(game: TurnController) -> None:
    other, refused, done = game.fork(), list[AnswerError](), list[None]()

    def hammer() -> None:
        for _ in range(100):
            try:
                game.answer(game.request.quiet())  # type: ignore[union-attr]
            except AnswerError as error:
                refused.append(error)
        done.append(None)

    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # threads change as often as can be
    threads = [threading.Thread(target=hammer) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(usual)
    assert len(done) == 4
    for _ in range(400 - len(refused)):
        other.answer(other.request.quiet())  # type: ignore[union-attr]
    assert game.snapshot() == other.snapshot()
