"""Ways for a program to run a game: hosts, stops, undo, preview, saving, subscriptions."""

from __future__ import annotations

from fsm.engine.possible import Option
from fsm.engine.requests import Position
from fsm.hosts.driving import entering
from fsm.hosts.history import Decision
from fsm.hosts.host import StackHost
from fsm.hosts.preview import Coming, coming
from fsm.hosts.savefile import load_game, saving, write_safely
from fsm.hosts.stops import Stops

__all__ = [
    "Coming",
    "Decision",
    "Option",
    "Position",
    "StackHost",
    "Stops",
    "coming",
    "entering",
    "load_game",
    "saving",
    "write_safely",
]
