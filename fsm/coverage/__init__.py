"""Coverage: which paths through a machine were taken, measured by criteria and recorded from any
run.

from fsm.coverage import collecting, covered
with collecting() as session:
    ...  # anything that plays games, or triggers events on machines of the `transitions` library
print(covered(model, "pairs", session.data))
"""

from fsm.coverage.comparing import Difference, difference
from fsm.coverage.contexts import context
from fsm.coverage.criteria import criteria
from fsm.coverage.data import Data
from fsm.coverage.files import combine, read, save
from fsm.coverage.games import data_of
from fsm.coverage.measuring import covered, targets
from fsm.coverage.sessions import Session, collecting, process_startup, start, stop
from fsm.coverage.subjects import Subject, subject_of
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
