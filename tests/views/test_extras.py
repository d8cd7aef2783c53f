"""Without an optional extra there is one sentence that says how to install it."""

from __future__ import annotations

import sys
from typing import Literal

import pytest

import fsm
from fsm.drawing import draw, raster
from fsm.errors import DrawError, FsmError
from fsm.paths import paths
from fsm.paths.routes import simple_paths


@pytest.mark.parametrize("format", ["png", "pdf"])
def test_without_the_extra_it_says_so(format: Literal["png", "pdf"], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, raster.CONVERTERS[format], None)
    with pytest.raises(DrawError, match=rf"pip install 'turn-fsm\[{format}\]'"):
        draw(fsm.load("magic"), format=format)


def test_paths_without_networkx(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    model = fsm.load("magic")
    remedy = r"needs the extra 'paths': run pip install 'turn-fsm\[paths\]'"
    with pytest.raises(FsmError, match=f"^making paths: {remedy}"):
        paths(model)
    with pytest.raises(FsmError, match=f"^the ways without a loop: {remedy}"):
        simple_paths(model, "untap_untap", "cleanup")
