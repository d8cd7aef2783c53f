"""A fleet on a real PostgreSQL: workers that are killed lose nothing, and no answer is applied
twice.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any

from fleet.rules import MODEL

from fsm import TurnController
from support.database import database
from support.folders import EXAMPLES
from support.processes import Process, started
from support.tools import package

GAMES, ANSWERS, KILLED = 25, 30, 4


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


def test_a_killed_worker_loses_nothing_and_applies_nothing_twice() -> None:
    """Each answer is sent three times, and somebody else answers, too; all in a random order."""
    package("psycopg")
    from fleet import store

    games, sent = dict[str, TurnController](), list[Any]()
    with database() as where, store.connect(where) as db:
        for number in range(GAMES):
            name, players = f"game {number}", ["Ann", f"Ben {number}"]
            store.start(db, name, players)
            games[name] = game = TurnController(MODEL, players)
            for version in range(ANSWERS):
                answer = game.request.quiet()  # type: ignore[union-attr]
                keys = [f"{name}, {version}"] * 3 + [f"{name}, {version}, of somebody else"]
                sent += [(name, version, key, answer) for key in keys]
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
            for each in sent[::7]:  # senders who are in doubt send again
                store.send(db, *each)
            until(db, "SELECT 1 - count(*)::int FROM (SELECT 1 FROM inbox LIMIT 1) one", 1, first)
            assert first.is_running and second.is_running
        for name, game in games.items():
            assert store.look(db, name) == (ANSWERS, game.token())
        refused = db.execute("SELECT reason FROM refusals").fetchall()
        assert len(refused) == GAMES * ANSWERS  # one of two for each request
        assert all("which is at another one" in reason for (reason,) in refused)
