"""Reports of recorded coverage: for the terminal, as Markdown and JSON, and in the formats of the
extension.

from fsm.coverage.reports import results_of, written
results = results_of(combine([".fsm-coverage"]), ["magic"], ["transitions", "pairs"])
files = written(results, [report_asked("html")])   # the text of each file, by its path
"""

from fsm.coverage.allowing import read_allowed, wrong
from fsm.coverage.reports.formats import (
    DEFAULT,
    Report,
    criteria_asked,
    printed,
    report_asked,
    written,
)
from fsm.coverage.reports.results import results_of
from fsm.coverage.reports.totals import Floor, below, floors_asked
from fsm.coverage.target import Result

__all__ = [
    "DEFAULT",
    "Floor",
    "Report",
    "Result",
    "below",
    "criteria_asked",
    "floors_asked",
    "printed",
    "read_allowed",
    "report_asked",
    "results_of",
    "written",
    "wrong",
]
