"""Coverage: which paths through a machine were taken, measured by criteria and recorded from any
run.

from fsm.coverage import collecting, covered
with collecting() as session:
    ...  # anything that plays games, or triggers events on machines of the `transitions` library
print(covered(model, "pairs", session.data))
"""

from fsm.coverage.comparing import Difference, difference
from fsm.coverage.criteria import covered, criteria, targets
from fsm.coverage.data import Data, Subject, subject_of
from fsm.coverage.files import combine, read, save
from fsm.coverage.instrumentation import (
    Session,
    collecting,
    context,
    process_startup,
    start,
    stop,
    switch,
)
from fsm.coverage.recorded import model_in
from fsm.coverage.target import Coverage, Target
from fsm.coverage.traces import data_of

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
    "model_in",
    "process_startup",
    "read",
    "save",
    "start",
    "stop",
    "subject_of",
    "switch",
    "targets",
]
