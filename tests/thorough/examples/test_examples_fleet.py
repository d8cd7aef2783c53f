"""A fleet on a real PostgreSQL: workers that are killed lose nothing, and no answer is applied
twice.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from fleet.rules import HARBOUR, MODEL

import fsm
from support.database import database
from support.folders import EXAMPLES
from support.harbour import FIRST, SECOND, games
from support.playing import quiet
from support.processes import Process, started
from support.tools import package

GAMES, ANSWERS = 25, 30
"""So many games are played, with so many answers in each."""
KILLED = 4
"""So many workers are killed meanwhile."""


@pytest.fixture(scope="module")
def where() -> Iterator[str]:
    package("psycopg")
    with database() as found:
        yield found


@contextmanager
def worker(where: str) -> Iterator[Process]:
    """A worker, once it is at work."""
    with started([sys.executable, "-m", "fleet", where], cwd=EXAMPLES) as process:
        assert process.line() == "ready"
        yield process


def until(db: Any, query: str, enough: int, worker: Process) -> None:
    """Wait until a query counts at least so many."""
    while db.execute(query).fetchone()[0] < enough:
        worker.pause()


def test_nothing_is_lost_and_nothing_applied_twice_when_a_worker_is_killed(where: str) -> None:
    """Every answer is sent three times, and somebody else answers each request too; all in a random
    order.
    """
    from fleet import store

    with store.connect(where) as db:
        played, sent = dict[str, fsm.TurnController](), list[tuple[str, int, str, fsm.Answer]]()
        for number in range(GAMES):
            name = f"game {number}"
            store.start(db, name, ["Ann", f"Ben {number}"])
            played[name] = game = fsm.TurnController(MODEL, ["Ann", f"Ben {number}"])
            for version in range(ANSWERS):
                answer = quiet(
                    game.request, orders=[fsm.AddTurn("Ann")] if version % 17 == 5 else []
                )
                sent += [(name, version, f"{name}, {version}", answer)] * 3
                sent += [(name, version, f"{name}, {version}, of somebody else", answer)]
                game.answer(answer)
        Random(1).shuffle(sent)
        with ExitStack() as stack:
            first, second = (stack.enter_context(worker(where)) for _ in range(2))
            for each in sent:
                store.send(db, *each)
            for part in range(1, KILLED + 1):
                until(db, "SELECT count(*) FROM answers", 50 * part, first)
                assert first.end(signal.SIGKILL) < 0  # in the middle of whatever it does
                first = stack.enter_context(worker(where))
            until(db, "SELECT count(*) FROM answers", GAMES * ANSWERS // 2, first)
            for each in sent[::7]:  # senders who are in doubt send again
                store.send(db, *each)
            until(db, "SELECT 1 - count(*)::int FROM (SELECT 1 FROM inbox LIMIT 1) one", 1, first)
            assert first.is_running and second.is_running
        for name, game in played.items():
            assert store.look(db, name) == (ANSWERS, game.token())
            rows = db.execute(
                "SELECT version, answer FROM answers WHERE game = %s ORDER BY version", [name]
            ).fetchall()
            assert [version for version, _ in rows] == list(range(ANSWERS))
            assert [
                fsm.Answer.from_json(data, trusted=True) for _, data in rows
            ] == game.trace.answers
        refused = db.execute("SELECT reason FROM refusals").fetchall()
        assert len(refused) == GAMES * ANSWERS  # one of two for each request
        assert all("which is at another one" in reason for (reason,) in refused)


def test_games_of_earlier_editions_are_upgraded_when_they_are_answered(where: str) -> None:
    from fleet import store

    with store.connect(where) as db:
        stored = [(FIRST, game) for game in games(FIRST, "trade")]
        stored += [(SECOND, game) for game in games(SECOND, "market")]
        for number, (model, game) in enumerate(stored):
            store.keep(db, model)
            row = f"old {number}", model.fingerprint, game.token()
            db.execute("INSERT INTO games (id, model, saved) VALUES (%s, %s, %s)", row)
        for number in range(len(stored)):
            name = f"old {number}"
            version, token = store.look(db, name)
            game = fsm.TurnController.restore(MODEL, token)
            store.answer(db, name, version, "Ann's click", answer := quiet(game.request))
            game.answer(answer)
            assert store.look(db, name) == (1, game.token())
            assert db.execute("SELECT model FROM games WHERE id = %s", [name]).fetchone() == (
                MODEL.fingerprint,
            )


def test_an_answer_sent_again_is_the_same_and_a_wrong_one_changes_nothing(where: str) -> None:
    from fleet import store

    with store.connect(where) as db:
        store.start(db, "one", ["Ann", "Ben"])
        answer = quiet(fsm.TurnController(MODEL, ["Ann", "Ben"]).request)
        for _ in range(2):
            store.answer(db, "one", 0, "click 1", answer)
        after = store.look(db, "one")
        assert after[0] == 1
        with pytest.raises(
            fsm.errors.StaleAnswerError, match="version 0 of game 'one', which is at another one"
        ):
            store.answer(db, "one", 0, "click 2", answer)
        with pytest.raises(fsm.errors.AnswerError):
            store.answer(db, "one", 1, "click 3", fsm.Answer("nonsense"))  # type: ignore[arg-type]
        with pytest.raises(fsm.FsmError, match="there is no game 'none'"):
            store.answer(db, "none", 0, "click 4", answer)
        assert store.look(db, "one") == after


def test_a_worker_that_is_outdated_leaves_the_answer_to_a_newer_one(where: str) -> None:
    from fleet import store

    newer = replace(HARBOUR, edition="4").build()
    game = fsm.TurnController(newer, ["Ann", "Ben"])
    with store.connect(where) as db:
        store.keep(db, newer)
        db.execute(
            "INSERT INTO games (id, model, saved) VALUES ('new', %s, %s)",
            (newer.fingerprint, game.token()),
        )
        store.send(db, "new", 0, "click", quiet(game.request))
        with worker(where) as process:
            assert process.wait() == 1
            assert "deploy the new version, and start this worker again" in process.stderr
        assert db.execute("SELECT count(*) FROM inbox").fetchone() == (1,)
        db.execute("DELETE FROM inbox")
