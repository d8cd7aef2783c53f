"""Ways for a program to run a game: hosts, stops, undo, preview, saving, subscriptions, JSON
messages.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.embedding.autopass import AutoPass as AutoPass
    from fsm.embedding.autosave import saving as saving
    from fsm.embedding.autosave import write_safely as write_safely
    from fsm.embedding.game import Game as Game
    from fsm.embedding.history import Decision as Decision
    from fsm.embedding.history import History as History
    from fsm.embedding.host import BaseHost as BaseHost
    from fsm.embedding.host import StackHost as StackHost
    from fsm.embedding.host import ask as ask
    from fsm.embedding.host import drive as drive
    from fsm.embedding.preview import Coming as Coming
    from fsm.embedding.preview import coming as coming
    from fsm.embedding.preview import next_turn as next_turn
    from fsm.embedding.responding import HostWarning as HostWarning
    from fsm.embedding.stops import Stops as Stops
    from fsm.embedding.subscriptions import entering as entering
    from fsm.embedding.subscriptions import logged as logged
    from fsm.engine.options import Option as Option
    from fsm.engine.refusals import Refusal as Refusal
    from fsm.engine.requests import Position as Position
    from fsm.errors import PreviewError as PreviewError


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.embedding.autopass": ("AutoPass",),
        "fsm.embedding.game": ("Game",),
        "fsm.embedding.history": (
            "Decision",
            "History",
        ),
        "fsm.embedding.host": (
            "BaseHost",
            "StackHost",
            "ask",
            "drive",
        ),
        "fsm.embedding.responding": ("HostWarning",),
        "fsm.embedding.preview": (
            "Coming",
            "coming",
            "next_turn",
        ),
        "fsm.embedding.autosave": (
            "saving",
            "write_safely",
        ),
        "fsm.embedding.stops": ("Stops",),
        "fsm.embedding.subscriptions": (
            "entering",
            "logged",
        ),
        "fsm.engine.options": ("Option",),
        "fsm.errors": ("PreviewError",),
        "fsm.engine.refusals": ("Refusal",),
        "fsm.engine.requests": ("Position",),
    },
)
