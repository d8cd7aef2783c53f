"""Recorded games fed to interpreters that are not ours, choice by choice: they go exactly where our
machine went.

The games of a ruleset take every one of its transitions, of turn and window.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from fsm.rulesets import names
from fsm.views.drawing.options import DrawOptions
from fsm.views.export.scxml import scxml
from fsm.views.export.xstate import xstate
from support.fedruns import SCION, XSTATE, fed, followed


@pytest.mark.parametrize("name", names())
def test_scion_and_xstate_go_where_our_machine_went(name: str, tmp_path: Path) -> None:
    games = fed(name)
    assert not games.missed
    assert games.steps > 3_000
    same = {"steps": games.steps, "wrong": 0, "first": []}
    assert followed(SCION, scxml(games.model, DrawOptions()), games.runs, tmp_path) == same
    assert followed(XSTATE, xstate(games.model, DrawOptions()), games.runs, tmp_path) == same
    print(f"{name}: {len(games.runs)} paths, {games.steps} steps")
