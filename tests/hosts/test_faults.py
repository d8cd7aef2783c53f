"""Whatever goes wrong around a controller, nothing is lost, nothing is half done, and there is one
clear error.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm import AddTurn, Answer, Over, Priority, Request, Signal, TurnController, drive
from fsm.engine import Record
from fsm.errors import AnswerError, FsmError, SnapshotError, StuckError
from fsm.hosts import aio
from fsm.hosts.host import ask
from fsm.model import Model
from fsm.rulesets import names
from support import processes
from support.amounts import amount
from support.folders import TESTS
from support.playing import leaves, quiet, started
from support.wanderer import Wanderer


class Away(Exception):
    """What the game's own code raises."""


def stands(game: TurnController) -> tuple[Any, ...]:
    return game.snapshot(), game.request, list(game.trace.entries)


def twin(game: TurnController) -> TurnController:
    head = game.head
    return TurnController(game.model, head.players, teams=head.teams, settings=head.settings)


def some_games(name: str, answers: int = 600) -> Iterator[TurnController]:
    return Wanderer(fsm.load(name), 23).games(answers)


# hosts that raise ---------------------------------------------------------------------------------


class Failing(fsm.BaseHost):
    """Gives recorded answers, the facts apart from the words; each call fails once before it
    succeeds.
    """

    def __init__(self, answers: list[Answer]) -> None:
        self.left = iter(answers)
        self.given = next(self.left)
        self.failed: set[str] = set()
        self.failures = 0

    def on_perform(self, request: Request) -> Answer:
        self.fail("word")
        volunteered = {
            name: value for name, value in self.given.facts.items() if name not in request.facts
        }
        return Answer(self.given.word, volunteered, self.given.orders, self.given.signal)

    on_priority = on_check_state = on_place_triggers = on_resolve = on_perform

    def fact(self, name: str) -> bool | None:
        self.fail("fact")
        return self.given.facts.get(name)

    def on_expired(self, id: str) -> None:
        self.fail(f"expired {id}")

    def on_triggered(self, id: str) -> None:
        self.fail(f"triggered {id}")

    def fail(self, call: str) -> None:
        if call not in self.failed:
            self.failed.add(call)
            self.failures += 1
            raise Away

    def onward(self) -> bool:
        """The answer was taken in; is there another?"""
        self.failed.clear()
        following = next(self.left, None)
        self.given = following or self.given
        return following is not None


@pytest.mark.parametrize("name", names())
def test_a_host_that_fails_at_every_call_loses_nothing(name: str) -> None:
    failures = 0
    for played in some_games(name):
        game, host = twin(played), Failing(played.trace.answers)
        while True:
            before = game.snapshot(), game.request
            try:
                ask(game, host)
            except Away:
                assert (game.snapshot(), game.request) == before
                continue
            if not host.onward():
                break
        assert (game.trace.records, game.snapshot()) == (played.trace.records, played.snapshot())
        failures += host.failures
    print(f"{name}: {failures} faults injected, none lost anything")
    assert failures > 600


# nonsense -----------------------------------------------------------------------------------------

NONSENSE: list[Any] = [
    None,
    "passed",
    5,
    {"word": "done"},
    Answer("finished"),  # type: ignore[arg-type]
    Answer(3),  # type: ignore[arg-type]
    Answer([]),  # type: ignore[arg-type]
    Answer("done", facts=5),  # type: ignore[arg-type]
    Answer("done", facts=[("stack_empty", True)]),  # type: ignore[arg-type]
    Answer("done", facts={"rain": True}),
    Answer("done", facts={3: True}),  # type: ignore[dict-item]
    Answer("done", facts={"stack_empty": 1}),  # type: ignore[dict-item]
    Answer("done", orders=5),  # type: ignore[arg-type]
    Answer("done", orders=("extra turn",)),  # type: ignore[arg-type]
    Answer("done", orders=(AddTurn("nobody"),)),
    Answer("done", orders=(AddTurn(["A"]),)),  # type: ignore[arg-type]
    Answer("done", signal="end_turn"),  # type: ignore[arg-type]
    Answer("done", signal=Signal("nothing")),
    Answer("done", signal=Signal([])),  # type: ignore[arg-type]
    Answer("done", signal=leaves("nobody")),
]


@pytest.mark.parametrize("name", names())
def test_nonsense_is_refused_wherever_a_game_waits(name: str) -> None:
    for played in some_games(name, 150):
        game = twin(played)
        for answer in played.trace.answers:
            before = game.snapshot()
            for wrong in NONSENSE:
                with pytest.raises(FsmError) as error:
                    game.answer(wrong)
                assert "\n" not in str(error.value)
            assert game.snapshot() == before
            game.answer(answer)
        assert game.trace == played.trace


# calling back -------------------------------------------------------------------------------------


def test_a_watcher_cannot_answer(magic: Model) -> None:
    game = started(magic)

    def meddle(record: Record) -> None:
        game.answer(quiet(game.request))

    stop = game.watch(meddle)
    before = stands(game)
    with pytest.raises(AnswerError, match="is taking in an answer already"):
        game.answer(quiet(game.request))
    assert stands(game) == before
    stop()
    game.answer(quiet(game.request))


def test_a_watcher_cannot_put_another_game_in_its_place(magic: Model) -> None:
    game = started(magic)
    fork = game.fork()

    def put_the_fork(record: Record) -> None:
        game.become(fork)

    game.watch(put_the_fork)
    before = stands(game)
    with pytest.raises(AnswerError, match="is taking in an answer already"):
        game.answer(quiet(game.request))
    assert stands(game) == before


class Impatient(fsm.BaseHost):
    """A host that answers the controller itself."""

    def __init__(self, game: TurnController) -> None:
        self.game = game

    def on_perform(self, request: Request) -> Answer:
        self.game.answer(quiet(request))
        return quiet(request)


@pytest.mark.parametrize("front", ["drive", "ask", "aio.drive", "aio.ask"])
def test_a_host_that_answers_itself_is_told_so(magic: Model, front: str) -> None:
    """Its answer counts, the one that it returns does not."""
    game, other = started(magic), started(magic)
    other.answer(quiet(other.request))
    with pytest.raises(AnswerError, match="a host returns its answer"):
        if front.startswith("aio"):
            asyncio.run(getattr(aio, front[4:])(game, Impatient(game)))
        else:
            {"drive": drive, "ask": ask}[front](game, Impatient(game))
    assert stands(game) == stands(other)


def test_of_two_tasks_that_drive_one_game_the_slower_is_told_so(magic: Model) -> None:
    class Slow(aio.BaseHost):
        async def on_perform(self, request: Request) -> Answer:
            await asyncio.sleep(0)
            return quiet(request)

        on_priority = on_check_state = on_place_triggers = on_resolve = on_perform

    game = started(magic)

    async def both() -> list[Any]:
        drives = (aio.drive(game, Slow(), until=lambda r: r.at.turn == 2) for _ in range(2))
        return await asyncio.gather(*drives, return_exceptions=True)

    ends = asyncio.run(both())
    assert sorted(type(end).__name__ for end in ends) == ["AnswerError", "Perform"]
    assert game.trace.replay(magic).snapshot() == game.snapshot()


# leaving ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_whoever_leaves_while_having_priority_leaves_a_game_that_goes_on(name: str) -> None:
    model, tried = fsm.load(name), 0
    for played in some_games(name, 300):
        game = twin(played)
        for answer in played.trace.answers:
            request = game.request
            holder = request.player if isinstance(request, Priority) else ""
            for word in ("passed", "acted") if holder else ():
                fork = game.fork()
                fork.answer(quiet(request, word=word, signal=leaves(holder)))
                for _ in range(40):
                    if isinstance(fork.request, Over):
                        break
                    asked = fork.request
                    assert not (isinstance(asked, Priority) and holder in asked.players)
                    fork.answer(quiet(asked))
                if tried % 20 == 0:
                    assert fork.trace.replay(model).snapshot() == fork.snapshot()
                tried += 1
            game.answer(answer)
    print(f"{name}: {tried} times a player left with priority")
    assert tried > 100


# threads ------------------------------------------------------------------------------------------


@pytest.fixture
def busy_threads() -> Iterator[None]:
    """Threads are changed as often as can be."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(usual)


def together(count: int, work: Any) -> None:
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.usefixtures("busy_threads")
@pytest.mark.parametrize("watched", [False, True])
def test_threads_that_share_a_controller_are_refused_or_in_turn(
    magic: Model, watched: bool
) -> None:
    game, refused, wrong = started(magic), [], list[BaseException]()
    if watched:
        game.watch(lambda record: time.sleep(0))

    def hammer(number: int) -> None:
        for _ in range(400):
            try:
                game.answer(quiet(game.request))
            except AnswerError as error:
                refused.append(str(error))
            except BaseException as error:
                wrong.append(error)

    together(4, hammer)
    assert wrong == []
    assert game.trace.replay(magic).snapshot() == game.snapshot()
    assert len(game.trace.answers) + len(refused) == 1600
    assert bool(refused) or not watched


@pytest.mark.usefixtures("busy_threads")
def test_games_in_different_threads_share_a_model_and_nothing_else() -> None:
    """The model is a new one, so that all that is computed of it is first asked for by all threads
    at once.
    """
    magic = replace(fsm.load("magic"), name="another")
    played = [game.trace for game in some_games("magic", 1_500)][:6]
    found: dict[int, Any] = {}

    def play(number: int) -> None:
        head = played[number].head
        game = TurnController(magic, head.players, teams=head.teams, settings=head.settings)
        for answer in played[number].answers:
            game.answer(answer)
        found[number] = game.trace.entries

    together(len(played), play)
    assert [found[number] for number in range(len(played))] == [trace.entries for trace in played]


# kills --------------------------------------------------------------------------------------------

SAVING = """
import json, os, sys
import fsm
sys.path.insert(0, {tests!r})
from support.playing import quiet
game, told = fsm.TurnController(fsm.load("magic"), ("A", "B")), False
while True:
    game.answer(quiet(game.request))
    with open("next.json", "w") as file:
        json.dump(game.snapshot(), file)
    os.replace("next.json", "saved.json")
    told = told or print("saved once", flush=True) or True
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no such signal here")
def test_a_process_killed_while_it_saves_leaves_a_whole_game(magic: Model, tmp_path: Path) -> None:
    """Written beside and put in place: what a reader finds is the last whole one."""
    program = SAVING.format(tests=str(TESTS))
    here = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    chance = random.Random(5)
    for _ in range(amount(2, 6)):
        with processes.started([sys.executable, "-c", program], cwd=tmp_path, env=here) as child:
            assert child.line() == "saved once"
            time.sleep(0.05 + chance.random() / 20)
            child.end(signal.SIGKILL)
        game = TurnController.restore(
            magic, json.loads((tmp_path / "saved.json").read_text("utf-8"))
        )
        game.answer(quiet(game.request))


def test_a_snapshot_cut_anywhere_is_refused(magic: Model) -> None:
    game = started(magic)
    for _ in range(30):
        game.answer(quiet(game.request))
    whole = game.snapshot()
    for name in list(whole):
        with pytest.raises(SnapshotError):
            TurnController.restore(
                magic, {key: value for key, value in whole.items() if key != name}
            )


def test_a_hole_in_the_model_is_one_error_and_nothing_has_changed(magic: Model) -> None:
    broken = magic.without("upkeep_window -> upkeep_end on closed")
    game = started(broken)
    with pytest.raises(StuckError, match="nothing can fire here"):
        while True:
            before = game.snapshot()
            game.answer(quiet(game.request))
    assert game.snapshot() == before
