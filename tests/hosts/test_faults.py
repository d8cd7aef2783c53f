"""Whatever goes wrong around a game, it stays as it was, and there is one clear error."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import fsm
from fsm import Answer, Over, Priority, Request, TurnController
from fsm.errors import AnswerError, FsmError
from fsm.hosts import StackHost
from fsm.model import Model
from support.amounts import amount


class Busy(StackHost):
    """Casts two spells that trigger something, and has orders to be told of."""

    hand = 2

    def on_priority(self, request: Priority) -> Answer | None:
        if not self.hand or self.stack:
            return None
        self.hand -= 1
        self.stack, self.waiting = ["spell"], ["trigger"]
        return request.acted()

    def on_untap_permanents(self, request: fsm.Perform) -> Answer:
        return request.done(fsm.Effect("growth", "Ann"), fsm.DelayedTrigger("bell", "end"))


class Failing(Busy):
    """Fails in each of its methods once for each request, before it has done anything."""

    def __init__(self, game: TurnController, error: type[Exception]) -> None:
        super().__init__()
        self.game, self.error, self.failed = game, error, set[tuple[str, int]]()

    def fail(self, where: str) -> None:
        if (where, self.game.number) not in self.failed:
            self.failed.add((where, self.game.number))
            raise self.error

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


@pytest.mark.parametrize("error", [ConnectionError, StopIteration])
def test_a_host_that_fails_at_every_call_loses_nothing(
    error: type[Exception], game: TurnController
) -> None:
    """StopIteration, too, which Python does not let out of a generator."""
    straight, host = game.fork(), Failing(game, error)
    fsm.drive(straight, Busy(), until=lambda request: request.at.turn == 3)
    before: Any = None
    while game.position.turn < 3:
        before = game.snapshot()
        try:
            fsm.hosts.ask(game, host)
        except error:
            assert game.snapshot() == before
    assert game.snapshot() == straight.snapshot()
    assert len({where for where, _ in host.failed}) == 8


NONSENSE: list[Any] = [
    None,
    "passed",
    Answer("finished"),  # type: ignore[arg-type]
    Answer([]),  # type: ignore[arg-type]
    Answer("done", facts=5),  # type: ignore[arg-type]
    Answer("done", facts={"rain": True}),
    Answer("done", facts={3: True}),  # type: ignore[dict-item]
    Answer("done", facts={"stack_empty": 1}),  # type: ignore[dict-item]
    Answer("done", orders=5),  # type: ignore[arg-type]
    Answer("done", orders=("extra turn",)),  # type: ignore[arg-type]
    Answer("done", orders=(fsm.AddTurn(["Ann"]),)),  # type: ignore[arg-type]
    Answer("done", orders=(fsm.Signal("nothing"),)),
    Answer("done", orders=(fsm.Leave("nobody"),)),
]


def test_nonsense_is_refused_wherever_a_game_waits(game: TurnController) -> None:
    kinds = set[str]()

    def refuse(request: Request) -> bool:
        before = game.snapshot()
        for wrong in [] if request.kind in kinds else NONSENSE:
            with pytest.raises(FsmError) as error:
                game.answer(wrong)
            assert "\n" not in str(error.value)
        assert game.snapshot() == before
        kinds.add(request.kind)
        return len(kinds) == 5

    fsm.drive(game, Busy(), until=refuse)
    assert kinds == {"perform", "priority", "check_state", "place_triggers", "resolve"}


# answers at a bad moment --------------------------------------------------------------------------


def test_a_watcher_can_neither_answer_nor_put_another_game_in_place(game: TurnController) -> None:
    fork, before = game.fork(), game.snapshot()
    for meddle in (lambda record: game.answer(Answer()), lambda record: game.become(fork)):
        with game.watch(meddle), pytest.raises(AnswerError, match="taking in an answer already"):
            game.answer(Answer())
        assert game.snapshot() == before
    game.answer(Answer())
    assert game.snapshot() != before


class Impatient(fsm.BaseHost):
    """Answers the game itself."""

    def __init__(self, game: TurnController) -> None:
        self.game = game

    def on_perform(self, request: fsm.Perform) -> None:
        self.game.answer(request.done())


def test_a_host_that_answers_itself_is_told_so(
    game: TurnController, drive: Callable[..., Request | Over]
) -> None:
    """Its answer counts, and the one that it returns does not."""
    other = game.fork()
    other.answer(Answer())
    with pytest.raises(AnswerError, match="a host returns its answer"):
        drive(game, Impatient(game))
    assert game.snapshot() == other.snapshot()
    with pytest.raises(AnswerError, match="a host returns its answer"):
        fsm.hosts.ask(game, Impatient(game))
    with pytest.raises(AnswerError, match="a host returns its answer"):
        asyncio.run(fsm.aio.ask(game, Impatient(game)))


# threads ------------------------------------------------------------------------------------------


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Change threads as often as can be."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def in_threads(work: Callable[[], None]) -> None:
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.usefixtures("busy_threads")
def test_threads_that_share_a_game_are_refused_or_in_turn(game: TurnController) -> None:
    other, refused, done = game.fork(), list[AnswerError](), list[None]()

    def hammer() -> None:
        for _ in range(100):
            try:
                game.answer(game.request.quiet())  # type: ignore[union-attr]
            except AnswerError as error:
                refused.append(error)
        done.append(None)

    in_threads(hammer)
    assert len(done) == 4
    for _ in range(400 - len(refused)):
        other.answer(other.request.quiet())  # type: ignore[union-attr]
    assert game.snapshot() == other.snapshot()


@pytest.mark.usefixtures("busy_threads")
def test_games_in_different_threads_share_a_new_model_and_nothing_else() -> None:
    model, ends = Model.from_json(fsm.load("magic").to_json()), list[Any]()

    def play() -> None:
        game = TurnController(model, ["Ann", "Ben"])
        fsm.drive(game, Busy(), until=lambda request: request.at.turn == amount(3, 9))
        ends.append(game.snapshot())

    in_threads(play)
    assert ends == [ends[0]] * 4
