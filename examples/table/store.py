"""Where the table is kept: one row of SQLite, written in one transaction after each answer."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

import fsm
from fsm.errors import FsmError, SnapshotError
from fsm.hosts import Stops

from .game import SEATS, Game


class SaveError(FsmError):
    """The table cannot be written at the moment: the disk is full, or the file is locked. Nothing
    of it was written.
    """


@dataclass
class Saved:
    """All there is to know of a table. `number` counts the answers, so that none is taken twice."""

    turn: fsm.TurnController
    game: Game
    stops: Stops
    number: int = 0


class Store:
    """One table in one file. What `save` has returned from outlives the process."""

    def __init__(self, file: Path) -> None:
        file.touch(
            mode=0o600
        )  # the links are secret; SQLite gives the files that it puts beside this one its mode
        self.rows = sqlite3.connect(
            file, timeout=0
        )  # waiting for a lock would keep everybody waiting
        with self.rows:
            self.rows.execute("PRAGMA journal_mode = WAL")
            self.rows.execute(
                "CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, number, turn, game, stops)"
            )
            self.rows.execute("CREATE TABLE IF NOT EXISTS links (seat PRIMARY KEY, secret)")

    def links(self) -> dict[str, str]:
        """The secret of each seat's link. It is made once, so that links stay good when the server
        is started again.
        """
        with self.rows:
            made = [(seat, token_urlsafe()) for seat in SEATS]
            self.rows.executemany("INSERT OR IGNORE INTO links VALUES (?, ?)", made)
        return dict(self.rows.execute("SELECT seat, secret FROM links"))

    def save(self, table: Saved) -> None:
        """The turn, the cards and the players' wishes, together or not at all. Raises SaveError."""
        parts = (table.turn.snapshot(), table.game.as_json(), table.stops.dump())
        row = (table.number, *map(json.dumps, parts))
        try:
            with self.rows:
                self.rows.execute("INSERT OR REPLACE INTO tables VALUES (1, ?, ?, ?, ?)", row)
        except sqlite3.OperationalError as error:
            raise SaveError(f"The server cannot save at the moment ({error}).") from error

    def load(self) -> Saved:
        """The table as it was last saved, or a new one. Raises SnapshotError for a row that `save`
        has not written.
        """
        model = fsm.load("magic")
        row = self.rows.execute("SELECT number, turn, game, stops FROM tables").fetchone()
        if row is None:
            return Saved(fsm.TurnController(model, SEATS), Game(), stops_at_first(model))
        try:
            turn, game, stops = map(json.loads, row[1:])
            restored = fsm.TurnController.restore(model, turn)
            return Saved(restored, Game(**game), Stops.load(model, SEATS, stops), row[0])
        except (TypeError, ValueError, RecursionError) as error:
            raise SnapshotError(f"its row is damaged ({error})") from error


def stops_at_first(model: fsm.Model) -> Stops:
    """Everybody is asked in their own main phases, and when something has happened."""
    stops = Stops(model, SEATS)
    for seat in SEATS:
        stops.sleep(seat)
        for step in ("precombat_main", "postcombat_main"):
            stops.stop(seat, step, "own")
    return stops
