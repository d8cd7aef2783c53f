"""The machine that fires transitions, and the records of what it did."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.engine.machine import Machine as Machine
    from fsm.engine.trace import Record as Record
    from fsm.engine.watching import Answered as Answered

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.engine.machine": ("Machine",),
        "fsm.engine.trace": ("Record",),
        "fsm.engine.watching": ("Answered",),
    },
)
