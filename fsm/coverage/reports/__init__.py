"""Recorded coverage for people and programs: terminal, HTML, SVG, JSON, lcov.

from fsm.coverage.reports import results_of, written
results = results_of(combine([".fsm-coverage"]), ["magic"], ["transitions", "pairs"])
files = written(results, [report_asked("html")])   # the text of each file, by its path
"""

from fsm.coverage.allowing import read_allowed, wrong
from fsm.coverage.reports.files import written
from fsm.coverage.reports.options import DEFAULT, Floor, Report, criteria_asked, floors_asked, report_asked
from fsm.coverage.reports.results import Result, below, model_named, results_of
from fsm.coverage.reports.terminal import lines

__all__ = [
    "DEFAULT",
    "Floor",
    "Report",
    "Result",
    "below",
    "criteria_asked",
    "floors_asked",
    "lines",
    "model_named",
    "read_allowed",
    "report_asked",
    "results_of",
    "written",
    "wrong",
]
