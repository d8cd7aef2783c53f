"""Logs that programs write of their machines: are they runs, and what do they cover?

A log has one JSON object for each event (`fsm.coverage.logs.records`). It is followed through the
machine as it was read; nothing of the user's is called.
"""

from fsm.coverage.logs.covering import LogCoverage, cover_logs, data_of_logs
from fsm.coverage.logs.records import LogKeys

__all__ = ["LogCoverage", "LogKeys", "cover_logs", "data_of_logs"]
