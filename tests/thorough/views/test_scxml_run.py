"""An SCXML interpreter follows our machine; all transitions: test_formats_runs.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import fsm
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.scxml import scxml
from support.fedruns import SCION, few, followed, run_of, wandered
from support.hostilemodels import hostile

MAGIC = fsm.load("magic")


def forks(state: str) -> bool:
    """Does each row of this state lead elsewhere?"""
    targets = [t.target for t in MAGIC.rows(state)]
    return len(targets) > 1 and len(targets) == len(set(targets))


def test_scion_notices_a_guard_that_is_turned_round(tmp_path: Path) -> None:
    games = few("magic")
    taken = {r.transition for records in games for r in records}
    row = next(t for t in MAGIC.transitions if t.id in taken and t.guard and forks(t.source))
    turned = replace(row, guard=tuple(replace(term, value=not term.value) for term in row.guard))
    other = replace(MAGIC, transitions=tuple(turned if t is row else t for t in MAGIC.transitions))
    runs = [run_of(MAGIC, records) for records in games]
    assert followed(SCION, scxml(MAGIC, DrawOptions()), runs, tmp_path)["wrong"] == 0
    assert followed(SCION, scxml(other, DrawOptions()), runs, tmp_path)["wrong"] > 0


def test_hostile_names_change_nothing(tmp_path: Path) -> None:
    model = hostile()
    run = run_of(model, wandered(model))
    assert followed(SCION, scxml(model, DrawOptions()), [run], tmp_path) == {
        "steps": 60,
        "wrong": 0,
        "first": [],
    }
