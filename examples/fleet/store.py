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

from .rules import MODEL, upgraded

Database = psycopg.Connection[tuple[Any, ...]]
_models = dict[str, fsm.Model]()


def connect(where: str) -> Database:
    """Connect, and deploy: the tables are there, and the model of this process is stored."""
    db = psycopg.connect(where, autocommit=True)
    with db.transaction():
        db.execute(
            "SELECT pg_advisory_xact_lock(1)"
        )  # two workers that start together create no table twice
        db.execute((Path(__file__).parent / "schema.sql").read_bytes())
        keep(db, MODEL)
    return db


def keep(db: Database, model: fsm.Model) -> None:
    """Store a model by its fingerprint, for whoever has to migrate its games later."""
    row = model.fingerprint, Jsonb(model.to_json())
    db.execute("INSERT INTO models VALUES (%s, %s) ON CONFLICT DO NOTHING", row)


def start(db: Database, game: str, players: Sequence[str]) -> None:
    """Start a game."""
    waiting = fsm.stateless.start(MODEL, players)
    row = game, MODEL.fingerprint, waiting.saved
    db.execute("INSERT INTO games (id, model, saved) VALUES (%s, %s, %s)", row)


def look(db: Database, game: str) -> tuple[int, str]:
    """Return the version of a game, and its token for the model of this process."""
    found = db.execute("SELECT version, model, saved FROM games WHERE id = %s", [game]).fetchone()
    if found is None:
        raise FsmError(f"there is no game {game!r}")
    version, fingerprint, saved = found
    return version, saved if fingerprint == MODEL.fingerprint else upgraded(
        _model(db, fingerprint), saved
    )


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
            row = MODEL.fingerprint, after, game, to
            written = db.execute(
                "UPDATE games SET version = version + 1, model = %s, saved = %s WHERE id = %s AND version = %s",
                row,
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


def _model(db: Database, fingerprint: str) -> fsm.Model:
    """Return a stored model, which is read once."""
    if fingerprint not in _models:
        found = db.execute(
            "SELECT data FROM models WHERE fingerprint = %s", [fingerprint]
        ).fetchone()
        assert found is not None  # the table refers to it
        _models[fingerprint] = fsm.Model.from_json(found[0])
    return _models[fingerprint]
