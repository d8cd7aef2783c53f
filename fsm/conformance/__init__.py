"""Conformance: check whether a log is a run of a Model or machine, and if not, what would explain
it.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.conformance.conforming import conform as conform
    from fsm.conformance.following import Conformance as Conformance
    from fsm.conformance.rows import Mismatch as Mismatch


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.conformance.conforming": "conform",
        "fsm.conformance.following": "Conformance",
        "fsm.conformance.rows": "Mismatch",
    },
)
