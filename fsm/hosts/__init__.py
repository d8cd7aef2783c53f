"""Ways for a program to run a game: hosts, stops, undo, preview, saving, subscriptions."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.engine.possible import Option as Option
    from fsm.engine.requests import Position as Position
    from fsm.hosts.driving import ask as ask
    from fsm.hosts.history import Decision as Decision
    from fsm.hosts.host import StackHost as StackHost
    from fsm.hosts.preview import Coming as Coming
    from fsm.hosts.preview import coming as coming
    from fsm.hosts.savefile import load_game as load_game
    from fsm.hosts.savefile import saving as saving
    from fsm.hosts.savefile import write_safely as write_safely
    from fsm.hosts.stops import Stops as Stops
    from fsm.hosts.subscriptions import entering as entering

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.engine.possible": ("Option",),
        "fsm.engine.requests": ("Position",),
        "fsm.hosts.driving": ("ask",),
        "fsm.hosts.history": ("Decision",),
        "fsm.hosts.host": ("StackHost",),
        "fsm.hosts.preview": ("Coming", "coming"),
        "fsm.hosts.savefile": ("load_game", "saving", "write_safely"),
        "fsm.hosts.stops": ("Stops",),
        "fsm.hosts.subscriptions": ("entering",),
    },
)
