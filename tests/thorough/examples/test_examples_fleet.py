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
from fsm import Answer, TurnController
from support.database import database
from support.folders import EXAMPLES
from support.harbour import FIRST
from support.processes import Process, started
from support.tools import package

GAMES, ANSWERS, KILLED = 25, 30, 4


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


def played(number: int) -> tuple[TurnController, list[Answer]]:
    """A game, and the answers that were given in it."""
    game, answers = TurnController(MODEL, ["Ann", f"Ben {number}"]), list[Answer]()
    for request in game:
        extra = [fsm.AddTurn("Ann")] if len(answers) % 17 == 5 else []
        answers.append(Answer(request.quiet().word, request.quiet().facts, tuple(extra)))
        game.answer(answers[-1])
        if len(answers) == ANSWERS:
            break
    return game, answers


def test_a_killed_worker_loses_nothing_and_applies_nothing_twice(where: str) -> None:
    """Each answer is sent three times, and somebody else answers, too; all in a random order."""
    from fleet import store

    games, sent = {f"game {n}": played(n) for n in range(GAMES)}, list[Any]()
    with store.connect(where) as db:
        for name, (game, answers) in games.items():
            store.start(db, name, game.head.players)
            for version, answer in enumerate(answers):
                sent += [(name, version, f"{name}, {version}", answer)] * 3
                sent += [(name, version, f"{name}, {version}, of somebody else", answer)]
        Random(1).shuffle(sent)
        with ExitStack() as stack:
            first, second = (stack.enter_context(worker(where)) for _ in range(2))
            for each in sent:
                store.send(db, *each)
            for part in range(1, KILLED + 1):
                until(db, "SELECT count(*) FROM answers", 50 * part, first)
                assert first.end(signal.SIGKILL) < 0  # in the middle of whatever it does
                first = stack.enter_context(worker(where))
            for each in sent[::7]:  # senders who are in doubt send again
                store.send(db, *each)
            until(db, "SELECT 1 - count(*)::int FROM (SELECT 1 FROM inbox LIMIT 1) one", 1, first)
            assert first.is_running and second.is_running
        for name, (game, _) in games.items():
            assert store.look(db, name) == (ANSWERS, game.token())
        refused = db.execute("SELECT reason FROM refusals").fetchall()
        assert len(refused) == GAMES * ANSWERS  # one of two for each request
        assert all("which is at another one" in reason for (reason,) in refused)


def stored(db: Any, name: str, model: fsm.Model) -> TurnController:
    """A new game of another edition that lies in the database."""
    from fleet import store

    game = TurnController(model, ["Ann", "Ben"])
    store.keep(db, model)
    row = name, model.fingerprint, game.token()
    db.execute("INSERT INTO games (id, model, saved) VALUES (%s, %s, %s)", row)
    return game


def test_an_answer_sent_again_is_the_same_and_a_wrong_one_changes_nothing(where: str) -> None:
    """In a game of an earlier edition, which the first answer upgrades."""
    from fleet import store

    with store.connect(where) as db:
        stored(db, "old", FIRST)
        for _ in range(2):
            store.answer(db, "old", 0, "click 1", Answer())
        after = store.look(db, "old")
        assert after[0] == 1
        assert TurnController.restore(MODEL, after[1]).position.turn == 1
        with pytest.raises(fsm.errors.StaleAnswerError, match="version 0 of game 'old'"):
            store.answer(db, "old", 0, "click 2", Answer())
        with pytest.raises(fsm.errors.AnswerError):
            store.answer(db, "old", 1, "click 3", Answer("nonsense"))  # type: ignore[arg-type]
        with pytest.raises(fsm.FsmError, match="there is no game 'none'"):
            store.answer(db, "none", 0, "click 4", Answer())
        assert store.look(db, "old") == after


def test_an_outdated_worker_leaves_the_answer_to_a_newer_one(where: str) -> None:
    from fleet import store

    with store.connect(where) as db:
        stored(db, "new", replace(HARBOUR, edition="4").build())
        store.send(db, "new", 0, "click", Answer())
        with worker(where) as process:
            assert process.wait() == 1
            assert "deploy the new version, and start this worker again" in process.stderr
        assert db.execute("SELECT count(*) FROM inbox").fetchone() == (1,)
        db.execute("DELETE FROM inbox")
