"""Conformance: check whether a record is a run of a Model or machine, and if not, what would
explain it.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.conformance.conforming import conform as conform
    from fsm.conformance.following import Conformance as Conformance
    from fsm.coverage.logs.following import Jump as Jump
    from fsm.coverage.logs.following import LogConformance as LogConformance
    from fsm.coverage.logs.mismatch import Mismatch as Mismatch
    from fsm.coverage.logs.recorder import log as log
    from fsm.coverage.logs.records import LogKeys as LogKeys


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.conformance.conforming": ("conform",),
        "fsm.conformance.following": ("Conformance",),
        "fsm.coverage.logs.following": ("Jump", "LogConformance"),
        "fsm.coverage.logs.records": ("LogKeys",),
        "fsm.coverage.logs.recorder": ("log",),
        "fsm.coverage.logs.mismatch": ("Mismatch",),
    },
    moved={"Refusal": "fsm.conformance.Mismatch"},
)
