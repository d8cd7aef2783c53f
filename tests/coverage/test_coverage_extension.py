"""Coverage alone counts what machines of the `transitions` library do; what it knows of games is an
extension.
"""

from __future__ import annotations

import json
import sys

from support import processes
from support.folders import ROOT

START = """
import json, sys, transitions
import fsm
from fsm.extensions import extend_coverage
"""
ALONE = "extend_coverage(object)"
COUNT = """
from fsm.coverage import collecting, covered, model_in, targets
from fsm.coverage.reports import report_asked, results_of, written

rows = [["go", "left", "right"], ["go", "left", "nowhere"]]
door = transitions.Machine(states=["left", "right", "nowhere"], transitions=rows, initial="left", name="door")
with collecting() as session:
    door.go()
[subject] = session.data.seen
model = model_in(session.data, subject)
found = covered(model, "transitions", session.data)
results = results_of(session.data, [], ["states", "transitions", "literals", "pairs"])
report = json.loads(written(results, [report_asked("json")])["fsm-coverage.json"])
print(json.dumps({
    "taken": [target.id for target in found.covered],
    "missing": [target.id for target in found.missing],
    "impossible": [target.id for target in found.infeasible],
    "reported": [machine["name"] for machine in report["machines"]],
    "loaded": sorted({name.split(".")[1] for name in sys.modules if name.startswith("fsm.")}),
}))
"""
ABOVE = {
    "state",
    "engine",
    "runs",
    "embedding",
    "rulesets",
    "scenarios",
    "conformance",
    "analysis",
    "views",
    "testing",
}


def told(*code: str) -> dict[str, list[str]]:
    """What a process of its own prints."""
    run = processes.run([sys.executable, "-c", "\n".join(code)], cwd=ROOT)
    assert run.returncode == 0, run.stderr
    found: dict[str, list[str]] = json.loads(run.stdout)
    return found


def test_alone_it_counts_and_proves_nothing() -> None:
    found = told(START, ALONE, COUNT)
    assert found["taken"] == ["left -> right on go"]
    assert found["missing"] == ["left -> nowhere on go"]
    assert found["impossible"] == []
    assert found["reported"] == ["door"]
    assert not ABOVE & set(found["loaded"])


def test_extended_it_proves_what_is_impossible() -> None:
    found = told(START, COUNT)
    assert (found["taken"], found["missing"]) == (["left -> right on go"], [])
    assert found["impossible"] == ["left -> nowhere on go"]


def test_the_package_loads_neither_coverage_nor_what_extends_it() -> None:
    loaded = told(
        "import json, sys, fsm", "print(json.dumps({'loaded': [n for n in sys.modules]}))"
    )["loaded"]
    assert not {"fsm.coverage", "fsm.testing", "fsm.analysis", "fsm.views"} & set(loaded)
