"""Collecting: of every TurnController, in threads, tasks, forked and started processes, and when a
run is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from random import Random
from subprocess import CompletedProcess
from typing import Any

import pytest
import transitions

import fsm
from fsm import Answer, Priority, Signal, TurnController
from fsm.adapters import model_of
from fsm.coverage import Data, collecting, combine, context, covered, data_of, subject_of, switch
from fsm.coverage.instrumentation import collecting_now
from fsm.errors import AnswerError, CoverageError, StaleAnswerError
from fsm.rulesets import names
from support import processes
from support.amounts import amount
from support.folders import ROOT
from support.playing import quiet
from support.wanderer import Wanderer

# What is in the way, and in which test's name it is noted, is measured here.
pytestmark = pytest.mark.no_fsm_cov
MAGIC = fsm.load("magic")
WINDOW = "window"


def play(model: Any = MAGIC, answers: int = 60) -> TurnController:
    """A quiet game of so many answers."""
    game = TurnController(model, ("A", "B"))
    for _ in range(answers):
        window = game.model.window if _inside(game) else None
        word: Any = window.state(game.request.state).words[-1] if window else "done"
        game.answer(Answer(word, dict.fromkeys(game.request.facts, False) | {"stack_empty": True}))
    return game


def _inside(game: TurnController) -> bool:
    return game.request.state != game.request.at.stage


def seen(data: Data, model: Any = MAGIC) -> Any:
    return data.seen[subject_of(model)]


# games --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_what_is_collected_is_what_the_traces_of_the_games_say(name: str) -> None:
    """Traces are made of the fast way, firing by firing, afterwards; collecting goes firing by
    firing at once.
    """
    model = fsm.load(name)
    with collecting() as session:
        games = list(Wanderer(model, 21).games(amount(1_000, 4_000)))
    assert session.data == data_of(model, [game.trace for game in games])
    assert session.data.firings > amount(2_000, 8_000)


def test_a_game_goes_as_it_does_unwatched() -> None:
    unwatched = [game.trace.entries for game in Wanderer(MAGIC, 22).games(1_500)]
    with collecting():
        watched = [game.trace.entries for game in Wanderer(MAGIC, 22).games(1_500)]
    assert watched == unwatched


def test_nothing_is_in_the_way_before_and_after() -> None:
    from transitions import core
    from transitions.extensions import asyncio as later
    from transitions.extensions import nesting

    places = [
        *((TurnController, name) for name in ("__init__", "answer")),
        *((core.Transition, "execute"), (later.AsyncTransition, "execute")),
        *(
            (core.Condition, "check"),
            (later.AsyncCondition, "check"),
            (core.Event, "_is_valid_source"),
        ),
        *((core.Machine, "set_state"), (nesting.HierarchicalMachine, "set_state")),
        *((fsm.engine.Machine, "compiled"), (os, "_exit")),
    ]
    before = [(getattr(owner, name), name in vars(owner)) for owner, name in places]
    with collecting():
        assert collecting_now()
        assert all(
            getattr(owner, name) != was
            for (owner, name), (was, _) in zip(places, before, strict=True)
        )
    assert not collecting_now()
    assert [(getattr(owner, name), name in vars(owner)) for owner, name in places] == before


def test_an_answer_that_is_rolled_back_is_not_taken() -> None:
    def refuse(_: object) -> None:
        raise ValueError("no")

    game = TurnController(MAGIC, ("A", "B"))
    with collecting() as session:
        game.answer(Answer())
        taken = session.data.firings
        game.watch(refuse)
        with pytest.raises(ValueError, match="no"):
            game.answer(Answer())
        assert session.data.firings == taken > 0


def test_an_answer_to_an_earlier_request_is_refused_as_ever() -> None:
    with collecting():
        game = TurnController(MAGIC, ("A", "B"))
        game.answer(Answer(), to=0)
        with pytest.raises(StaleAnswerError):
            game.answer(Answer(), to=0)
        history = fsm.History(game)
        history.answer(Answer())
        assert history.number == 2


def test_a_watcher_of_the_users_own_sees_the_same_and_stays() -> None:
    records: list[object] = []
    with collecting() as session:
        game = TurnController(MAGIC, ("A", "B"))
        started = session.data.firings
        game.watch(records.append)
        game.answer(Answer())
        assert session.data.firings == started + len(records)
    count = len(records)
    game.answer(Answer())
    assert len(records) > count > 0


def test_forks_and_games_that_come_from_elsewhere_are_followed_from_there() -> None:
    game = TurnController(MAGIC, ("A", "B"))
    while not isinstance(game.request, Priority):
        game.answer(Answer("done", dict.fromkeys(game.request.facts, False)))
    with collecting() as session:
        fork, again = game.fork(), TurnController.restore(MAGIC, game.snapshot())
        for each in (game, fork, again):
            each.answer(Answer("passed", {"stack_empty": True}))
    walks = seen(session.data).walks
    assert [count for walk, count in walks.items() if walk.machine == WINDOW] == [3]


def test_each_fork_is_a_walk_of_its_own() -> None:
    """Forks that are gone leave their id to others."""
    game = play()
    while not isinstance(game.request, Priority):
        game.answer(Answer("done", dict.fromkeys(game.request.facts, False)))
    with collecting() as session:
        for _ in range(20):
            fork = game.fork()
            fork.answer(Answer("acted"))
            del fork
    assert [(walk.machine, len(walk.steps), n) for walk, n in seen(session.data).walks.items()] == [
        (WINDOW, 1, 20)
    ]


def test_a_signal_that_drops_a_window_ends_its_walk() -> None:
    with collecting() as session:
        game = play(answers=30)
        while not isinstance(game.request, Priority):
            game.answer(Answer("done", dict.fromkeys(game.request.facts, False)))
        fork = game.fork()
        before = sum(n for walk, n in seen(session.data).walks.items() if walk.machine == WINDOW)
        fork.answer(Answer("acted", signal=Signal("end_turn")))
        while not _inside(fork):
            fork.answer(Answer("done", dict.fromkeys(fork.request.facts, False)))
        fork.answer(Answer("done", dict.fromkeys(fork.request.facts, False)))
    walks = [
        walk
        for walk, n in seen(session.data).walks.items()
        for _ in range(n)
        if walk.machine == WINDOW
    ]
    assert len(walks) == before + 2, "what the window did before the signal, and the next window"


def test_events_that_are_not_possible_are_refused() -> None:
    with collecting() as session:
        game = TurnController(MAGIC, ("A", "B"))
        while not _inside(game):
            game.answer(Answer())
        asks = game.request.state
        with pytest.raises(AnswerError):
            game.answer(Answer("acted"))
        for _ in range(2):
            with pytest.raises(AnswerError):
                game.answer(Answer("untap"))  # type: ignore[arg-type]
    assert dict(seen(session.data).refused) == {(WINDOW, "", (asks, "acted")): 1}
    assert {id for _, id in covered(MAGIC, "refusals", session.data).taken} == {f"acted in {asks}"}


def test_a_game_that_is_over_refuses_everything() -> None:
    with collecting() as session:
        game = TurnController(MAGIC, ("A", "B"))
        game.answer(Answer(signal=Signal("player_left", "A")))
        over = game.request.state
        with pytest.raises(AnswerError):
            game.answer(Answer(signal=Signal("end_turn")))
    taken = {id for _, id in covered(MAGIC, "refusals", session.data).taken}
    assert taken == {f"done in {over}", f"end_turn in {over}"}


def test_two_collections_at_once_both_get_all() -> None:
    with collecting() as outer:
        play(answers=10)
        with collecting() as inner:
            play(answers=20)
        play(answers=10)
    assert 0 < inner.data.firings < outer.data.firings


# contexts -----------------------------------------------------------------------------------------


def test_what_a_test_takes_is_known_by_its_name() -> None:
    with collecting() as session:
        game = TurnController(MAGIC, ("A", "B"))
        with context("one"):
            game.answer(Answer())
        with context("two"):
            game.answer(Answer())
    turn = next(walk for walk in seen(session.data).walks if walk.machine == "turn")
    assert [name for _, name in turn.contexts] == ["", "one", "two"]
    steps = [[step for step, name in turn.stepping() if name == which] for which in ("one", "two")]
    assert steps[0] and steps[1]


def test_plain_answers_of_games_that_take_turns_are_recorded_each_in_its_context() -> None:
    """Plain answers are recorded many at a time: what they took is what their traces say, context
    by context.
    """
    random = Random(3)
    games = [TurnController(MAGIC, ("A", "B")) for _ in range(3)]
    parts = [list[tuple[str, int, int]]() for _ in games]
    with collecting() as session:
        for _ in range(60):
            number, name = random.randrange(3), random.choice(("one", "two"))
            game = games[number]
            before = len(game.trace.records)
            with context(name):
                for _ in range(random.randint(1, 30)):
                    game.answer(quiet(game.request))
            parts[number].append((name, before, len(game.trace.records)))
            assert random.random() < 0.9 or session.data.firings == sum(
                b - a for part in parts for _, a, b in part
            )
    walks = [walk for walk in seen(session.data).walks if walk.machine == "turn"]
    assert len(walks) == 3
    for game, part in zip(games, parts, strict=True):
        expected = [
            ((record.transition, record.source), name)
            for name, first, last in part
            for record in game.trace.records[first:last]
            if record.machine == "turn"
        ]
        assert expected in [list(walk.stepping()) for walk in walks]


class Lamp:
    """What a machine drives."""

    def __init__(self, bright: bool = True) -> None:
        self.bright = bright


def lamp(bright: bool = True, machine: type = transitions.Machine) -> Any:
    model = Lamp(bright)
    machine(
        model,
        states=["off", "on"],
        initial="off",
        transitions=[
            {"trigger": "press", "source": "off", "dest": "on", "conditions": "bright"},
            {"trigger": "press", "source": "on", "dest": "off"},
        ],
        auto_transitions=False,
        name="lamp",
    )
    model.bright = lambda: bright  # type: ignore[assignment]
    return model


PRESSED, RELEASED = "off -> on on press [bright]", "on -> off on press"


def counts(data: Data) -> dict[str, dict[str, int]]:
    """By context, how often each transition of any lamp was taken."""
    found: dict[str, dict[str, int]] = {}
    for subject, what in data.seen.items():
        if data.models.get(subject, {}).get("name") == "lamp":
            for walk, count in what.walks.items():
                for (id, _), name in walk.stepping():
                    found.setdefault(name, {})[id] = found.get(name, {}).get(id, 0) + count
    return found


def test_a_pair_is_taken_in_the_context_of_its_last_transition() -> None:
    with collecting() as session:
        mine = lamp()
        with context("one"):
            mine.press()
        with context("two"):
            mine.press()
    machine = mine.press.func.__self__.machine
    pairs = covered(model_of(machine), "pairs", session.data)
    assert [(target.id, pairs.by[target.key]) for target in pairs.covered] == [
        (f"{PRESSED} ; {RELEASED}", {"two": 1})
    ]


def test_threads_take_each_in_its_own_context() -> None:
    barrier = threading.Barrier(8)

    def press(number: int) -> None:
        with context(f"thread {number}"):
            mine = lamp()
            barrier.wait()
            for _ in range(2 * number):
                mine.press()
            play(answers=5)

    with collecting() as session:
        threads = [threading.Thread(target=press, args=(number,)) for number in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert counts(session.data) == {f"thread {n}": {PRESSED: n, RELEASED: n} for n in range(1, 9)}
    turns = [walk for walk in seen(session.data).walks if walk.machine == "turn"]
    assert {name for walk in turns for _, name in walk.contexts} == {
        f"thread {n}" for n in range(1, 9)
    }


def test_a_thread_without_a_context_is_in_the_latest() -> None:
    with collecting() as session, context("the test"):
        thread = threading.Thread(target=lambda: lamp().press())
        thread.start()
        thread.join()
    assert counts(session.data) == {"the test": {PRESSED: 1}}


def test_tasks_take_each_in_its_own_context() -> None:
    async def press(name: str, times: int) -> None:
        switch(name)
        mine = lamp(machine=transitions.extensions.AsyncMachine)
        for _ in range(times):
            await mine.press()
            await asyncio.sleep(0)

    async def both() -> None:
        await asyncio.gather(press("a", 4), press("b", 6))

    with collecting() as session:
        asyncio.run(both())
        switch("")
    assert counts(session.data) == {"a": {PRESSED: 2, RELEASED: 2}, "b": {PRESSED: 3, RELEASED: 3}}


# processes ----------------------------------------------------------------------------------------

CHILD = """
import transitions
class Lamp: pass
model = Lamp()
machine = transitions.Machine(model, states=["off", "on"], initial="off", name="lamp", auto_transitions=False,
    transitions=[["press", "off", "on"], ["press", "on", "off"]])
for _ in range(5):
    model.press()
"""


def run(code: str, **environment: str) -> CompletedProcess[str]:
    paths = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH", ""), str(ROOT))))
    environment = {**os.environ, "PYTHONPATH": paths, **environment}
    return processes.run([sys.executable, "-c", code], env=environment)


def test_started_processes_collect_without_knowing_of_it(tmp_path: Path) -> None:
    before = dict(os.environ)
    with collecting(tmp_path, children=True):
        with context("a test"):
            done = run(CHILD)
        assert (done.returncode, done.stderr) == (0, "")
        run(CHILD)
    assert dict(os.environ) == before
    pressed = {"off -> on on press": 3, "on -> off on press": 2}
    assert counts(combine([tmp_path])) == {"a test": pressed, "": pressed}
    done = run(CHILD)
    assert len(list(tmp_path.iterdir())) == 2, "and afterwards no more"


def test_another_sitecustomize_still_runs(tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "sitecustomize.py").write_text("print('own')\n")
    with collecting(tmp_path / "data", children=True):
        paths = os.environ["PYTHONPATH"].split(os.pathsep)
        done = run(
            "print('main')", PYTHONPATH=os.pathsep.join([*paths, str(tmp_path / "own"), str(ROOT)])
        )
    assert (done.stdout.split(), done.stderr) == (["own", "main"], "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_writes_what_is_its_own(tmp_path: Path) -> None:
    with collecting(tmp_path):
        mine = lamp()
        mine.press()
        child = os.fork()
        if child == 0:
            with context("child"):
                mine.press()
                mine.press()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        mine.press()
    assert status == 0
    assert counts(combine([tmp_path])) == {
        "": {PRESSED: 1, RELEASED: 1},
        "child": {PRESSED: 1, RELEASED: 1},
    }
    assert len(list(tmp_path.iterdir())) == 2


def test_a_killed_run_keeps_what_it_took(tmp_path: Path) -> None:
    code = "\n".join((
        "import os, signal, sys, time",
        f"sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'tests')!r}]",
        "import fsm",
        "from fsm.coverage import start",
        "from fsm.coverage.instrumentation.buffer import SECONDS",
        "from support.wanderer import Wanderer",
        f"start({str(tmp_path)!r})",
        "list(Wanderer(fsm.load('magic'), 4).games(2000))",
        "time.sleep(SECONDS)",
        "list(Wanderer(fsm.load('magic'), 5).games(600))",
        "os.kill(os.getpid(), signal.SIGKILL)",
    ))  # fmt: skip
    done = run(code)
    assert done.returncode == -signal.SIGKILL, done.stderr
    data = combine([tmp_path])
    assert data.notes == []
    earlier, later = (
        data_of(MAGIC, [game.trace for game in Wanderer(MAGIC, seed).games(answers)]).firings
        for seed, answers in ((4, 2_000), (5, 600))
    )
    assert earlier < data.firings <= earlier + later


def test_a_process_that_ends_without_stopping_keeps_everything(tmp_path: Path) -> None:
    done = run(f"from fsm.coverage import start\nstart({str(tmp_path)!r})\n{CHILD}")
    assert done.returncode == 0, done.stderr
    assert counts(combine([tmp_path])) == {"": {"off -> on on press": 3, "on -> off on press": 2}}


def test_a_directory_that_cannot_be_made_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(CoverageError, match="name another directory"),
        collecting(tmp_path / "file" / "data"),
    ):
        pass
    assert not collecting_now()


def test_importing_it_loads_no_machine() -> None:
    done = run(
        "import sys, fsm.coverage\nprint('transitions' in sys.modules, 'fsm.engine.machine' in sys.modules)"
    )
    assert done.stdout.split() == ["False", "False"]


def test_models_that_are_collected_are_found_by_their_machine() -> None:
    with collecting() as session:
        mine = lamp()
        mine.press()
    machine = mine.press.func.__self__.machine if hasattr(mine.press, "func") else None
    assert machine is not None
    coverage = covered(model_of(machine), "transitions", session.data)
    assert [target.id for target in coverage.covered] == [PRESSED]
