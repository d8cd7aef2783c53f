"""The collection of coverage during a run. Nothing is patched, and nothing costs time, before a
collection starts.
"""

from fsm.coverage.instrumentation.contexts import context, current, switch
from fsm.coverage.instrumentation.session import (
    Session,
    collecting,
    collecting_now,
    listen,
    process_startup,
    start,
    stop,
)

__all__ = [
    "Session",
    "collecting",
    "collecting_now",
    "context",
    "current",
    "listen",
    "process_startup",
    "start",
    "stop",
    "switch",
]
