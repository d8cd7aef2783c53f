"""Ways for a program to run a TurnController: hosts, stops, undo, preview, saving, subscriptions, JSON messages."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.embedding.autopass import AutoPass as AutoPass
    from fsm.embedding.history import History as History
    from fsm.embedding.host import Host as Host
    from fsm.embedding.host import ask as ask
    from fsm.embedding.host import drive as drive
    from fsm.embedding.preview import Coming as Coming
    from fsm.embedding.preview import Unforeseen as Unforeseen
    from fsm.embedding.preview import coming as coming
    from fsm.embedding.preview import next_turn as next_turn
    from fsm.embedding.saving import saving as saving
    from fsm.embedding.stops import Stops as Stops
    from fsm.embedding.subscriptions import entering as entering
    from fsm.embedding.subscriptions import logged as logged


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.embedding.autopass": ("AutoPass",),
        "fsm.embedding.history": ("History",),
        "fsm.embedding.host": (
            "Host",
            "ask",
            "drive",
        ),
        "fsm.embedding.preview": (
            "Coming",
            "Unforeseen",
            "coming",
            "next_turn",
        ),
        "fsm.embedding.saving": ("saving",),
        "fsm.embedding.stops": ("Stops",),
        "fsm.embedding.subscriptions": (
            "entering",
            "logged",
        ),
    },
)
