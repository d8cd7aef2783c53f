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
    for made in (lambda: paths(model), lambda: simple_paths(model, "untap_untap", "cleanup")):
        with pytest.raises(FsmError, match=r"pip install 'turn-fsm\[paths\]'"):
            made()
