"""Conformance: check whether a recorded game is a run of a Model, and if not, what would explain it."""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.conformance.following import Conformance as Conformance
    from fsm.conformance.following import Refusal as Refusal
    from fsm.conformance.following import conform as conform


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.conformance.following": (
            "Conformance",
            "Refusal",
            "conform",
        ),
    },
)
