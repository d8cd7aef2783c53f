"""Random games of any Model, checked against invariants. They run on any executor, and failures are
made small.

report = fsm.testing.fuzzing.fuzz("magic", games=1000, seed=1, jobs=2)
if not report.ok:
    print(report.found.sentence)
"""

from __future__ import annotations

from fsm.testing.fuzzing.playing import Plan, play
from fsm.testing.fuzzing.randomwalk import Wanderer, wanderings_of
from fsm.testing.fuzzing.report import Found, Report
from fsm.testing.fuzzing.spreading import fuzz
from fsm.testing.fuzzing.weights import Weights

__all__ = ["Found", "Plan", "Report", "Wanderer", "Weights", "fuzz", "play", "wanderings_of"]
