"""XState follows our machine; all transitions: test_formats_runs.py."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import fsm
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.xstate import xstate
from support.fedruns import XSTATE, few, followed, run_of, wandered
from support.hostilemodels import hostile

MAGIC = fsm.load("magic")


def test_xstate_notices_what_is_changed(tmp_path: Path) -> None:
    games, window = few("magic"), MAGIC.window
    assert window is not None
    runs = [run_of(MAGIC, records) for records in games]
    assert followed(XSTATE, xstate(MAGIC, DrawOptions()), runs, tmp_path)["wrong"] == 0
    missing = MAGIC.without(
        next(r.transition for r in games[0] if r.machine == "turn" and r.guards)
    )
    elsewhere = replace(MAGIC, window=replace(window, initial=window.leaves[-1].id))
    for other in (missing, elsewhere):
        assert followed(XSTATE, xstate(other, DrawOptions()), runs, tmp_path)["wrong"] > 0


def test_hostile_names_change_nothing(tmp_path: Path) -> None:
    model = hostile()
    run = run_of(model, wandered(model))
    assert followed(XSTATE, xstate(model, DrawOptions()), [run], tmp_path) == {
        "steps": 60,
        "wrong": 0,
        "first": [],
    }
