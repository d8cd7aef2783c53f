"""Random games of any Model, held to invariants: by seed, over any executor, and made small when one breaks.

report = fsm.fuzzing.fuzz("magic", games=1000, seed=1, jobs=2)
if not report.ok:
    print(report.found.sentence)
"""

from __future__ import annotations

from fsm.fuzzing.playing import Plan, play
from fsm.fuzzing.report import Found, Report
from fsm.fuzzing.spreading import fuzz
from fsm.fuzzing.wandering import Wanderer, wanderings_of
from fsm.fuzzing.weights import Weights

__all__ = ["Found", "Plan", "Report", "Wanderer", "Weights", "fuzz", "play", "wanderings_of"]
