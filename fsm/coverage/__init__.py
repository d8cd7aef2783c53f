"""Coverage: which paths through a machine were taken, measured by criteria and recorded from any
run.

from fsm.coverage import collecting, covered
with collecting() as session:
    ...  # anything that plays games, or triggers events on machines of the `transitions` library
print(covered(model, "pairs", session.data))
"""

from fsm.coverage.criteria import covered, criteria, targets
from fsm.coverage.data import Data, Subject, combine, read, save, subject_of
from fsm.coverage.demands import Difference, difference
from fsm.coverage.games import data_of
from fsm.coverage.recording import context
from fsm.coverage.sessions import Session, collecting, process_startup, start, stop
from fsm.coverage.target import Coverage, Target

__all__ = [
    "Coverage",
    "Data",
    "Difference",
    "Session",
    "Subject",
    "Target",
    "collecting",
    "combine",
    "context",
    "covered",
    "criteria",
    "data_of",
    "difference",
    "process_startup",
    "read",
    "save",
    "start",
    "stop",
    "subject_of",
    "targets",
]
