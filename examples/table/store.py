"""Where the table is kept: one row of SQLite, written in one transaction after each answer."""

from __future__ import annotations

import json
import pickle
import sqlite3
from dataclasses import dataclass
from pathlib import Path

import fsm
from fsm.stops import Stops

from .game import SEATS, Game


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
        self.rows = sqlite3.connect(file)
        self.rows.execute("PRAGMA journal_mode = WAL")
        self.rows.execute("CREATE TABLE IF NOT EXISTS tables (id INTEGER PRIMARY KEY, number, turn, game, stops)")

    def save(self, table: Saved) -> None:
        """The turn, the cards and the players' wishes, together or not at all."""
        turn, game = json.dumps(table.turn.snapshot()), json.dumps(table.game.as_json())
        row = (table.number, turn, game, pickle.dumps(table.stops))
        with self.rows:
            self.rows.execute("INSERT OR REPLACE INTO tables VALUES (1, ?, ?, ?, ?)", row)

    def load(self) -> Saved:
        """The table as it was last saved, or a new one."""
        model = fsm.load("magic")
        row = self.rows.execute("SELECT number, turn, game, stops FROM tables").fetchone()
        if row is None:
            return Saved(fsm.TurnController(model, SEATS), Game(), stops_at_first(model))
        number, turn, game, stops = row
        restored = fsm.TurnController.restore(model, json.loads(turn))
        return Saved(restored, Game(**json.loads(game)), pickle.loads(stops), number)


def stops_at_first(model: fsm.Model) -> Stops:
    """Everybody is asked in their own main phases, and when something has happened."""
    stops = Stops(model, SEATS)
    for seat in SEATS:
        stops.sleep(seat)
        for step in ("precombat_main", "postcombat_main"):
            stops.stop(seat, step, "own")
    return stops
