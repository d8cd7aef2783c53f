"""The turn controller, what fires between a request and the next, and a Model as a machine."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.engine.machine import Machine as Machine, freeze as freeze
    from fsm.engine.trace import Answered as Answered, Record as Record

__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.engine.machine": "Machine freeze",
        "fsm.engine.trace": "Answered Record",
    },
)
