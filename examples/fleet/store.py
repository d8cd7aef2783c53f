"""Games as rows of PostgreSQL. What a function has returned from outlives the process; what it has
not is undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

import fsm
from fsm.errors import FsmError, StaleAnswerError

from .rules import EDITION, MODEL, upgraded

Database = psycopg.Connection[tuple[Any, ...]]


def connect(where: str) -> Database:
    """Connect, and make the tables unless they are there."""
    db = psycopg.connect(where, autocommit=True)
    with db.transaction():
        db.execute(
            "SELECT pg_advisory_xact_lock(1)"
        )  # two workers that start together create no table twice
        db.execute((Path(__file__).parent / "schema.sql").read_bytes())
    return db


def start(db: Database, game: str, players: Sequence[str]) -> None:
    """Start a game."""
    row = game, EDITION, fsm.stateless.start(MODEL, players).saved
    db.execute("INSERT INTO games (id, edition, saved) VALUES (%s, %s, %s)", row)


def look(db: Database, game: str) -> tuple[int, str]:
    """Return the version of a game, and its token for the model of this process."""
    query = "SELECT version, edition, saved FROM games WHERE id = %s"
    found = db.execute(query, [game]).fetchone()
    if found is None:
        raise FsmError(f"there is no game {game!r}")
    version, edition, saved = found
    return version, upgraded(edition, saved)


def answer(db: Database, game: str, to: int, key: str, answer: fsm.Answer) -> None:
    """Answer the request of a game at version `to`.

    An answer with the key of the one that was taken there is the same answer, sent again: nothing
    is done. Any other one is too late. Raises StaleAnswerError then, and any other FsmError if the
    answer is wrong.
    """
    with db.transaction():
        version, saved = look(db, game)
        if version == to:
            after = fsm.stateless.answer(MODEL, saved, answer).saved
            written = db.execute(
                "UPDATE games SET version = version + 1, edition = %s, saved = %s"
                " WHERE id = %s AND version = %s",
                (EDITION, after, game, to),
            )
            if written.rowcount == 1:
                db.execute(
                    "INSERT INTO answers VALUES (%s, %s, %s, %s)",
                    (game, to, key, Jsonb(answer.to_json())),
                )
                return
    taken = db.execute(
        "SELECT key FROM answers WHERE game = %s AND version = %s", (game, to)
    ).fetchone()
    if taken != (key,):
        raise StaleAnswerError(
            f"the answer is to version {to} of game {game!r}, which is at another one"
        )


def send(db: Database, game: str, to: int, key: str, answer: fsm.Answer) -> None:
    """Leave an answer for some worker. Sent again, it is the same one."""
    row = key, game, to, Jsonb(answer.to_json())
    db.execute("INSERT INTO inbox VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING", row)


def answer_next(db: Database) -> bool:
    """Take one answer that can be given now, or that is too late. Return False if there is none.

    An answer is taken out of the inbox in the transaction that writes what it led to. Another
    worker that comes at the same time passes over it, and finds it again if this one dies.
    """
    with db.transaction():
        found = db.execute(
            "SELECT i.key, i.game, i.version, i.answer FROM inbox i JOIN games g ON g.id = i.game"
            " WHERE i.version <= g.version LIMIT 1 FOR UPDATE OF i SKIP LOCKED"
        ).fetchone()
        if found is None:
            return False
        key, game, to, data = found
        try:
            answer(db, game, to, key, fsm.Answer.from_json(data, trusted=True))
        except FsmError as error:
            db.execute(
                "INSERT INTO refusals VALUES (%s, %s) ON CONFLICT DO NOTHING", (key, str(error))
            )
        db.execute("DELETE FROM inbox WHERE key = %s", [key])
    return True
