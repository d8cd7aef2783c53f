"""Collecting coverage while something runs: nothing is in anybody's way, and nothing costs, until it begins."""

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
