"""Without an optional extra there is one sentence that says how to install it."""

from __future__ import annotations

import sys
from typing import Literal

import pytest

import fsm
from fsm.errors import DrawError, FsmError
from fsm.testing.generation import paths
from fsm.testing.generation.path import Bound
from fsm.testing.generation.routes import simple_paths
from fsm.views.drawing import draw, raster
from support.smallmodels import FIGHTING


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_without_the_extra_it_says_so(
    format: Literal["png", "pdf"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, raster.CONVERTERS[format], None)
    with pytest.raises(DrawError, match=rf"pip install 'turn-fsm\[{format}\]'"):
        draw(fsm.load("magic"), format=format)


def test_paths_are_made_without_networkx_but_not_held_against_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = paths(FIGHTING)
    monkeypatch.setitem(sys.modules, "networkx", None)
    found = paths(FIGHTING)
    assert found.paths == known.paths
    assert known.bound != found.bound == Bound()


def test_ways_without_a_loop_need_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(
        FsmError, match=r"need the extra 'paths': run pip install 'turn-fsm\[paths\]'"
    ):
        simple_paths(fsm.load("magic"), "untap_untap", "cleanup")
